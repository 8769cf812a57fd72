/*
 * Drives a served card through every call of the header; ends with 1 and the line of the first claim that does not hold.
 * URL DESIGN FOLDER: the card, its design, a folder to write in. Compiles as C99 and as C++.
 */
#include "bloomline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAIM(what)                                                                                       \
    do {                                                                                                  \
        if (!(what)) {                                                                                    \
            fprintf(stderr, "line %d: %s; last error: %s\n", __LINE__, #what, bloomline_last_error());    \
            exit(1);                                                                                      \
        }                                                                                                 \
    } while (0)
#define DONE(call) CLAIM((call) == BLOOMLINE_OK)
#define FAILS(call, status, text) CLAIM((call) == (status) && strstr(bloomline_last_error(), (text)) != NULL)

enum { KEYS = 200, KEY_BYTES = 13 };

/* Key number i, the lowest byte first. */
static void make_key(uint8_t *key, unsigned i) {
    memset(key, 0, KEY_BYTES);
    key[0] = (uint8_t)i;
    key[1] = (uint8_t)(i >> 8);
    key[12] = 0xB1;
}

static uint64_t counter(const BloomlineDevice *card, const char *name) {
    uint64_t value = 0;
    DONE(bloomline_counter(card, name, &value));
    return value;
}

/* What every kind has. */
static void common(const BloomlineDevice *card, const BloomlineInfo *info) {
    uint8_t key[KEY_BYTES], wide[16];
    BloomlineVerdict verdict;
    make_key(key, 7);
    CLAIM(info->key_bits == 104 && info->key_bytes == KEY_BYTES && info->has_item_port && info->hashes == 4);
    DONE(bloomline_query(card, key, KEY_BYTES, &verdict));
    CLAIM(verdict.flags == 0 && verdict.estimate == 0);
    DONE(bloomline_insert(card, key, KEY_BYTES));
    DONE(bloomline_test_and_insert(card, key, KEY_BYTES, &verdict));
    CLAIM((verdict.flags & BLOOMLINE_SEEN) != 0);
    DONE(bloomline_clear(card));
    DONE(bloomline_query(card, key, KEY_BYTES, &verdict));
    CLAIM(verdict.flags == 0);
    CLAIM(counter(card, "ITEMS") == 4);
    BloomlineState state;
    DONE(bloomline_state(card, &state));
    CLAIM(state.running && !state.public_secret);
    FAILS(bloomline_state(card, NULL), BLOOMLINE_ARGUMENT, "state is a null pointer");

    /* Every counter, by place as by name. */
    uint64_t values[64];
    size_t count = bloomline_counter_count(card);
    CLAIM(count > 0 && count <= 64);
    DONE(bloomline_counters(card, values, count));
    CLAIM(strcmp(bloomline_counter_name(card, 0), "ITEMS") == 0 && values[0] == 4);
    CLAIM(bloomline_counter_name(card, count) == NULL);
    FAILS(bloomline_counters(card, values, count - 1), BLOOMLINE_ARGUMENT, "give room for so many");
    FAILS(bloomline_counter(card, "NONE", values), BLOOMLINE_ARGUMENT, "no such counter");

    /* What cannot be is refused, and nothing is sent. */
    memset(wide, 0xFF, sizeof wide);
    FAILS(bloomline_query(card, wide, sizeof wide, &verdict), BLOOMLINE_ARGUMENT, "does not fit a key of 104 bits");
    FAILS(bloomline_query(card, NULL, KEY_BYTES, &verdict), BLOOMLINE_ARGUMENT, "key is a null pointer");
    FAILS(bloomline_query(card, key, KEY_BYTES, NULL), BLOOMLINE_ARGUMENT, "verdict is a null pointer");
    FAILS(bloomline_query(NULL, key, KEY_BYTES, &verdict), BLOOMLINE_ARGUMENT, "device is a null pointer");
    FAILS(bloomline_apply(card, 9, key, KEY_BYTES, 1, NULL, NULL, NULL), BLOOMLINE_ARGUMENT, "operation = 9");
    FAILS(bloomline_apply(card, BLOOMLINE_QUERY, key, 1, SIZE_MAX, NULL, NULL, NULL), BLOOMLINE_ARGUMENT, "more than there is memory");
    FAILS(bloomline_set_threshold(card, UINT64_MAX), BLOOMLINE_ARGUMENT, "must be from");
    FAILS(bloomline_rekey(card, key, false), BLOOMLINE_NOT_THERE, "secret of the hash");
    CLAIM(counter(card, "ITEMS") == 4);
}

static void recycling(const BloomlineDevice *card) {
    static uint8_t keys[KEYS][KEY_BYTES];
    static BloomlineVerdict verdicts[KEYS];
    BloomlineEvent events[BLOOMLINE_MOST_EVENTS];
    size_t count = 99, done = 99, i;
    uint64_t threshold = 0;
    for (i = 0; i < KEYS; i++) make_key(keys[i], (unsigned)i);

    DONE(bloomline_set_threshold(card, 5000));
    DONE(bloomline_threshold(card, &threshold));
    CLAIM(threshold == 5000);
    DONE(bloomline_set_max_age_ns(card, 0));
    DONE(bloomline_events(card, events, &count));
    CLAIM(count == 0);
    DONE(bloomline_apply(card, BLOOMLINE_TEST_AND_INSERT, keys[0], KEY_BYTES, KEYS, NULL, verdicts, &done));
    CLAIM(done == KEYS);
    for (i = 0; i < KEYS; i++) CLAIM(verdicts[i].flags == 0);
    DONE(bloomline_apply(card, BLOOMLINE_QUERY, keys[0], KEY_BYTES, KEYS, NULL, verdicts, NULL));
    for (i = 0; i < KEYS; i++)
        CLAIM(verdicts[i].flags == (BLOOMLINE_POSITIVE | BLOOMLINE_SEEN | BLOOMLINE_IN_ACTIVE));

    BloomlineState before, after;
    DONE(bloomline_state(card, &before));

    /* A threshold below what the half holds: the next key trips a recycle, and the others are in the frozen half. */
    DONE(bloomline_set_threshold(card, 100));
    make_key(keys[0], 50000);
    DONE(bloomline_test_and_insert(card, keys[0], KEY_BYTES, verdicts));
    CLAIM(verdicts[0].flags == BLOOMLINE_TRIPPED);
    DONE(bloomline_query(card, keys[1], KEY_BYTES, verdicts));
    CLAIM(verdicts[0].flags == (BLOOMLINE_POSITIVE | BLOOMLINE_SEEN | BLOOMLINE_IN_FROZEN));
    DONE(bloomline_events(card, events, &count));
    CLAIM(count >= 1 && events[0].kind == BLOOMLINE_RECYCLED && events[0].count == 1);
    DONE(bloomline_state(card, &after));
    CLAIM(after.running && after.turns == before.turns + 1 && after.active_half == 1 - before.active_half);
    FAILS(bloomline_remove(card, keys[1], KEY_BYTES, verdicts), BLOOMLINE_NOT_THERE, "operation to remove");

    /* One key in the active half, 200 in the frozen one. */
    BloomlineSnapshot *halves = NULL;
    BloomlineArray array;
    BloomlineEstimate estimate;
    DONE(bloomline_snapshot(card, &halves));
    DONE(bloomline_snapshot_array(halves, &array));
    CLAIM(array.halves == 2 && array.banks == 4 && array.cell_bits == 1 && array.threshold == 100);
    CLAIM(array.recycles == 1 && array.messages == 1);
    DONE(bloomline_snapshot_estimate(halves, BLOOMLINE_ACTIVE_HALF, 0.99, &estimate));
    CLAIM(estimate.keys == 1);
    DONE(bloomline_snapshot_estimate(halves, BLOOMLINE_FROZEN_HALF, 0.99, &estimate));
    CLAIM(estimate.low <= KEYS && KEYS <= estimate.high);
    BloomlineSimilarity alike;
    DONE(bloomline_snapshot_similarity(halves, halves, 0.99, &alike));
    CLAIM(alike.left == alike.right && alike.jaccard == 1 && alike.common_low <= KEYS + 1 && KEYS + 1 <= alike.common_high);
    FAILS(bloomline_snapshot_similarity(halves, halves, 2, &alike), BLOOMLINE_ARGUMENT, "confidence = 2");
    FAILS(bloomline_snapshot_similarity(halves, NULL, 0.99, &alike), BLOOMLINE_ARGUMENT, "right is a null pointer");
    DONE(bloomline_snapshot_estimate(halves, BLOOMLINE_WHOLE, 0.99, &estimate));
    CLAIM(estimate.low <= KEYS + 1 && KEYS + 1 <= estimate.high);
    DONE(bloomline_recycle(card));
    DONE(bloomline_restore(card, halves));
    bloomline_snapshot_free(halves);
    DONE(bloomline_snapshot(card, &halves));
    DONE(bloomline_snapshot_array(halves, &array));
    CLAIM(array.recycles == 3);
    DONE(bloomline_snapshot_estimate(halves, BLOOMLINE_ACTIVE_HALF, 0.99, &estimate));
    CLAIM(estimate.keys == 1);
    DONE(bloomline_snapshot_estimate(halves, BLOOMLINE_FROZEN_HALF, 0.99, &estimate));
    CLAIM(estimate.low <= KEYS && KEYS <= estimate.high);
    bloomline_snapshot_free(halves);
}

static void counting(const BloomlineDevice *card, const char *folder) {
    uint8_t keys[KEYS][KEY_BYTES];
    BloomlineVerdict verdict;
    BloomlineSnapshot *one = NULL, *two = NULL, *both = NULL, *common = NULL, *read = NULL;
    BloomlineArray array;
    BloomlineEstimate estimate;
    char file[1024];
    const uint32_t *words, *other;
    const uint32_t amounts[2] = {1, 2};
    size_t count = 0, done = 99, i;
    for (i = 0; i < KEYS; i++) make_key(keys[i], (unsigned)i);

    DONE(bloomline_set_threshold(card, 3));
    for (i = 1; i <= 4; i++) {
        DONE(bloomline_test_and_insert(card, keys[0], KEY_BYTES, &verdict));
        CLAIM(verdict.estimate == i && ((verdict.flags & BLOOMLINE_POSITIVE) != 0) == (i >= 3));
    }
    DONE(bloomline_remove(card, keys[0], KEY_BYTES, &verdict));
    CLAIM(verdict.estimate == 3 && (verdict.flags & BLOOMLINE_UNDERFLOW) == 0);

    /* An item that cannot be is refused before the first is sent. */
    FAILS(bloomline_apply(card, BLOOMLINE_INSERT, keys[0], KEY_BYTES, 2, amounts, NULL, &done), BLOOMLINE_ARGUMENT, "item 1 of 2");
    CLAIM(done == 0);

    DONE(bloomline_clear(card));
    DONE(bloomline_apply(card, BLOOMLINE_INSERT, keys[0], KEY_BYTES, KEYS, NULL, NULL, NULL));
    DONE(bloomline_snapshot(card, &one));
    DONE(bloomline_snapshot_array(one, &array));
    CLAIM(array.banks == 4 && array.cell_bits == 4 && array.cells_per_word == 8 && !array.is_keyed);
    CLAIM(array.items_before == array.items_after);
    words = bloomline_snapshot_words(one, &count);
    CLAIM(count == array.banks * array.words_per_bank);
    DONE(bloomline_snapshot_estimate(one, BLOOMLINE_WHOLE, 0.99, &estimate));
    CLAIM(estimate.low <= KEYS && KEYS <= estimate.high && estimate.fill > 0 && estimate.fill < 1);
    FAILS(bloomline_snapshot_estimate(one, BLOOMLINE_ACTIVE_HALF, 0.99, &estimate), BLOOMLINE_ARGUMENT, "part = 1");
    FAILS(bloomline_snapshot_estimate(one, BLOOMLINE_WHOLE, 1.5, &estimate), BLOOMLINE_ARGUMENT, "confidence");

    /* The same filter with the first half of the keys: less than both, and within the first. */
    DONE(bloomline_clear(card));
    DONE(bloomline_apply(card, BLOOMLINE_INSERT, keys[0], KEY_BYTES, KEYS / 2, NULL, NULL, NULL));
    DONE(bloomline_snapshot(card, &two));
    DONE(bloomline_snapshot_intersection(one, two, &common));
    other = bloomline_snapshot_words(two, &count);
    CLAIM(memcmp(bloomline_snapshot_words(common, NULL), other, 4 * count) == 0);
    DONE(bloomline_snapshot_union(one, two, &both));
    DONE(bloomline_restore(card, both));
    DONE(bloomline_query(card, keys[0], KEY_BYTES, &verdict));
    CLAIM(verdict.estimate >= 2);

    snprintf(file, sizeof file, "%s/one.snapshot", folder);
    DONE(bloomline_snapshot_save(one, file));
    DONE(bloomline_snapshot_load(file, &read));
    CLAIM(memcmp(bloomline_snapshot_words(read, &count), words, 4 * count) == 0);
    snprintf(file, sizeof file, "%s/none.snapshot", folder);
    bloomline_snapshot_free(read);
    read = NULL;
    FAILS(bloomline_snapshot_load(file, &read), BLOOMLINE_FILE, "none.snapshot");
    CLAIM(read == NULL);
    bloomline_snapshot_free(one);
    bloomline_snapshot_free(two);
    bloomline_snapshot_free(both);
    bloomline_snapshot_free(common);
    bloomline_snapshot_free(NULL);
}

/* A line card: each lane and port for itself. */
static void line_card(const BloomlineDevice *card) {
    BloomlineLink links[2];
    BloomlineEvent events[BLOOMLINE_MOST_EVENTS];
    uint32_t action = 99, bytes = 0;
    uint8_t dscp = 99;
    bool learn = false;
    size_t count = 99;
    DONE(bloomline_events(card, events, &count));
    DONE(bloomline_policy(card, 0, BLOOMLINE_FRAME_UNSEEN, &action, &dscp));
    CLAIM(action == BLOOMLINE_MARK && dscp == 8);
    DONE(bloomline_set_policy(card, 1, BLOOMLINE_FRAME_UNSEEN, BLOOMLINE_DROP, 0));
    DONE(bloomline_set_policy(card, 1, BLOOMLINE_FRAME_OTHER, BLOOMLINE_MARK, 63));
    DONE(bloomline_policy(card, 1, BLOOMLINE_FRAME_UNSEEN, &action, &dscp));
    CLAIM(action == BLOOMLINE_DROP && dscp == 0);
    DONE(bloomline_policy(card, 1, BLOOMLINE_FRAME_OTHER, &action, &dscp));
    CLAIM(action == BLOOMLINE_MARK && dscp == 63);
    DONE(bloomline_policy(card, 0, BLOOMLINE_FRAME_OTHER, &action, &dscp));
    CLAIM(action == BLOOMLINE_PASS && dscp == 0);
    DONE(bloomline_set_learn(card, 0, false));
    DONE(bloomline_learn(card, 0, &learn));
    CLAIM(!learn);
    DONE(bloomline_learn(card, 1, &learn));
    CLAIM(learn);
    DONE(bloomline_set_max_frame(card, 1, 9000));
    DONE(bloomline_max_frame(card, 1, &bytes));
    CLAIM(bytes == 9000);
    DONE(bloomline_max_frame(card, 0, &bytes));
    CLAIM(bytes == 1518);
    DONE(bloomline_links(card, links, 2));
    CLAIM(links[0].up && links[0].full_duplex && links[0].megabits == 1000 && links[1].up);
    CLAIM(counter(card, "LANE_1.FRAMES_UNSEEN") == 0 && counter(card, "PORT_1.FRAMES_BAD_FCS") == 0);
    DONE(bloomline_events(card, events, &count));
    CLAIM(count == 0);

    FAILS(bloomline_set_policy(card, 2, 0, BLOOMLINE_DROP, 0), BLOOMLINE_ARGUMENT, "packet path 2: the device has 0 to 1");
    FAILS(bloomline_set_policy(card, 0, 8, BLOOMLINE_DROP, 0), BLOOMLINE_ARGUMENT, "frame_class = 8");
    FAILS(bloomline_set_policy(card, 0, 0, 3, 0), BLOOMLINE_ARGUMENT, "action = 3");
    FAILS(bloomline_set_policy(card, 0, 0, BLOOMLINE_MARK, 64), BLOOMLINE_ARGUMENT, "from 0 to 63");
    FAILS(bloomline_set_policy(card, 0, 0, BLOOMLINE_PASS, 1), BLOOMLINE_ARGUMENT, "dscp = 1");
    FAILS(bloomline_set_max_frame(card, 0, 59), BLOOMLINE_ARGUMENT, "must be from 60 to 16384");
    FAILS(bloomline_links(card, links, 1), BLOOMLINE_ARGUMENT, "give room for so many");
}

int main(int argc, char **argv) {
    BloomlineDevice *card = NULL;
    BloomlineInfo info;
    if (argc != 4) {
        fprintf(stderr, "usage: drive URL DESIGN FOLDER\n");
        return 2;
    }
    CLAIM(bloomline_abi_version() == BLOOMLINE_ABI_VERSION);
    CLAIM(bloomline_last_error()[0] == '\0');
    FAILS(bloomline_open("x:1", argv[2], &card), BLOOMLINE_ARGUMENT, "expected one of the schemes");
    FAILS(bloomline_open("uart:/dev/none", argv[2], &card), BLOOMLINE_OPEN, "no such device");
    FAILS(bloomline_open(argv[1], "none.toml", &card), BLOOMLINE_DESIGN, "none.toml");
    FAILS(bloomline_open(NULL, argv[2], &card), BLOOMLINE_ARGUMENT, "url is a null pointer");
    CLAIM(card == NULL);
    DONE(bloomline_open(argv[1], argv[2], &card));
    DONE(bloomline_info(card, &info));
    CLAIM(bloomline_lane_count(NULL) == 0 && bloomline_port_count(NULL) == 0);
    CLAIM(bloomline_port_count(card) == bloomline_lane_count(card));
    if (bloomline_lane_count(card) == 2) {
        line_card(card);
        bloomline_close(card);
        return 0;
    }
    FAILS(bloomline_set_learn(card, 0, true), BLOOMLINE_NOT_THERE, "no packet path");
    common(card, &info);
    if (info.kind == BLOOMLINE_RECYCLING) {
        CLAIM(strcmp(bloomline_name(card), "admit") == 0);
        recycling(card);
        CLAIM(bloomline_snapshot_words(NULL, NULL) == NULL);
    } else {
        CLAIM(info.kind == BLOOMLINE_COUNTING);
        counting(card, argv[3]);
    }
    printf("%" PRIu64 " items\n", counter(card, "ITEMS"));
    bloomline_close(card);
    bloomline_close(NULL);
    return 0;
}
