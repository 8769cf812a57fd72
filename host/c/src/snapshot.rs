//! Snapshots: the memory array of a filter, read, written, stored, combined, and estimates from it.

use crate::checks::{call, path, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::{Snapshot, SnapshotError};
use bloomline_spec::HalfRole;
use std::ffi::c_char;

/// Snapshot of the array of a filter. It is immutable: every call with it only reads it.
#[derive(Debug)]
pub struct BloomlineSnapshot(Snapshot);

/// Layout and origin of an array.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineArray {
    /// Hash over all parameters of the gateware that it came from.
    pub geometry_hash: u64,
    /// 32-bit words of a bank. Bank 0 comes first, and the active half of a recycling filter before the frozen half.
    pub words_per_bank: u64,
    /// Cells of a bank that probes can address, from the first one on.
    pub range: u64,
    /// The counter ITEMS before the array was read. It equals `items_after` if no item came meanwhile. Of a union or
    /// intersection the sum over both arrays, which then tells of no instant.
    pub items_before: u64,
    /// See `items_before`.
    pub items_after: u64,
    /// Recycling filters: register THRESHOLD when it was read; else 0.
    pub threshold: u64,
    /// Recycling filters: counter RECYCLES when it was read; else 0.
    pub recycles: u64,
    /// Recycling filters: register MESSAGES after it was read; else 0.
    pub messages: u32,
    /// Recycling filters: index of the active half, 0 or 1; else 0.
    pub active_half: u32,
    /// Halves of a recycling filter, 1 or 2; panes of a counting filter over a window, 2; else 1.
    pub halves: u32,
    /// Banks of a half.
    pub banks: u32,
    /// Number of hash functions (probes of a key).
    pub hashes: u32,
    /// Bits of a cell; a word holds several cells, the first in its lowest bits.
    pub cell_bits: u32,
    /// Cells of a word.
    pub cells_per_word: u32,
    /// Whether its hash function uses a secret. Arrays that were filled under different secrets cannot be combined or compared.
    pub is_keyed: bool,
}

/// A part of an array.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlinePart {
    /// The whole array; of two halves or panes the union, each key counted once.
    BLOOMLINE_WHOLE = 0,
    /// The active half of a recycling filter, or pane of a counting filter over a window.
    BLOOMLINE_ACTIVE_HALF = 1,
    /// The frozen half of a recycling filter, or pane of a counting filter over a window.
    BLOOMLINE_FROZEN_HALF = 2,
}

/// Estimated number of different keys in a part of an array.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineEstimate {
    /// The most likely number; `UINT64_MAX` if every cell is above 0, so that there is no estimate.
    pub keys: u64,
    /// Lower end of the confidence interval.
    pub low: u64,
    /// Upper end of the confidence interval; `UINT64_MAX` for no limit.
    pub high: u64,
    /// Share of the part's cells that are above 0.
    pub fill: f64,
    /// False-positive rate: probability that a key that was never inserted is found, in any part.
    pub fresh_key_seen: f64,
}

/// What two arrays of one geometry have in common.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineSimilarity {
    /// Estimated number of different keys in the first array.
    pub left: f64,
    /// Keys in the second array.
    pub right: f64,
    /// Keys in both together, each counted once.
    pub either: f64,
    /// Estimated number of keys in both.
    pub common: f64,
    /// Lower end of its confidence interval.
    pub common_low: f64,
    /// Upper end of its confidence interval.
    pub common_high: f64,
    /// Jaccard index, from 0 to 1: keys in both over keys in either.
    pub jaccard: f64,
    /// Lower end of its confidence interval.
    pub jaccard_low: f64,
    /// Upper end of its confidence interval.
    pub jaccard_high: f64,
    /// Cells above 0 in both arrays.
    pub overlap: u64,
    /// Expected number of such cells of arrays without a common key.
    pub overlap_by_chance: f64,
    /// Standard deviation of that number.
    pub overlap_deviation: f64,
}

/// Passes ownership of a snapshot to the caller.
///
/// # Safety
/// As [`write`].
unsafe fn give(place: *mut *mut BloomlineSnapshot, snapshot: Snapshot) -> Result<(), Failure> {
    let boxed = Box::into_raw(Box::new(BloomlineSnapshot(snapshot)));
    // SAFETY: the caller's promise; every caller looked for a null pointer before.
    unsafe { write(place, "snapshot", boxed) }
}

