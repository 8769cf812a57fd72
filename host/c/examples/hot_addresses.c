/*
 * Finds hot addresses: those that are asked for at least as often as the counting filter's threshold.
 *
 *     bloomline serve hotkeys.toml --udp 0           # hdl/specification/examples/hotkeys.toml with an empty [card] section
 *     cc -Ihost/c/include host/c/examples/hot_addresses.c -Ltarget/release -lbloomline_c -o hot_addresses
 *     LD_LIBRARY_PATH=target/release ./hot_addresses etherbone:127.0.0.1:PORT hotkeys.toml cloudPhysicsIO.csv 20000
 *
 * The card answers every request with its count; an address is reported when that first reaches the threshold. Beside it
 * every address is counted exactly: a counting filter misses none that is hot, and reports some that are not. Ends with 1 if one
 * was missed.
 */
#include "bloomline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1000, COLUMN = 4 /* lbn of version,time,op,size,lbn */ };

typedef struct {
    uint64_t address;
    unsigned count;
    bool reported;
} Entry;

/* The exact counts: a table with open addressing, twice as large as there can be addresses. */
static Entry *find(Entry *table, size_t slots, uint64_t address) {
    size_t slot = (size_t)(address * 0x9E3779B97F4A7C15u >> 20) % slots;
    while (table[slot].count > 0 && table[slot].address != address) slot = (slot + 1) % slots;
    table[slot].address = address;
    return &table[slot];
}

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, bloomline_last_error());
    return 2;
}

/* The next addresses of the table, at most `most`. */
static size_t read_addresses(FILE *file, uint64_t *addresses, size_t most) {
    char line[256];
    size_t count = 0;
    while (count < most && fgets(line, sizeof line, file) != NULL) {
        char *field = line;
        for (int column = 0; column < COLUMN && field != NULL; column++) {
            field = strchr(field, ',');
            if (field != NULL) field++;
        }
        if (field != NULL) addresses[count++] = strtoull(field, NULL, 10);
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: hot_addresses URL DESIGN TABLE [REQUESTS]\n");
        return 2;
    }
    size_t most = argc > 4 ? strtoull(argv[4], NULL, 10) : 20000;
    BloomlineDevice *card;
    if (bloomline_open(argv[1], argv[2], &card) != BLOOMLINE_OK) return fail("open");
    uint64_t threshold;
    if (bloomline_threshold(card, &threshold) != BLOOMLINE_OK) return fail("threshold");
    FILE *file = fopen(argv[3], "r");
    char heading[256];
    if (file == NULL || fgets(heading, sizeof heading, file) == NULL) {
        perror(argv[3]);
        return 2;
    }

    size_t slots = 2 * most + 1, requests = 0, distinct = 0, reported = 0;
    Entry *table = (Entry *)calloc(slots, sizeof *table);
    if (table == NULL) {
        perror("exact counts");
        return 2;
    }
    while (requests < most) {
        uint64_t addresses[CHUNK];
        uint8_t keys[CHUNK][8];
        BloomlineVerdict verdicts[CHUNK];
        size_t left = most - requests;
        size_t count = read_addresses(file, addresses, left < CHUNK ? left : CHUNK);
        if (count == 0) break;
        for (size_t i = 0; i < count; i++)
            for (int byte = 0; byte < 8; byte++) keys[i][byte] = (uint8_t)(addresses[i] >> (8 * byte));
        if (bloomline_apply(card, BLOOMLINE_TEST_AND_INSERT, keys[0], 8, count, NULL, verdicts, NULL) != BLOOMLINE_OK)
            return fail("items");
        for (size_t i = 0; i < count; i++) {
            Entry *entry = find(table, slots, addresses[i]);
            distinct += entry->count++ == 0;
            if ((verdicts[i].flags & BLOOMLINE_POSITIVE) != 0 && !entry->reported) {
                entry->reported = true;
                reported++;
            }
        }
        requests += count;
    }
    fclose(file);
    bloomline_close(card);

    size_t hot = 0, missed = 0;
    for (size_t slot = 0; slot < slots; slot++) {
        bool is_hot = table[slot].count >= threshold;
        hot += is_hot;
        missed += is_hot && !table[slot].reported;
    }
    free(table);
    printf("requests %zu\naddresses %zu\nhot %zu\nreported %zu\nmissed %zu\nfalse_alarms %zu\n", requests, distinct, hot,
           reported, missed, reported - (hot - missed));
    return missed > 0;
}
