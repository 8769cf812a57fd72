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
 Version of the binary interface that this header describes. A program that was compiled with another one than
 `bloomline_abi_version()` gives must not call anything else.
 */
#define BLOOMLINE_ABI_VERSION 1

/*
 Most events that one look gives.
 */
#define BLOOMLINE_MOST_EVENTS 16

/*
 Flag: the key was seen; in filters that count, its count reaches the threshold.
 */
#define BLOOMLINE_POSITIVE 1

/*
 Flag: the key was there before the item.
 */
#define BLOOMLINE_SEEN 2

/*
 Flag of a recycling filter: in the active half.
 */
#define BLOOMLINE_IN_ACTIVE 4

/*
 Flag of a recycling filter: in the frozen half.
 */
#define BLOOMLINE_IN_FROZEN 8

/*
 Flag of a recycling filter: the item tripped a recycle.
 */
#define BLOOMLINE_TRIPPED 16

/*
 Flag of a counting filter: the item removed what was not there.
 */
#define BLOOMLINE_UNDERFLOW 32

/*
 Flag of filters that count: a counter of the key stands at its greatest value.
 */
#define BLOOMLINE_SATURATED 64

/*
 Flag of a sliding-window filter: there was no room for the key.
 */
#define BLOOMLINE_LOST 128

/*
 What a call came to.
 */
typedef enum BloomlineStatus {
  /*
   It was done.
   */
  BLOOMLINE_OK = 0,
  /*
   The caller gave a value that cannot be, or a null pointer: nothing was sent.
   */
  BLOOMLINE_ARGUMENT = 1,
  /*
   The manifest or specification is wrong or cannot be read.
   */
  BLOOMLINE_DESIGN = 2,
  /*
   The link cannot be opened, or nothing answers there.
   */
  BLOOMLINE_OPEN = 3,
  /*
   No answer came in time.
   */
  BLOOMLINE_TIMEOUT = 4,
  /*
   The link failed, or carried what cannot be.
   */
  BLOOMLINE_LINK = 5,
  /*
   Whether a write or an item was carried out cannot be said.
   */
  BLOOMLINE_UNCERTAIN = 6,
  /*
   The device refuses the access.
   */
  BLOOMLINE_REFUSED = 7,
  /*
   The device is another than the design.
   */
  BLOOMLINE_WRONG_DEVICE = 8,
  /*
   This kind of filter has no such thing.
   */
  BLOOMLINE_NOT_THERE = 9,
  /*
   The device is not ready, or another host came in between.
   */
  BLOOMLINE_BUSY = 10,
  /*
   A snapshot file cannot be read or written, or is none.
   */
  BLOOMLINE_FILE = 11,
  /*
   The library itself failed, which is a mistake in it; close the device.
   */
  BLOOMLINE_PANIC = 12,
} BloomlineStatus;

/*
 What filter a card has.
 */
typedef enum BloomlineKind {
  /*
   Recent keys, in cycles.
   */
  BLOOMLINE_RECYCLING = 0,
  /*
   A set.
   */
  BLOOMLINE_STATIC = 1,
  /*
   How often, with removal.
   */
  BLOOMLINE_COUNTING = 2,
  /*
   How much.
   */
  BLOOMLINE_COUNT_MIN = 3,
  /*
   The last n elements.
   */
  BLOOMLINE_SLIDING = 4,
} BloomlineKind;

/*
 Something that happened.
 */
typedef enum BloomlineEventKind {
  /*
   A half was recycled, so many times.
   */
  BLOOMLINE_RECYCLED = 0,
  /*
   So many elements found no empty cell in a sliding-window filter.
   */
  BLOOMLINE_ELEMENTS_LOST = 1,
  /*
   So many items left a counter at its greatest value.
   */
  BLOOMLINE_ITEMS_SATURATED = 2,
  /*
   So many items were removed that were not there.
   */
  BLOOMLINE_ITEMS_UNDERFLOWED = 3,
  /*
   The filter took no items for so many clocks.
   */
  BLOOMLINE_STALLED = 4,
  /*
   A counter went back: the card was reset or configured anew.
   */
  BLOOMLINE_RESTARTED = 5,
  /*
   So many items, refreshes, scans and words for the host met memory words of wrong parity.
   */
  BLOOMLINE_WRONG_WORDS = 6,
  /*
   So many frames came to a packet path or an Ethernet port for which there was no room; its counter OVERFLOWS says where.
   */
  BLOOMLINE_FRAMES_OVERFLOWED = 7,
  /*
   The link of an Ethernet port is another than before; `count` is the port.
   */
  BLOOMLINE_LINK_CHANGED = 8,
} BloomlineEventKind;

