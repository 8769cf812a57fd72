/*
 * Bloomline: a card with a membership filter, from C. Link with -lbloomline_c.
 *
 *     BloomlineDevice *card;
 *     if (bloomline_open("uart:/dev/ttyUSB0?baud=1000000", "out/admit/manifest.json", &card) != BLOOMLINE_OK)
 *         fprintf(stderr, "%s\n", bloomline_last_error());
 *
 * Every call that can fail gives a BloomlineStatus and fills what it was given pointers to only with BLOOMLINE_OK, where its
 * text says nothing else. bloomline_last_error() says what went wrong.
 *
 * A BloomlineDevice and a BloomlineSnapshot are the library's; the caller gives each back once, with bloomline_close or
 * bloomline_snapshot_free, after the last call with it has returned. Everything else that a pointer leads to is the caller's
 * and used during the call only, unless the text of a call says that it gives a pointer away: its owner and its lifetime stand
 * there. Texts are UTF-8 and end in 0. Any thread may call, also several at once with one device; they take turns.
 */


#ifndef BLOOMLINE_H
#define BLOOMLINE_H

/* Made by cbindgen from host/c/src; do not edit. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Version of the binary interface that this header describes. If it differs from `bloomline_abi_version()`, the program must not
 call any other function.
 */
#define BLOOMLINE_ABI_VERSION 1

/*
 The greatest number of events that one call returns.
 */
#define BLOOMLINE_MOST_EVENTS 16

/*
 Flag: the key was seen; in filters that count, its count reaches the threshold.
 */
#define BLOOMLINE_POSITIVE 1

/*
 Flag: the filter held the key before the item.
 */
#define BLOOMLINE_SEEN 2

/*
 Flag of a recycling filter: the key was in the active half.
 */
#define BLOOMLINE_IN_ACTIVE 4

/*
 Flag of a recycling filter: the key was in the frozen half.
 */
#define BLOOMLINE_IN_FROZEN 8

/*
 Flag of a recycling filter: the item tripped a recycle.
 */
#define BLOOMLINE_TRIPPED 16

/*
 Flag of a counting filter: the removed key was not in the filter.
 */
#define BLOOMLINE_UNDERFLOW 32

/*
 Flag of filters that count: a counter of the key is at its greatest value.
 */
#define BLOOMLINE_SATURATED 64

/*
 Flag of a sliding-window filter: the table had no empty cell for the key.
 */
#define BLOOMLINE_LOST 128

/*
 Status of a call.
 */
typedef enum BloomlineStatus {
  /*
   The call succeeded.
   */
  BLOOMLINE_OK = 0,
  /*
   An argument is invalid or a null pointer. Nothing was sent.
   */
  BLOOMLINE_ARGUMENT = 1,
  /*
   The manifest or specification is invalid or cannot be read.
   */
  BLOOMLINE_DESIGN = 2,
  /*
   The link cannot be opened, or no device answers.
   */
  BLOOMLINE_OPEN = 3,
  /*
   The device did not answer in time.
   */
  BLOOMLINE_TIMEOUT = 4,
  /*
   The link failed, or an answer is invalid.
   */
  BLOOMLINE_LINK = 5,
  /*
   It is unknown whether a write or an item was carried out.
   */
  BLOOMLINE_UNCERTAIN = 6,
  /*
   The device rejected the access.
   */
  BLOOMLINE_REFUSED = 7,
  /*
   The device does not have the given design.
   */
  BLOOMLINE_WRONG_DEVICE = 8,
  /*
   This kind of filter does not have the function.
   */
  BLOOMLINE_NOT_THERE = 9,
  /*
   The device is not ready, or another host interfered.
   */
  BLOOMLINE_BUSY = 10,
  /*
   A snapshot file cannot be read or written, or is not a snapshot.
   */
  BLOOMLINE_FILE = 11,
  /*
   The library itself failed, which is a bug in it. Close the device.
   */
  BLOOMLINE_PANIC = 12,
} BloomlineStatus;

/*
 The kind of filter of a card.
 */
