/*
 * URL DESIGN: has items done over a link that is cut in the middle; prints how many were. Ends with 1 and the line of the first
 * claim that does not hold. Every key comes twice, so that every other verdict says that it was seen.
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

enum { ITEMS = 400, KEY_BYTES = 8 };

int main(int argc, char **argv) {
    static uint8_t keys[ITEMS][KEY_BYTES];
    static BloomlineVerdict verdicts[ITEMS];
    BloomlineDevice *card = NULL;
    size_t done = ITEMS + 1, i;
    if (argc != 3) return 2;
    for (i = 0; i < ITEMS; i++) {
        keys[i][0] = (uint8_t)(i / 2);
        verdicts[i].flags = verdicts[i].estimate = UINT32_MAX;
    }
    CLAIM(bloomline_open(argv[1], argv[2], &card) == BLOOMLINE_OK);
    CLAIM(bloomline_apply(card, BLOOMLINE_TEST_AND_INSERT, keys[0], KEY_BYTES, ITEMS, NULL, verdicts, &done) != BLOOMLINE_OK);
    CLAIM(strstr(bloomline_last_error(), "of 400") != NULL);
    CLAIM(done > 0 && done < ITEMS);
    for (i = 0; i < done; i++) CLAIM(((verdicts[i].flags & BLOOMLINE_SEEN) != 0) == (i % 2 == 1));
    for (; i < ITEMS; i++) CLAIM(verdicts[i].flags == UINT32_MAX && verdicts[i].estimate == UINT32_MAX);
    printf("%zu items\n", done);
    bloomline_close(card);
    return 0;
}