/*
 What happens to a frame.
 */
typedef enum BloomlineAction {
  /*
   It goes on as it is.
   */
  BLOOMLINE_PASS = 0,
  /*
   It does not go on.
   */
  BLOOMLINE_DROP = 1,
  /*
   It goes on with another DSCP, if it is an IP packet.
   */
  BLOOMLINE_MARK = 2,
} BloomlineAction;

/*
 What a packet path says of a frame; where more than one fits, the highest counts.
 */
typedef enum BloomlineFrameClass {
  /*
   It has a key that the filter did not hold.
   */
  BLOOMLINE_FRAME_UNSEEN = 0,
  /*
   It has a key that the filter held.
   */
  BLOOMLINE_FRAME_SEEN = 1,
  /*
   It has no key.
   */
  BLOOMLINE_FRAME_OTHER = 2,
  /*
   A header, or the IP packet, is longer than the frame.
   */
  BLOOMLINE_FRAME_TRUNCATED = 3,
  /*
   Its headers contradict each other.
   */
  BLOOMLINE_FRAME_MALFORMED = 4,
  /*
   A header lies too far behind.
   */
  BLOOMLINE_FRAME_TOO_DEEP = 5,
  /*
   It is longer than the longest frame that was set.
   */
  BLOOMLINE_FRAME_OVERSIZE = 6,
  /*
   It was marked as bad where it came from.
   */
  BLOOMLINE_FRAME_BAD = 7,
} BloomlineFrameClass;

/*
 What an item asks for.
 */
typedef enum BloomlineOperation {
  /*
   Give a verdict, change nothing.
   */
  BLOOMLINE_QUERY = 0,
  /*
   Insert; no verdict.
   */
  BLOOMLINE_INSERT = 1,
  /*
   Insert and give a verdict: of before, but the count of a counter includes the item.
   */
  BLOOMLINE_TEST_AND_INSERT = 2,
  /*
   Take one from every counter and give a verdict; counting filters only.
   */
  BLOOMLINE_REMOVE = 3,
} BloomlineOperation;

/*
 A part of an array.
 */
typedef enum BloomlinePart {
  /*
   All of it; of two halves what is in either, each key counted once.
   */
  BLOOMLINE_WHOLE = 0,
  /*
   The active half of a recycling filter.
   */
  BLOOMLINE_ACTIVE_HALF = 1,
  /*
   The frozen half of a recycling filter.
   */
  BLOOMLINE_FROZEN_HALF = 2,
} BloomlinePart;

/*
 A card that was opened.
 */
typedef struct BloomlineDevice BloomlineDevice;

/*
 The array of a filter, as it stood. It does not change; every call with it only reads it.
 */
typedef struct BloomlineSnapshot BloomlineSnapshot;

/*
 Who a card is.
 */
typedef struct BloomlineInfo {
  /*
   Hash over everything that changes the gateware.
   */
  uint64_t geometry_hash;
  /*
   Clocks a second by its specification.
   */
  uint64_t clock_hz;
  /*
   What filter it has.
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
   Probes of a key.
   */
  uint32_t hashes;
  /*
   Whether it takes items from the host.
   */
  bool has_item_port;
  /*
   Whether its hash has a secret.
   */
  bool is_keyed;
} BloomlineInfo;

/*
 An event, and how much of it.
 */
typedef struct BloomlineEvent {
  /*
   Which event.
   */
  enum BloomlineEventKind kind;
  /*
   How often, how many or for how many clocks, or which port; 0 where it says nothing.
   */
  uint64_t count;
} BloomlineEvent;

/*
 What a filter says of a key.
 */
typedef struct BloomlineVerdict {
  /*
   Sum of `BLOOMLINE_POSITIVE`, `BLOOMLINE_SEEN` and so on; other bits may come to mean something.
   */
  uint32_t flags;
  /*
   How often the key was inserted, in filters that count; else 0.
   */
  uint32_t estimate;
} BloomlineVerdict;