typedef enum BloomlineKind {
  /*
   Recycling Bloom filter: remembers recent keys.
   */
  BLOOMLINE_RECYCLING = 0,
  /*
   Static Bloom filter: remembers a set of keys.
   */
  BLOOMLINE_STATIC = 1,
  /*
   Counting filter: counts how often each key was inserted; keys can be removed.
   */
  BLOOMLINE_COUNTING = 2,
  /*
   Count-Min sketch: sums an amount for each key.
   */
  BLOOMLINE_COUNT_MIN = 3,
  /*
   Sliding-window filter: remembers the last n keys.
   */
  BLOOMLINE_SLIDING = 4,
} BloomlineKind;

/*
 Kind of an event.
 */
typedef enum BloomlineEventKind {
  /*
   Halves were recycled, `count` times.
   */
  BLOOMLINE_RECYCLED = 0,
  /*
   `count` keys found no empty cell in a sliding-window filter and were not stored.
   */
  BLOOMLINE_ELEMENTS_LOST = 1,
  /*
   `count` items left a counter at its greatest value.
   */
  BLOOMLINE_ITEMS_SATURATED = 2,
  /*
   `count` removals were of keys that the filter did not hold.
   */
  BLOOMLINE_ITEMS_UNDERFLOWED = 3,
  /*
   The filter accepted no items for `count` clock cycles.
   */
  BLOOMLINE_STALLED = 4,
  /*
   A counter decreased: the card was reset or reconfigured.
   */
  BLOOMLINE_RESTARTED = 5,
  /*
   `count` reads (by items, refreshes, scans or the host) found memory words with a parity error.
   */
  BLOOMLINE_WRONG_WORDS = 6,
  /*
   `count` frames were dropped because a buffer of a packet path or an Ethernet port was full; the counters OVERFLOWS say which.
   */
  BLOOMLINE_FRAMES_OVERFLOWED = 7,
  /*
   The link state of an Ethernet port changed; `count` is the port's number.
   */
  BLOOMLINE_LINK_CHANGED = 8,
  /*
   `count` reads found memory words with a flipped bit, which was corrected.
   */
  BLOOMLINE_WORDS_CORRECTED = 9,
  /*
   `count` reads found memory words with an error that cannot be corrected.
   */
  BLOOMLINE_WORDS_UNCORRECTABLE = 10,
} BloomlineEventKind;

/*
 Action on a frame.
 */
typedef enum BloomlineAction {
  /*
   Pass the frame unchanged.
   */
  BLOOMLINE_PASS = 0,
  /*
   Drop the frame.
   */
  BLOOMLINE_DROP = 1,
  /*
   Pass the frame; if it is an IP packet, with another DSCP.
   */
  BLOOMLINE_MARK = 2,
} BloomlineAction;

/*
 Class that a packet path gives a frame. If several apply, the highest one counts.
 */
typedef enum BloomlineFrameClass {
  /*
   The filter did not hold the frame's key.
   */
  BLOOMLINE_FRAME_UNSEEN = 0,
  /*
   The filter held the frame's key.
   */
  BLOOMLINE_FRAME_SEEN = 1,
  /*
   The frame has no key.
   */
  BLOOMLINE_FRAME_OTHER = 2,
  /*
   Truncated: a header, or the IP packet, is longer than the frame.
   */
  BLOOMLINE_FRAME_TRUNCATED = 3,
  /*
   Malformed: headers contradict each other.
   */
  BLOOMLINE_FRAME_MALFORMED = 4,
  /*
   A header lies deeper in the frame than the parser looks.
   */
  BLOOMLINE_FRAME_TOO_DEEP = 5,
  /*
   The frame is longer than the configured limit.
   */
  BLOOMLINE_FRAME_OVERSIZE = 6,
  /*
   The source marked the frame as bad (FCS error, for example).
   */
  BLOOMLINE_FRAME_BAD = 7,
} BloomlineFrameClass;

/*
 Operation of an item.
 */
typedef enum BloomlineOperation {
  /*
   Query: returns a verdict and changes nothing.
   */
  BLOOMLINE_QUERY = 0,
  /*
   Insert, without a verdict.
   */
  BLOOMLINE_INSERT = 1,
  /*
   Test and insert: returns the verdict from before the insertion; the count of a counting filter includes the item.
   */
  BLOOMLINE_TEST_AND_INSERT = 2,
  /*
   Remove: decrements every counter of the key and returns a verdict. Counting filters only.
   */
  BLOOMLINE_REMOVE = 3,
} BloomlineOperation;