/// Reads the whole array of any kind of filter but sliding. Of the items that arrive meanwhile the snapshot has some and lacks
/// others. Returns BLOOMLINE_BUSY if a recycling filter recycles repeatedly meanwhile. The caller releases `*snapshot` with
/// `bloomline_snapshot_free`.
///
/// # Safety
/// `device` is open; `snapshot` points to memory for a pointer.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot(
    device: *const BloomlineDevice,
    snapshot: *mut *mut BloomlineSnapshot,
) -> BloomlineStatus {
    call(|| {
        present(snapshot, "snapshot")?;
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        // SAFETY: the caller's promise.
        unsafe { give(snapshot, device.device.snapshot(|_| {})?) }
    })
}

/// Writes every word of a snapshot into the array and reads it back. A recycling filter is cleared first. Any kind but sliding.
///
/// # Safety
/// `device` is open; `snapshot` was not freed.
#[no_mangle]
pub unsafe extern "C" fn bloomline_restore(
    device: *const BloomlineDevice,
    snapshot: *const BloomlineSnapshot,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let (device, snapshot) =
            unsafe { (shared(device, "device")?, shared(snapshot, "snapshot")?) };
        Ok(device.device.restore(&snapshot.0, |_| {})?)
    })
}

/// Frees a snapshot. A null pointer is ignored.
///
/// # Safety
/// `snapshot` came from this library, was not freed, and no call is using it.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_free(snapshot: *mut BloomlineSnapshot) {
    if !snapshot.is_null() {
        call(|| {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(snapshot) });
            Ok(())
        });
    }
}

/// Reads a snapshot file. The caller releases `*snapshot` with `bloomline_snapshot_free`.
///
/// # Safety
/// `file` is a string; `snapshot` points to memory for a pointer.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_load(
    file: *const c_char,
    snapshot: *mut *mut BloomlineSnapshot,
) -> BloomlineStatus {
    call(|| {
        present(snapshot, "snapshot")?;
        // SAFETY: the caller's promise.
        unsafe { give(snapshot, Snapshot::load(path(file, "file")?)?) }
    })
}

/// Writes a snapshot file. If writing fails, an earlier file stays as it was.
///
/// # Safety
/// `snapshot` was not freed; `file` is a string.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_save(
    snapshot: *const BloomlineSnapshot,
    file: *const c_char,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let (snapshot, file) = unsafe { (shared(snapshot, "snapshot")?, path(file, "file")?) };
        Ok(snapshot.0.save(file)?)
    })
}

/// Combines two snapshots with `of`.
///
/// # Safety
/// `left` and `right` were not freed; `snapshot` points to memory for a pointer.
unsafe fn combine(
    left: *const BloomlineSnapshot,
    right: *const BloomlineSnapshot,
    snapshot: *mut *mut BloomlineSnapshot,
    of: impl FnOnce(&Snapshot, &Snapshot) -> Result<Snapshot, SnapshotError>,
) -> BloomlineStatus {
    call(|| {
        present(snapshot, "snapshot")?;
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (shared(left, "left")?, shared(right, "right")?) };
        // SAFETY: the caller's promise.
        unsafe { give(snapshot, of(&left.0, &right.0)?) }
    })
}

/// Union of two snapshots, the array of a filter that had received the items of both: bits are or-ed, counters added with
/// saturation. The caller releases `*snapshot` with `bloomline_snapshot_free`; `left` and `right` are unchanged.
///
/// # Safety
/// `left` and `right` were not freed; `snapshot` points to memory for a pointer.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_union(
    left: *const BloomlineSnapshot,
    right: *const BloomlineSnapshot,
    snapshot: *mut *mut BloomlineSnapshot,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe { combine(left, right, snapshot, Snapshot::union) }
}

/// Intersection of two snapshots: the smaller value of each cell, for bits those set in both. Ownership as in
/// `bloomline_snapshot_union`.
///
/// # Safety
/// As `bloomline_snapshot_union`.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_intersection(
    left: *const BloomlineSnapshot,
    right: *const BloomlineSnapshot,
    snapshot: *mut *mut BloomlineSnapshot,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe { combine(left, right, snapshot, Snapshot::intersection) }
}