/*
 What the PHY of an Ethernet port tells of its link.
 */
typedef struct BloomlineLink {
  /*
   There is a link. The rest says nothing where there is none.
   */
  bool up;
  /*
   Both ends may send at once.
   */
  bool full_duplex;
  /*
   Its speed in megabits a second; 0 where the PHY tells of none that there is. Frames go at 1000 only.
   */
  uint32_t megabits;
} BloomlineLink;

/*
 What an array is made of.
 */
typedef struct BloomlineArray {
  /*
   Hash over everything that changes the gateware it came from.
   */
  uint64_t geometry_hash;
  /*
   32-bit words of a bank; bank 0 stands first, and the active half of a recycling filter before the frozen one.
   */
  uint64_t words_per_bank;
  /*
   Cells of a bank that probes go to: the first ones.
   */
  uint64_t range;
  /*
   The counter ITEMS before it was read, and after: the same where no item came meanwhile.
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
   Recycling filters: number of the active half, 0 or 1; else 0.
   */
  uint32_t active_half;
  /*
   Halves: 1 or 2 in a recycling filter, 1 in others.
   */
  uint32_t halves;
  /*
   Banks of a half.
   */
  uint32_t banks;
  /*
   Probes of a key.
   */
  uint32_t hashes;
  /*
   Bits of a cell; a word holds cells side by side, the first in its lowest bits.
   */
  uint32_t cell_bits;
  /*
   Cells of a word.
   */
  uint32_t cells_per_word;
  /*
   Whether its hash has a secret: then arrays filled under different secrets have nothing to say of each other.
   */
  bool is_keyed;
} BloomlineArray;

/*
 How many different keys a part of an array holds.
 */
typedef struct BloomlineEstimate {
  /*
   The most likely number; `UINT64_MAX` where every cell is above 0 and it cannot be told.
   */
  uint64_t keys;
  /*
   Least number that the array does not contradict.
   */
  uint64_t low;
  /*
   Greatest number that the array does not contradict; `UINT64_MAX` for no limit.
   */
  uint64_t high;
  /*
   Share of the cells of the part that are above 0.
   */
  double fill;
  /*
   Probability that a key which was never inserted is found, in whatever part.
   */
  double fresh_key_seen;
} BloomlineEstimate;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the binary interface that the library has; compare with `BLOOMLINE_ABI_VERSION` of the header.
 */
uint32_t bloomline_abi_version(void);

/*
 Opens the card that `url` names (`uart:/dev/ttyUSB0?baud=115200`, `etherbone:HOST:PORT`, `pcie:0000:03:00.0/2`) and takes it
 only if it is the filter of `design`: the manifest.json that `bloomline emit` wrote, or a specification that says its
 threshold. `*device` is the caller's until `bloomline_close`.

 # Safety
 `url` and `design` are texts; `device` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_open(const char *url,
                                    const char *design,
                                    struct BloomlineDevice **device);

/*
 Closes a card; a null pointer is left alone.

 # Safety
 `device` came from `bloomline_open`, was not closed, and no call with it is under way.
 */
void bloomline_close(struct BloomlineDevice *device);

/*
 Who the card is. Sends nothing.

 # Safety
 `device` is open; `info` leads to room.
 */
enum BloomlineStatus bloomline_info(const struct BloomlineDevice *device, struct BloomlineInfo *info);

/*
 The name of the filter; null for a null pointer. The device owns it; it stands until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_name(const struct BloomlineDevice *device);

/*
 The threshold in force: bits set or messages of one half, or the count from which a key is reported.

 # Safety
 `device` is open; `threshold` leads to room.
 */
enum BloomlineStatus bloomline_threshold(const struct BloomlineDevice *device, uint64_t *threshold);