/*
 A part of an array.
 */
typedef enum BloomlinePart {
  /*
   The whole array; of two halves or panes the union, each key counted once.
   */
  BLOOMLINE_WHOLE = 0,
  /*
   The active half of a recycling filter, or pane of a counting filter over a window.
   */
  BLOOMLINE_ACTIVE_HALF = 1,
  /*
   The frozen half of a recycling filter, or pane of a counting filter over a window.
   */
  BLOOMLINE_FROZEN_HALF = 2,
} BloomlinePart;

/*
 An open card.
 */
typedef struct BloomlineDevice BloomlineDevice;

/*
 Snapshot of the array of a filter. It is immutable: every call with it only reads it.
 */
typedef struct BloomlineSnapshot BloomlineSnapshot;

/*
 Identity of a card.
 */
typedef struct BloomlineInfo {
  /*
   Hash over everything that changes the gateware.
   */
  uint64_t geometry_hash;
  /*
   Clock frequency of the specification, in hertz.
   */
  uint64_t clock_hz;
  /*
   Kind of its filter.
   */
  enum BloomlineKind kind;
  /*
   Width of its keys in bits.
   */
  uint32_t key_bits;
  /*
   Bytes of a key: `key_bits` divided by 8, rounded up.
   */
  uint32_t key_bytes;
  /*
   Number of hash functions (probes of a key).
   */
  uint32_t hashes;
  /*
   Whether the host can insert and query keys through it.
   */
  bool has_item_port;
  /*
   Whether its hash function uses a secret.
   */
  bool is_keyed;
} BloomlineInfo;

/*
 What a card shows of itself. Numbers that its kind does not have are 0.
 */
typedef struct BloomlineState {
  /*
   Whether the filter takes items: not while it comes out of configuration, reset or clear.
   */
  bool running;
  /*
   Whether the secret of the hash is still the specification's, as public as its seed; false without a secret.
   */
  bool public_secret;
  /*
   Which half is active, 0 or 1; of recycling filters.
   */
  uint32_t active_half;
  /*
   Recycles of every cause, modulo 65536; of recycling filters.
   */
  uint32_t turns;
  /*
   The present generation, modulo what its bits hold; of sliding windows.
   */
  uint32_t generation;
} BloomlineState;

/*
 An event and its size.
 */
typedef struct BloomlineEvent {
  /*
   Kind of the event.
   */
  enum BloomlineEventKind kind;
  /*
   Size of the event, as described at its kind; 0 where the kind has none.
   */
  uint64_t count;
} BloomlineEvent;

/*
 Answer of a filter about a key.
 */
typedef struct BloomlineVerdict {
  /*
   Sum of `BLOOMLINE_POSITIVE`, `BLOOMLINE_SEEN` and so on; other bits are reserved.
   */
  uint32_t flags;
  /*
   Estimated count of the key in filters that count; else 0.
   */
  uint32_t estimate;
} BloomlineVerdict;

/*
 Link state that the PHY of an Ethernet port reports.
 */
typedef struct BloomlineLink {
  /*
   Whether the link is up. The other fields are valid only if it is.
   */
  bool up;
  /*
   Full duplex.
   */
  bool full_duplex;
  /*
   Link speed in Mb/s; 0 if the PHY reports an unknown one. Frames are carried at 1000 Mb/s only.
   */
  uint32_t megabits;
} BloomlineLink;

/*
 Layout and origin of an array.
 */