/// Gives the layout and origin of the array.
///
/// # Safety
/// `snapshot` was not freed; `array` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_array(
    snapshot: *const BloomlineSnapshot,
    array: *mut BloomlineArray,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let snapshot = &unsafe { shared(snapshot, "snapshot")? }.0;
        let shape = snapshot.shape();
        let [items_before, items_after] = snapshot.items();
        let cycle = snapshot.cycle().copied().unwrap_or_default();
        let of = BloomlineArray {
            geometry_hash: shape.geometry_hash,
            words_per_bank: shape.words_per_bank,
            range: shape.range,
            items_before,
            items_after,
            threshold: cycle.threshold,
            recycles: cycle.recycles,
            messages: cycle.messages,
            active_half: cycle.active_half,
            halves: shape.halves,
            banks: shape.banks,
            hashes: shape.hashes,
            cell_bits: shape.cell_bits,
            cells_per_word: shape.lanes(),
            is_keyed: shape.keyed,
        };
        // SAFETY: the caller's promise.
        unsafe { write(array, "array", of) }
    })
}

/// The words of the array, bank 0 first, and their number in `*count`; null and 0 for a null pointer. The words belong to the
/// snapshot and are valid until it is freed.
///
/// # Safety
/// `snapshot` was not freed or is null; `count` is null or points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_words(
    snapshot: *const BloomlineSnapshot,
    count: *mut usize,
) -> *const u32 {
    // SAFETY: the caller's promise.
    let words = unsafe { snapshot.as_ref() }.map(|snapshot| snapshot.0.words());
    if !count.is_null() {
        // SAFETY: the caller's promise.
        unsafe { count.write(words.map_or(0, <[u32]>::len)) };
    }
    words.map_or(std::ptr::null(), <[u32]>::as_ptr)
}

/// Estimates how many different keys a part of the array holds (`part` is a `BloomlinePart`), with a confidence interval of level
/// `confidence`, between 0 and 1. Returns BLOOMLINE_ARGUMENT for a part that the array lacks, and for the whole array of two halves
/// whose hash uses a secret, because the halves may have different secrets.
///
/// # Safety
/// `snapshot` was not freed; `estimate` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_estimate(
    snapshot: *const BloomlineSnapshot,
    part: u32,
    confidence: f64,
    estimate: *mut BloomlineEstimate,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let snapshot = &unsafe { shared(snapshot, "snapshot")? }.0;
        let got = snapshot.estimate(confidence)?;
        let half = |half| got.parts.iter().find(|part| part.half == Some(half));
        let wanted = match part {
            0 => got.whole(),
            1 => half(HalfRole::Active),
            2 => half(HalfRole::Frozen),
            _ => None,
        };
        let wanted = wanted.ok_or_else(|| {
            Failure::argument(format!(
                "part = {part}: the array of a {} filter with {} half or halves{} has no such part to count keys in; ask for another of BloomlinePart",
                snapshot.shape().kind,
                snapshot.shape().halves,
                if snapshot.shape().keyed { ", its hash keyed," } else { "" },
            ))
        })?;
        let of = BloomlineEstimate {
            keys: wanted.keys.items.unwrap_or(u64::MAX),
            low: wanted.keys.low,
            high: wanted.keys.high.unwrap_or(u64::MAX),
            fill: wanted.fill.iter().sum::<f64>() / wanted.fill.len() as f64,
            fresh_key_seen: got.fresh_key_seen,
        };
        // SAFETY: the caller's promise.
        unsafe { write(estimate, "estimate", of) }
    })
}

/// Estimates how many different keys two arrays of one geometry have in common, with confidence intervals of level `confidence`,
/// between 0 and 1; of a recycling filter the keys in either half. Arrays with a secret must have been filled under the same one.
/// Returns BLOOMLINE_ARGUMENT for another geometry, and if every cell of an array is above 0, which tells nothing of its keys.
///
/// # Safety
/// `left` and `right` were not freed; `similarity` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_snapshot_similarity(
    left: *const BloomlineSnapshot,
    right: *const BloomlineSnapshot,
    confidence: f64,
    similarity: *mut BloomlineSimilarity,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (shared(left, "left")?, shared(right, "right")?) };
        let found = left.0.similarity(&right.0, confidence)?.ok_or_else(|| {
            Failure::argument(
                "every cell of an array is above 0, which tells nothing of its keys; take snapshots earlier, or of larger filters"
                    .to_owned(),
            )
        })?;
        let of = BloomlineSimilarity {
            left: found.one,
            right: found.other,
            either: found.either,
            common: found.common.value,
            common_low: found.common.low,
            common_high: found.common.high,
            jaccard: found.jaccard.value,
            jaccard_low: found.jaccard.low,
            jaccard_high: found.jaccard.high,
            overlap: found.overlap,
            overlap_by_chance: found.overlap_by_chance,
            overlap_deviation: found.overlap_deviation,
        };
        // SAFETY: the caller's promise.
        unsafe { write(similarity, "similarity", of) }
    })
}