/*
 Sets the threshold. BLOOMLINE_ARGUMENT for a value that the specification would refuse too.

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
 Hashes with a new secret of 16 bytes, the lowest first, from then on. A recycling filter of two phases keeps what its
 frozen half holds, unless `clear`; every other filter is emptied. The library keeps no copy of the secret.

 # Safety
 `device` is open; `secret` leads to 16 bytes.
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
 Recycles now, as the age of the active half would, and waits until the filter takes items again; recycling filters only.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_recycle(const struct BloomlineDevice *device);

/*
 How many counters the card has; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_counter_count(const struct BloomlineDevice *device);

/*
 The name of a counter in the register map (`ITEMS`, which all have, or `RECYCLES`), those around the filter behind whose they
 are (`LANE_0.FRAMES_UNSEEN`, `PORT_1.FRAMES_BAD_FCS`, `PATH.DROPPED`); null beyond the last. The device owns
 it; it stands until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_counter_name(const struct BloomlineDevice *device,
                                   size_t index);

/*
 Reads every counter into `values`, in the order of `bloomline_counter_name`; each is of one instant. `length` must be
 `bloomline_counter_count`.

 # Safety
 `device` is open; `values` leads to room for `length` numbers.
 */
enum BloomlineStatus bloomline_counters(const struct BloomlineDevice *device,
                                        uint64_t *values,
                                        size_t length);

/*
 Reads the counter of this name.

 # Safety
 `device` is open; `name` is a text; `value` leads to room.
 */
enum BloomlineStatus bloomline_counter(const struct BloomlineDevice *device,
                                       const char *name,
                                       uint64_t *value);

/*
 Reads the counters and says what happened since the last call with this device; nothing in the first. Nothing is missed in
 between, however long, and nothing is known of when. `events` has room for `BLOOMLINE_MOST_EVENTS`; `count` gets how many
 there are.

 # Safety
 `device` is open; `events` and `count` lead to room.
 */
enum BloomlineStatus bloomline_events(const struct BloomlineDevice *device,
                                      struct BloomlineEvent *events,
                                      size_t *count);

/*
 Offers `count` items one after the other and waits for each. `keys` are `count` times `key_bytes` bytes, one key behind the
 other, the lowest byte of each first; bits above the key's width must be 0. `operation` is a `BloomlineOperation` for all.
 `amounts`, where it is not null, are `count` amounts for a Count-Min sketch; else each is 1. `verdicts`, where it is not
 null, has room for `count` and gets the verdict of each item that was done, all 0 for plain inserts. `done`, where it is not
 null, gets how many were done: all, or where the call fails those before the item that failed, whose verdicts are written
 too; what lies behind them stays as it was. An item that fails with BLOOMLINE_UNCERTAIN may have been done besides. Every
 item is looked at before the first is sent.

 # Safety
 `device` is open; the others are null where they may be, or lead to as much as is said.
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
 Looks a key of `key_bytes` bytes up, the lowest first; changes nothing.

 # Safety
 `device` is open; `key` leads to so many bytes; `verdict` leads to room.
 */
enum BloomlineStatus bloomline_query(const struct BloomlineDevice *device,
                                     const uint8_t *key,
                                     size_t key_bytes,
                                     struct BloomlineVerdict *verdict);

/*
 Inserts a key.

 # Safety
 `device` is open; `key` leads to `key_bytes` bytes.
 */
enum BloomlineStatus bloomline_insert(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes);

/*
 Looks a key up and inserts it; the count of a counter includes it, every other verdict is of before.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_test_and_insert(const struct BloomlineDevice *device,
                                               const uint8_t *key,
                                               size_t key_bytes,
                                               struct BloomlineVerdict *verdict);

/*
 Takes one from every counter of a key; counting filters only.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_remove(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes,
                                      struct BloomlineVerdict *verdict);

/*
 How many packet paths the card has: 1 between two streams of frames, 2 on a line card (lane 0 from Ethernet port 0 to 1,
 lane 1 back), else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_lane_count(const struct BloomlineDevice *device);

/*
 How many Ethernet ports the card has: 2 on a line card, else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_port_count(const struct BloomlineDevice *device);

/*
 What happens to frames of a class (`BloomlineFrameClass`) in a lane: `*action` is a `BloomlineAction`, `*dscp` the mark,
 0 without one.

 # Safety
 `device` is open; `action` and `dscp` lead to room.
 */
enum BloomlineStatus bloomline_policy(const struct BloomlineDevice *device,
                                      size_t lane,
                                      uint32_t frame_class,
                                      uint32_t *action,
                                      uint8_t *dscp);