typedef struct BloomlineArray {
  /*
   Hash over all parameters of the gateware that it came from.
   */
  uint64_t geometry_hash;
  /*
   32-bit words of a bank. Bank 0 comes first, and the active half of a recycling filter before the frozen half.
   */
  uint64_t words_per_bank;
  /*
   Cells of a bank that probes can address, from the first one on.
   */
  uint64_t range;
  /*
   The counter ITEMS before the array was read. It equals `items_after` if no item came meanwhile. Of a union or
   intersection the sum over both arrays, which then tells of no instant.
   */
  uint64_t items_before;
  /*
   See `items_before`.
   */
  uint64_t items_after;
  /*
   Recycling filters: register THRESHOLD when it was read; else 0.
   */
  uint64_t threshold;
  /*
   Recycling filters: counter RECYCLES when it was read; else 0.
   */
  uint64_t recycles;
  /*
   Recycling filters: register MESSAGES after it was read; else 0.
   */
  uint32_t messages;
  /*
   Recycling filters: index of the active half, 0 or 1; else 0.
   */
  uint32_t active_half;
  /*
   Halves of a recycling filter, 1 or 2; panes of a counting filter over a window, 2; else 1.
   */
  uint32_t halves;
  /*
   Banks of a half.
   */
  uint32_t banks;
  /*
   Number of hash functions (probes of a key).
   */
  uint32_t hashes;
  /*
   Bits of a cell; a word holds several cells, the first in its lowest bits.
   */
  uint32_t cell_bits;
  /*
   Cells of a word.
   */
  uint32_t cells_per_word;
  /*
   Whether its hash function uses a secret. Arrays that were filled under different secrets cannot be combined or compared.
   */
  bool is_keyed;
} BloomlineArray;

/*
 Estimated number of different keys in a part of an array.
 */
typedef struct BloomlineEstimate {
  /*
   The most likely number; `UINT64_MAX` if every cell is above 0, so that there is no estimate.
   */
  uint64_t keys;
  /*
   Lower end of the confidence interval.
   */
  uint64_t low;
  /*
   Upper end of the confidence interval; `UINT64_MAX` for no limit.
   */
  uint64_t high;
  /*
   Share of the part's cells that are above 0.
   */
  double fill;
  /*
   False-positive rate: probability that a key that was never inserted is found, in any part.
   */
  double fresh_key_seen;
} BloomlineEstimate;

/*
 What two arrays of one geometry have in common.
 */
typedef struct BloomlineSimilarity {
  /*
   Estimated number of different keys in the first array.
   */
  double left;
  /*
   Keys in the second array.
   */
  double right;
  /*
   Keys in both together, each counted once.
   */
  double either;
  /*
   Estimated number of keys in both.
   */
  double common;
  /*
   Lower end of its confidence interval.
   */
  double common_low;
  /*
   Upper end of its confidence interval.
   */
  double common_high;
  /*
   Jaccard index, from 0 to 1: keys in both over keys in either.
   */
  double jaccard;
  /*
   Lower end of its confidence interval.
   */
  double jaccard_low;
  /*
   Upper end of its confidence interval.
   */
  double jaccard_high;
  /*
   Cells above 0 in both arrays.
   */
  uint64_t overlap;
  /*
   Expected number of such cells of arrays without a common key.
   */
  double overlap_by_chance;
  /*
   Standard deviation of that number.
   */
  double overlap_deviation;
} BloomlineSimilarity;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the binary interface of the library. Compare it with `BLOOMLINE_ABI_VERSION` of the header.
 */
uint32_t bloomline_abi_version(void);

/*
 Opens the card that `url` names (`uart:/dev/ttyUSB0`, at the rate of the design or of `?baud=115200`, `etherbone:HOST[:PORT]`, `pcie:0000:03:00.0/2`) and accepts
 it only if its filter is that of `design`: the manifest.json that `bloomline emit` wrote, or a specification that states its
 threshold. The caller releases `*device` with `bloomline_close`.

 # Safety
 `url` and `design` are strings; `device` points to memory for a pointer.
 */
enum BloomlineStatus bloomline_open(const char *url,
                                    const char *design,
                                    struct BloomlineDevice **device);

/*
 Closes a card. A null pointer is ignored.

 # Safety
 `device` came from `bloomline_open`, was not closed, and no call is using it.
 */
void bloomline_close(struct BloomlineDevice *device);

/*
 Gives the identity of the card, without an access to it.

 # Safety
 `device` is open; `info` points to memory for the result.
 */
enum BloomlineStatus bloomline_info(const struct BloomlineDevice *device, struct BloomlineInfo *info);

/*
 Reads what the card shows of itself: whether it runs, and whether its secret is public.

 # Safety
 `device` is open; `state` points to memory for the result.
 */
