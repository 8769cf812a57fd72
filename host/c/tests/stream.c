/*
 * URL DESIGN: tests and inserts the integers of stdin, one a line, and prints the flags of each verdict at once.
 */
#include "bloomline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(void) {
    fprintf(stderr, "%s\n", bloomline_last_error());
    return 1;
}

int main(int argc, char **argv) {
    BloomlineDevice *card;
    BloomlineVerdict verdict;
    char line[64];
    if (argc != 3) return 2;
    if (bloomline_open(argv[1], argv[2], &card) != BLOOMLINE_OK) return fail();
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint64_t number = strtoull(line, NULL, 10);
        uint8_t key[8];
        for (int byte = 0; byte < 8; byte++) key[byte] = (uint8_t)(number >> (8 * byte));
        if (bloomline_test_and_insert(card, key, sizeof key, &verdict) != BLOOMLINE_OK) return fail();
        printf("%" PRIu32 "\n", verdict.flags);
        fflush(stdout);
    }
    bloomline_close(card);
    return 0;
}