/*
 Sets what happens to frames of a class (`BloomlineFrameClass`) in a lane: a `BloomlineAction`, and the DSCP of a mark, 0 to
 63; without a mark `dscp` is 0.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_policy(const struct BloomlineDevice *device,
                                          size_t lane,
                                          uint32_t frame_class,
                                          uint32_t action,
                                          uint8_t dscp);

/*
 Whether keys of a lane's frames are inserted as they are looked up.

 # Safety
 `device` is open; `learn` leads to room.
 */
enum BloomlineStatus bloomline_learn(const struct BloomlineDevice *device, size_t lane, bool *learn);

/*
 Sets whether keys of a lane's frames are inserted as they are looked up, or looked up only.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_learn(const struct BloomlineDevice *device, size_t lane, bool learn);

/*
 Bytes of the longest frame of a lane that is not oversize, without FCS.

 # Safety
 `device` is open; `bytes` leads to room.
 */
enum BloomlineStatus bloomline_max_frame(const struct BloomlineDevice *device, size_t lane, uint32_t *bytes);

/*
 Sets the bytes of the longest frame of a lane that is not oversize, without FCS: 60 to 65535.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_max_frame(const struct BloomlineDevice *device,
                                             size_t lane,
                                             uint32_t bytes);

/*
 What the PHYs of a line card tell of their links, of one instant. `length` must be `bloomline_port_count`.

 # Safety
 `device` is open; `links` leads to room for `length`.
 */
enum BloomlineStatus bloomline_links(const struct BloomlineDevice *device,
                                     struct BloomlineLink *links,
                                     size_t length);

/*
 Reads the whole array, of every kind but sliding. With items coming in meanwhile some of them are in it and some are not; a
 recycling filter that recycles again and again meanwhile is BLOOMLINE_BUSY. `*snapshot` is the caller's
 until `bloomline_snapshot_free`.

 # Safety
 `device` is open; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot(const struct BloomlineDevice *device,
                                        struct BloomlineSnapshot **snapshot);

/*
 Writes a snapshot into the array, every word, and reads it back; a recycling filter is cleared first. All kinds but sliding.

 # Safety
 `device` is open; `snapshot` was not freed.
 */
enum BloomlineStatus bloomline_restore(const struct BloomlineDevice *device,
                                       const struct BloomlineSnapshot *snapshot);

/*
 Frees a snapshot; a null pointer is left alone.

 # Safety
 `snapshot` came from this library, was not freed, and no call with it is under way.
 */
void bloomline_snapshot_free(struct BloomlineSnapshot *snapshot);

/*
 Reads a snapshot file. `*snapshot` is the caller's until `bloomline_snapshot_free`.

 # Safety
 `file` is a text; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_load(const char *file, struct BloomlineSnapshot **snapshot);

/*
 Writes a snapshot file, whole or not at all.

 # Safety
 `snapshot` was not freed; `file` is a text.
 */
enum BloomlineStatus bloomline_snapshot_save(const struct BloomlineSnapshot *snapshot, const char *file);

/*
 What one filter would hold that had met the items of both: bits or-ed, counters added up to their greatest value.
 `*snapshot` is the caller's until `bloomline_snapshot_free`; `left` and `right` stay what they are.

 # Safety
 `left` and `right` were not freed; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_union(const struct BloomlineSnapshot *left,
                                              const struct BloomlineSnapshot *right,
                                              struct BloomlineSnapshot **snapshot);

/*
 Cell by cell the lesser of the two, for bits those set in both. Ownership as in `bloomline_snapshot_union`.

 # Safety
 As `bloomline_snapshot_union`.
 */
enum BloomlineStatus bloomline_snapshot_intersection(const struct BloomlineSnapshot *left,
                                                     const struct BloomlineSnapshot *right,
                                                     struct BloomlineSnapshot **snapshot);

/*
 What the array is made of.

 # Safety
 `snapshot` was not freed; `array` leads to room.
 */
enum BloomlineStatus bloomline_snapshot_array(const struct BloomlineSnapshot *snapshot,
                                              struct BloomlineArray *array);

/*
 The words of the array, bank 0 first, and how many there are in `*count`; null, and 0, for a null pointer. The snapshot owns
 them; they stand until it is freed.

 # Safety
 `snapshot` was not freed or is null; `count` leads to room or is null.
 */