enum BloomlineStatus bloomline_state(const struct BloomlineDevice *device, struct BloomlineState *state);

/*
 The name of the filter; null for a null pointer. The string belongs to the device and is valid until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_name(const struct BloomlineDevice *device);

/*
 The current threshold: bits set or messages of one half, or the count from which a key is reported.

 # Safety
 `device` is open; `threshold` points to memory for the result.
 */
enum BloomlineStatus bloomline_threshold(const struct BloomlineDevice *device, uint64_t *threshold);

/*
 Sets the threshold. Returns BLOOMLINE_ARGUMENT for a value that a specification could not have.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_threshold(const struct BloomlineDevice *device, uint64_t threshold);

/*
 Sets the longest time that a half of a recycling filter stays active, in nanoseconds by the clock of the specification,
 rounded down to ticks of 1024 clocks but at least one; 0 means no limit.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_max_age_ns(const struct BloomlineDevice *device,
                                              uint64_t nanoseconds);

/*
 Loads a new hash secret of 16 bytes, lowest byte first. A recycling filter of two phases keeps the contents of its
 frozen half, unless `clear` is set; every other filter is emptied. The library keeps no copy of the secret.

 # Safety
 `device` is open; `secret` points to 16 bytes.
 */
enum BloomlineStatus bloomline_rekey(const struct BloomlineDevice *device,
                                     const uint8_t *secret,
                                     bool clear);

/*
 Empties the filter and waits until it takes items again. Counters stay.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_clear(const struct BloomlineDevice *device);

/*
 Recycles now and waits until the filter takes items again. For recycling filters only.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_recycle(const struct BloomlineDevice *device);

/*
 Number of counters of the card; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_counter_count(const struct BloomlineDevice *device);

/*
 The name of a counter in the register map (`ITEMS`, which every card has, or `RECYCLES`); counters of packet paths and Ethernet
 ports have a prefix (`LANE_0.FRAMES_UNSEEN`, `PORT_1.FRAMES_BAD_FCS`, `PATH.DROPPED`). Null beyond the last counter. The string
 belongs to the device and is valid until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_counter_name(const struct BloomlineDevice *device,
                                   size_t index);

/*
 Reads every counter into `values`, in the order of `bloomline_counter_name`. Each value is read at one instant; `length` must be
 `bloomline_counter_count`.

 # Safety
 `device` is open; `values` points to memory for `length` numbers.
 */
enum BloomlineStatus bloomline_counters(const struct BloomlineDevice *device,
                                        uint64_t *values,
                                        size_t length);

/*
 Reads one counter by its name.

 # Safety
 `device` is open; `name` is a string; `value` points to memory for the result.
 */
enum BloomlineStatus bloomline_counter(const struct BloomlineDevice *device,
                                       const char *name,
                                       uint64_t *value);

/*
 Reads the counters and returns the events since the previous call with this device; the first call returns none. No event is
 lost between calls, however long, unless the device is reset; the time of an event is not known. A reset is reported
 (`BLOOMLINE_RESTARTED`) if a counter is lower after it; what was counted before it is then unknown. `events` has room for
 `BLOOMLINE_MOST_EVENTS` events; `count` receives their number.

 # Safety
 `device` is open; `events` and `count` point to memory for the results.
 */
enum BloomlineStatus bloomline_events(const struct BloomlineDevice *device,
                                      struct BloomlineEvent *events,
                                      size_t *count);

/*
 Sends `count` items one after the other and waits for each. `keys` holds `count` keys of `key_bytes` bytes, the lowest byte of
 each first; bits above the key's width must be 0. `operation` is a `BloomlineOperation` and applies to all items. `amounts` is
 null (each amount is 1) or holds `count` amounts for a Count-Min sketch. `verdicts` is null or has room for `count` verdicts;
 plain inserts return all 0. `done` is null or receives the number of completed items: `count`, or, if the call fails, the number
 before the failed item, whose verdicts are valid. An item that fails with BLOOMLINE_UNCERTAIN may have been carried out as well.
 All items are checked before the first one is sent.

 # Safety
 `device` is open; the other pointers are null where that is allowed, or point to as many values as described.
 */