const uint32_t *bloomline_snapshot_words(const struct BloomlineSnapshot *snapshot,
                                         size_t *count);

/*
 How many different keys a part of the array holds (`part` is a `BloomlinePart`), with an interval of `confidence`, between
 0 and 1. BLOOMLINE_ARGUMENT for a part that it has not, and for the whole of two halves whose hash has a secret: they may be
 under different ones.

 # Safety
 `snapshot` was not freed; `estimate` leads to room.
 */
enum BloomlineStatus bloomline_snapshot_estimate(const struct BloomlineSnapshot *snapshot,
                                                 uint32_t part,
                                                 double confidence,
                                                 struct BloomlineEstimate *estimate);

/*
 What went wrong in the last call of this thread that did not give BLOOMLINE_OK: what failed, where, expected and got, and
 the next step; an empty text before the first one. The library owns it; it stands until this thread's next call that fails.
 */
const char *bloomline_last_error(void);

/*
 What went wrong in the last call of this thread that did not give BLOOMLINE_OK: what failed, where, expected and got, and
 the next step; an empty text before the first one. The library owns it; it stands until this thread's next call that fails.
 */
const char *bloomline_last_error(void);

/*
 Opens the card that `url` names (`uart:/dev/ttyUSB0?baud=115200`, `etherbone:HOST:PORT`, `pcie:0000:03:00.0/2`) and takes it
 only if it is the filter of `design`: the manifest.json that `bloomline emit` wrote, or a specification that says its
 threshold. `*device` is the caller's until `bloomline_close`.

 # Safety
 `url` and `design` are texts; `device` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_open(const char *url,
                                    const char *design,
                                    struct BloomlineDevice **device);

/*
 Closes a card; a null pointer is left alone.

 # Safety
 `device` came from `bloomline_open`, was not closed, and no call with it is under way.
 */
void bloomline_close(struct BloomlineDevice *device);

/*
 Who the card is. Sends nothing.

 # Safety
 `device` is open; `info` leads to room.
 */
enum BloomlineStatus bloomline_info(const struct BloomlineDevice *device, struct BloomlineInfo *info);

/*
 The name of the filter; null for a null pointer. The device owns it; it stands until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_name(const struct BloomlineDevice *device);

/*
 The threshold in force: bits set or messages of one half, or the count from which a key is reported.

 # Safety
 `device` is open; `threshold` leads to room.
 */
enum BloomlineStatus bloomline_threshold(const struct BloomlineDevice *device, uint64_t *threshold);

/*
 Sets the threshold. BLOOMLINE_ARGUMENT for a value that the specification would refuse too.

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
 Hashes with a new secret of 16 bytes, the lowest first, from then on. A recycling filter of two phases keeps what its
 frozen half holds, unless `clear`; every other filter is emptied. The library keeps no copy of the secret.

 # Safety
 `device` is open; `secret` leads to 16 bytes.
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
 Recycles now, as the age of the active half would, and waits until the filter takes items again; recycling filters only.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_recycle(const struct BloomlineDevice *device);

/*
 How many counters the card has; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_counter_count(const struct BloomlineDevice *device);

/*
 The name of a counter in the register map (`ITEMS`, which all have, or `RECYCLES`), those around the filter behind whose they
 are (`LANE_0.FRAMES_UNSEEN`, `PORT_1.FRAMES_BAD_FCS`, `PATH.DROPPED`); null beyond the last. The device owns
 it; it stands until `bloomline_close`.

 # Safety
 `device` is open or null.
 */
const char *bloomline_counter_name(const struct BloomlineDevice *device,
                                   size_t index);

/*
 Reads every counter into `values`, in the order of `bloomline_counter_name`; each is of one instant. `length` must be
 `bloomline_counter_count`.

 # Safety
 `device` is open; `values` leads to room for `length` numbers.
 */
enum BloomlineStatus bloomline_counters(const struct BloomlineDevice *device,
                                        uint64_t *values,
                                        size_t length);

/*
 Reads the counter of this name.

 # Safety
 `device` is open; `name` is a text; `value` leads to room.
 */
enum BloomlineStatus bloomline_counter(const struct BloomlineDevice *device,
                                       const char *name,
                                       uint64_t *value);

/*
 Offers `count` items one after the other and waits for each. `keys` are `count` times `key_bytes` bytes, one key behind the
 other, the lowest byte of each first; bits above the key's width must be 0. `operation` is a `BloomlineOperation` for all.
 `amounts`, where it is not null, are `count` amounts for a Count-Min sketch; else each is 1. `verdicts`, where it is not
 null, has room for `count` and gets the verdict of each item that was done, all 0 for plain inserts. `done`, where it is not
 null, gets how many were done: all, or where the call fails those before the item that failed, whose verdicts are written
 too; what lies behind them stays as it was. An item that fails with BLOOMLINE_UNCERTAIN may have been done besides. Every
 item is looked at before the first is sent.

 # Safety
 `device` is open; the others are null where they may be, or lead to as much as is said.
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
 Looks a key of `key_bytes` bytes up, the lowest first; changes nothing.

 # Safety
 `device` is open; `key` leads to so many bytes; `verdict` leads to room.
 */
enum BloomlineStatus bloomline_query(const struct BloomlineDevice *device,
                                     const uint8_t *key,
                                     size_t key_bytes,
                                     struct BloomlineVerdict *verdict);

/*
 Inserts a key.

 # Safety
 `device` is open; `key` leads to `key_bytes` bytes.
 */
enum BloomlineStatus bloomline_insert(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes);

/*
 Looks a key up and inserts it; the count of a counter includes it, every other verdict is of before.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_test_and_insert(const struct BloomlineDevice *device,
                                               const uint8_t *key,
                                               size_t key_bytes,
                                               struct BloomlineVerdict *verdict);

/*
 Takes one from every counter of a key; counting filters only.

 # Safety
 As `bloomline_query`.
 */
enum BloomlineStatus bloomline_remove(const struct BloomlineDevice *device,
                                      const uint8_t *key,
                                      size_t key_bytes,
                                      struct BloomlineVerdict *verdict);

/*
 How many packet paths the card has: 1 between two streams of frames, 2 on a line card (lane 0 from Ethernet port 0 to 1,
 lane 1 back), else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_lane_count(const struct BloomlineDevice *device);

/*
 How many Ethernet ports the card has: 2 on a line card, else 0; 0 for a null pointer.

 # Safety
 `device` is open or null.
 */
size_t bloomline_port_count(const struct BloomlineDevice *device);

/*
 What happens to frames of a class (`BloomlineFrameClass`) in a lane: `*action` is a `BloomlineAction`, `*dscp` the mark,
 0 without one.

 # Safety
 `device` is open; `action` and `dscp` lead to room.
 */
enum BloomlineStatus bloomline_policy(const struct BloomlineDevice *device,
                                      size_t lane,
                                      uint32_t frame_class,
                                      uint32_t *action,
                                      uint8_t *dscp);

/*
 Sets what happens to frames of a class (`BloomlineFrameClass`) in a lane: a `BloomlineAction`, and the DSCP of a mark, 0 to
 63; without a mark `dscp` is 0.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_policy(const struct BloomlineDevice *device,
                                          size_t lane,
                                          uint32_t frame_class,
                                          uint32_t action,
                                          uint8_t dscp);

/*
 Whether keys of a lane's frames are inserted as they are looked up.

 # Safety
 `device` is open; `learn` leads to room.
 */
enum BloomlineStatus bloomline_learn(const struct BloomlineDevice *device, size_t lane, bool *learn);

/*
 Sets whether keys of a lane's frames are inserted as they are looked up, or looked up only.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_learn(const struct BloomlineDevice *device, size_t lane, bool learn);

/*
 Bytes of the longest frame of a lane that is not oversize, without FCS.

 # Safety
 `device` is open; `bytes` leads to room.
 */
enum BloomlineStatus bloomline_max_frame(const struct BloomlineDevice *device, size_t lane, uint32_t *bytes);

/*
 Sets the bytes of the longest frame of a lane that is not oversize, without FCS: 60 to 65535.

 # Safety
 `device` is open.
 */
enum BloomlineStatus bloomline_set_max_frame(const struct BloomlineDevice *device,
                                             size_t lane,
                                             uint32_t bytes);