enum BloomlineStatus bloomline_apply(const struct BloomlineDevice *device,
                                     uint32_t operation,
                                     const uint8_t *keys,
                                     size_t key_bytes,
                                     size_t count,
                                     const uint32_t *amounts,
                                     struct BloomlineVerdict *verdicts,
                                     size_t *done);

/*
 Queries a key of `key_bytes` bytes, lowest byte first; changes nothing.

 # Safety
 `device` is open; `key` points to `key_bytes` bytes; `verdict` points to memory for the result.
 */
enum BloomlineStatus bloomline_query(const struct BloomlineDevice *device,
                                     const uint8_t *key,
                                     size_t key_bytes,
                                     struct BloomlineVerdict *verdict);

/*
 Inserts a key.

 # Safety
 `device` is open; `key` points to `key_bytes` bytes.
 */
enum BloomlineStatus bloomline_insert(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes);

/*
 Queries a key and inserts it. The verdict is from before the insertion; the count of a counting filter includes it.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_test_and_insert(const struct BloomlineDevice *device,
                                               const uint8_t *key,
                                               size_t key_bytes,
                                               struct BloomlineVerdict *verdict);

/*
 Removes a key: decrements every counter of it. Counting filters only.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_remove(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes,
                                      struct BloomlineVerdict *verdict);

/*
 Number of packet paths of the card: 1 for a path between two frame streams, 2 on a line card (lane 0 from Ethernet port 0 to 1,
 lane 1 from 1 to 0), else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_lane_count(const struct BloomlineDevice *device);

/*
 Number of Ethernet ports of the card: 2 on a line card, else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_port_count(const struct BloomlineDevice *device);

/*
 Reads the policy for frames of a class (`BloomlineFrameClass`) in a lane: `*action` is a `BloomlineAction`, `*dscp` the mark,
 0 without one.

 # Safety
 `device` is open; `action` and `dscp` point to memory for the results.
 */
enum BloomlineStatus bloomline_policy(const struct BloomlineDevice *device,
                                      size_t lane,
                                      uint32_t frame_class,
                                      uint32_t *action,
                                      uint8_t *dscp);

/*
 Sets the policy for frames of a class (`BloomlineFrameClass`) in a lane: a `BloomlineAction`, and the DSCP of a mark, 0 to
 63; for other actions `dscp` is 0.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_policy(const struct BloomlineDevice *device,
                                          size_t lane,
                                          uint32_t frame_class,
                                          uint32_t action,
                                          uint8_t dscp);

/*
 Reads whether the keys of a lane's frames are inserted (learning) or only queried.

 # Safety
 `device` is open; `learn` points to memory for the result.
 */
enum BloomlineStatus bloomline_learn(const struct BloomlineDevice *device, size_t lane, bool *learn);

/*
 Sets whether the keys of a lane's frames are inserted (learning) or only queried.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_learn(const struct BloomlineDevice *device, size_t lane, bool learn);

/*
 Reads the greatest length of a frame of a lane that is not oversize, in bytes without FCS.

 # Safety
 `device` is open; `bytes` points to memory for the result.
 */
enum BloomlineStatus bloomline_max_frame(const struct BloomlineDevice *device, size_t lane, uint32_t *bytes);

/*
 Sets the greatest length of a frame of a lane that is not oversize, in bytes without FCS: 60 to 65535 and at most what the frame buffer holds.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_max_frame(const struct BloomlineDevice *device,
                                             size_t lane,
                                             uint32_t bytes);

/*
 Reads the link states that the PHYs of a line card report, all at one instant. `length` must be `bloomline_port_count`.

 # Safety
 `device` is open; `links` points to memory for `length` states.
 */
enum BloomlineStatus bloomline_links(const struct BloomlineDevice *device,
                                     struct BloomlineLink *links,
                                     size_t length);

/*
 Reads the whole array of any kind of filter but sliding. Of the items that arrive meanwhile the snapshot has some and lacks
 others. Returns BLOOMLINE_BUSY if a recycling filter recycles repeatedly meanwhile. The caller releases `*snapshot` with
 `bloomline_snapshot_free`.

 # Safety
 `device` is open; `snapshot` points to memory for a pointer.
 */
enum BloomlineStatus bloomline_snapshot(const struct BloomlineDevice *device,
                                        struct BloomlineSnapshot **snapshot);