/*
 What the PHYs of a line card tell of their links, of one instant. `length` must be `bloomline_port_count`.

 # Safety
 `device` is open; `links` leads to room for `length`.
 */
enum BloomlineStatus bloomline_links(const struct BloomlineDevice *device,
                                     struct BloomlineLink *links,
                                     size_t length);

/*
 Reads the counters and says what happened since the last call with this device; nothing in the first. Nothing is missed in
 between, however long, and nothing is known of when. `events` has room for `BLOOMLINE_MOST_EVENTS`; `count` gets how many
 there are.

 # Safety
 `device` is open; `events` and `count` lead to room.
 */
enum BloomlineStatus bloomline_events(const struct BloomlineDevice *device,
                                      struct BloomlineEvent *events,
                                      size_t *count);

/*
 Reads the whole array, of every kind but sliding. With items coming in meanwhile some of them are in it and some are not; a
 recycling filter that recycles again and again meanwhile is BLOOMLINE_BUSY. `*snapshot` is the caller's
 until `bloomline_snapshot_free`.

 # Safety
 `device` is open; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot(const struct BloomlineDevice *device,
                                        struct BloomlineSnapshot **snapshot);

/*
 Writes a snapshot into the array, every word, and reads it back; a recycling filter is cleared first. All kinds but sliding.

 # Safety
 `device` is open; `snapshot` was not freed.
 */
enum BloomlineStatus bloomline_restore(const struct BloomlineDevice *device,
                                       const struct BloomlineSnapshot *snapshot);

/*
 Frees a snapshot; a null pointer is left alone.

 # Safety
 `snapshot` came from this library, was not freed, and no call with it is under way.
 */
void bloomline_snapshot_free(struct BloomlineSnapshot *snapshot);

/*
 Reads a snapshot file. `*snapshot` is the caller's until `bloomline_snapshot_free`.

 # Safety
 `file` is a text; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_load(const char *file, struct BloomlineSnapshot **snapshot);

/*
 Writes a snapshot file, whole or not at all.

 # Safety
 `snapshot` was not freed; `file` is a text.
 */
enum BloomlineStatus bloomline_snapshot_save(const struct BloomlineSnapshot *snapshot, const char *file);

/*
 What one filter would hold that had met the items of both: bits or-ed, counters added up to their greatest value.
 `*snapshot` is the caller's until `bloomline_snapshot_free`; `left` and `right` stay what they are.

 # Safety
 `left` and `right` were not freed; `snapshot` leads to room for a pointer.
 */
enum BloomlineStatus bloomline_snapshot_union(const struct BloomlineSnapshot *left,
                                              const struct BloomlineSnapshot *right,
                                              struct BloomlineSnapshot **snapshot);

/*
 Cell by cell the lesser of the two, for bits those set in both. Ownership as in `bloomline_snapshot_union`.

 # Safety
 As `bloomline_snapshot_union`.
 */
enum BloomlineStatus bloomline_snapshot_intersection(const struct BloomlineSnapshot *left,
                                                     const struct BloomlineSnapshot *right,
                                                     struct BloomlineSnapshot **snapshot);

/*
 What the array is made of.

 # Safety
 `snapshot` was not freed; `array` leads to room.
 */
enum BloomlineStatus bloomline_snapshot_array(const struct BloomlineSnapshot *snapshot,
                                              struct BloomlineArray *array);

/*
 The words of the array, bank 0 first, and how many there are in `*count`; null, and 0, for a null pointer. The snapshot owns
 them; they stand until it is freed.

 # Safety
 `snapshot` was not freed or is null; `count` leads to room or is null.
 */
const uint32_t *bloomline_snapshot_words(const struct BloomlineSnapshot *snapshot,
                                         size_t *count);

/*
 How many different keys a part of the array holds (`part` is a `BloomlinePart`), with an interval of `confidence`, between
 0 and 1. BLOOMLINE_ARGUMENT for a part that it has not, and for the whole of two halves whose hash has a secret: they may be
 under different ones.

 # Safety
 `snapshot` was not freed; `estimate` leads to room.
 */
enum BloomlineStatus bloomline_snapshot_estimate(const struct BloomlineSnapshot *snapshot,
                                                 uint32_t part,
                                                 double confidence,
                                                 struct BloomlineEstimate *estimate);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLOOMLINE_H */