/*
 Writes every word of a snapshot into the array and reads it back. A recycling filter is cleared first. Any kind but sliding.

 # Safety
 `device` is open; `snapshot` was not freed.
 */
enum BloomlineStatus bloomline_restore(const struct BloomlineDevice *device,
                                       const struct BloomlineSnapshot *snapshot);

/*
 Frees a snapshot. A null pointer is ignored.

 # Safety
 `snapshot` came from this library, was not freed, and no call is using it.
 */
void bloomline_snapshot_free(struct BloomlineSnapshot *snapshot);

/*
 Reads a snapshot file. The caller releases `*snapshot` with `bloomline_snapshot_free`.

 # Safety
 `file` is a string; `snapshot` points to memory for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_load(const char *file, struct BloomlineSnapshot **snapshot);

/*
 Writes a snapshot file. If writing fails, an earlier file stays as it was.

 # Safety
 `snapshot` was not freed; `file` is a string.
 */
enum BloomlineStatus bloomline_snapshot_save(const struct BloomlineSnapshot *snapshot, const char *file);

/*
 Union of two snapshots, the array of a filter that had received the items of both: bits are or-ed, counters added with
 saturation. The caller releases `*snapshot` with `bloomline_snapshot_free`; `left` and `right` are unchanged.

 # Safety
 `left` and `right` were not freed; `snapshot` points to memory for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_union(const struct BloomlineSnapshot *left,
                                              const struct BloomlineSnapshot *right,
                                              struct BloomlineSnapshot **snapshot);

/*
 Intersection of two snapshots: the smaller value of each cell, for bits those set in both. Ownership as in
 `bloomline_snapshot_union`.

 # Safety
 As `bloomline_snapshot_union`.
 */
enum BloomlineStatus bloomline_snapshot_intersection(const struct BloomlineSnapshot *left,
                                                     const struct BloomlineSnapshot *right,
                                                     struct BloomlineSnapshot **snapshot);

/*
 Gives the layout and origin of the array.

 # Safety
 `snapshot` was not freed; `array` points to memory for the result.
 */
enum BloomlineStatus bloomline_snapshot_array(const struct BloomlineSnapshot *snapshot,
                                              struct BloomlineArray *array);

/*
 The words of the array, bank 0 first, and their number in `*count`; null and 0 for a null pointer. The words belong to the
 snapshot and are valid until it is freed.

 # Safety
 `snapshot` was not freed or is null; `count` is null or points to memory for the result.
 */
const uint32_t *bloomline_snapshot_words(const struct BloomlineSnapshot *snapshot,
                                         size_t *count);

/*
 Estimates how many different keys a part of the array holds (`part` is a `BloomlinePart`), with a confidence interval of level
 `confidence`, between 0 and 1. Returns BLOOMLINE_ARGUMENT for a part that the array lacks, and for the whole array of two halves
 whose hash uses a secret, because the halves may have different secrets.

 # Safety
 `snapshot` was not freed; `estimate` points to memory for the result.
 */
enum BloomlineStatus bloomline_snapshot_estimate(const struct BloomlineSnapshot *snapshot,
                                                 uint32_t part,
                                                 double confidence,
                                                 struct BloomlineEstimate *estimate);

/*
 Estimates how many different keys two arrays of one geometry have in common, with confidence intervals of level `confidence`,
 between 0 and 1; of a recycling filter the keys in either half. Arrays with a secret must have been filled under the same one.
 Returns BLOOMLINE_ARGUMENT for another geometry, and if every cell of an array is above 0, which tells nothing of its keys.

 # Safety
 `left` and `right` were not freed; `similarity` points to memory for the result.
 */
enum BloomlineStatus bloomline_snapshot_similarity(const struct BloomlineSnapshot *left,
                                                   const struct BloomlineSnapshot *right,
                                                   double confidence,
                                                   struct BloomlineSimilarity *similarity);

/*
 Message of the last call of this thread that did not return BLOOMLINE_OK: what failed, where, expected and actual value, and
 the next step. An empty string before the first failure. It belongs to the library and is valid until this thread's next call
 that fails.
 */
const char *bloomline_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLOOMLINE_H */
