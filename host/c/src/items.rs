//! Item functions: insert, query and remove keys, and their verdicts.

use crate::checks::{call, many, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::{FlatVerdict, Item};
use bloomline_spec::{CellOperation, Key};

/// Operation of an item.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineOperation {
    /// Query: returns a verdict and changes nothing.
    BLOOMLINE_QUERY = 0,
    /// Insert, without a verdict.
    BLOOMLINE_INSERT = 1,
    /// Test and insert: returns the verdict from before the insertion; the count of a counting filter includes the item.
    BLOOMLINE_TEST_AND_INSERT = 2,
    /// Remove: decrements every counter of the key and returns a verdict. Counting filters only.
    BLOOMLINE_REMOVE = 3,
}

/// Answer of a filter about a key.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BloomlineVerdict {
    /// Sum of `BLOOMLINE_POSITIVE`, `BLOOMLINE_SEEN` and so on; other bits are reserved.
    pub flags: u32,
    /// Estimated count of the key in filters that count; else 0.
    pub estimate: u32,
}

/// Flag: the key was seen; in filters that count, its count reaches the threshold.
pub const BLOOMLINE_POSITIVE: u32 = 1;
/// Flag: the filter held the key before the item.
pub const BLOOMLINE_SEEN: u32 = 2;
/// Flag of a recycling filter: the key was in the active half.
pub const BLOOMLINE_IN_ACTIVE: u32 = 4;
/// Flag of a recycling filter: the key was in the frozen half.
pub const BLOOMLINE_IN_FROZEN: u32 = 8;
/// Flag of a recycling filter: the item tripped a recycle.
pub const BLOOMLINE_TRIPPED: u32 = 16;
/// Flag of a counting filter: the removed key was not in the filter.
pub const BLOOMLINE_UNDERFLOW: u32 = 32;
/// Flag of filters that count: a counter of the key is at its greatest value.
pub const BLOOMLINE_SATURATED: u32 = 64;
/// Flag of a sliding-window filter: the table had no empty cell for the key.
pub const BLOOMLINE_LOST: u32 = 128;

const _: () = assert!(
    BLOOMLINE_POSITIVE == FlatVerdict::POSITIVE
        && BLOOMLINE_SEEN == FlatVerdict::SEEN
        && BLOOMLINE_IN_ACTIVE == FlatVerdict::IN_ACTIVE
        && BLOOMLINE_IN_FROZEN == FlatVerdict::IN_FROZEN
        && BLOOMLINE_TRIPPED == FlatVerdict::TRIPPED
        && BLOOMLINE_UNDERFLOW == FlatVerdict::UNDERFLOW
        && BLOOMLINE_SATURATED == FlatVerdict::SATURATED
        && BLOOMLINE_LOST == FlatVerdict::LOST,
    "the numbers of the header are those of the driver"
);

/// The operation for a number, which is checked because a C enumeration can hold any value.
fn operation(number: u32) -> Result<CellOperation, Failure> {
    let of = |operation: &CellOperation| u32::from(operation.code()) == number;
    CellOperation::ALL.into_iter().find(of).ok_or_else(|| {
        Failure::argument(format!(
            "operation = {number}: must be one of BloomlineOperation, 0 to 3"
        ))
    })
}

/// Sends `count` items one after the other and waits for each. `keys` holds `count` keys of `key_bytes` bytes, the lowest byte of
/// each first; bits above the key's width must be 0. `operation` is a `BloomlineOperation` and applies to all items. `amounts` is
/// null (each amount is 1) or holds `count` amounts for a Count-Min sketch. `verdicts` is null or has room for `count` verdicts;
/// plain inserts return all 0. `done` is null or receives the number of completed items: `count`, or, if the call fails, the number
/// before the failed item, whose verdicts are valid. An item that fails with BLOOMLINE_UNCERTAIN may have been carried out as well.
/// All items are checked before the first one is sent.
///
/// # Safety
/// `device` is open; the other pointers are null where that is allowed, or point to as many values as described.
#[no_mangle]
pub unsafe extern "C" fn bloomline_apply(
    device: *const BloomlineDevice,
    operation: u32,
    keys: *const u8,
    key_bytes: usize,
    count: usize,
    amounts: *const u32,
    verdicts: *mut BloomlineVerdict,
    done: *mut usize,
) -> BloomlineStatus {
    let mut finished = 0;
    let status = call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        let operation = self::operation(operation)?;
        let bytes = key_bytes.checked_mul(count);
        // No memory is longer: a negative number that became a size_t is.
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or_else(|| {
            Failure::argument(format!(
                "count = {count}, key_bytes = {key_bytes}: more than there is memory"
            ))
        })?;
        if key_bytes == 0 {
            return Err(Failure::argument(
                "key_bytes = 0: must be at least 1".into(),
            ));
        }
        // SAFETY: the caller's promise.
        let keys = unsafe { many(keys, bytes, "keys")? };
        let amounts = match amounts.is_null() {
            true => None,
            // SAFETY: the caller's promise.
            false => Some(unsafe { many(amounts, count, "amounts")? }),
        };
        let bits = device.device.design().common().key_bits();
        let item = |(place, key)| {
            Ok(Item {
                key: Key::from_bytes(key, bits).map_err(|error| error.at(place))?,
                operation,
                amount: amounts.map_or(1, |amounts| amounts[place]),
            })
        };
        let items = keys.chunks(key_bytes).enumerate().map(item);
        let items: Vec<Item> = items.collect::<Result<_, Failure>>()?;
        device.device.apply_all(&items, |got| {
            for (place, verdict) in got.iter().enumerate().skip(finished) {
                let flat = verdict.map(FlatVerdict::from).unwrap_or_default();
                if !verdicts.is_null() {
                    let flat = BloomlineVerdict {
                        flags: flat.flags,
                        estimate: flat.estimate,
                    };
                    // SAFETY: the caller's promise; no more items are done than the `count` that there is room for.
                    unsafe { verdicts.add(place).write(flat) };
                }
            }
            finished = got.len();
        })?;
        Ok(())
    });
    if !done.is_null() {
        // SAFETY: the caller's promise.
        unsafe { done.write(finished) };
    }
    status
}

/// Sends one item.
///
/// # Safety
/// As [`bloomline_apply`].
unsafe fn one(
    device: *const BloomlineDevice,
    operation: CellOperation,
    (key, key_bytes): (*const u8, usize),
    verdict: Option<*mut BloomlineVerdict>,
) -> BloomlineStatus {
    call(|| {
        if let Some(verdict) = verdict {
            present(verdict, "verdict")?;
        }
        // SAFETY: the caller's promise.
        let (device, key) = unsafe { (shared(device, "device")?, many(key, key_bytes, "key")?) };
        if key.is_empty() {
            return Err(Failure::argument(
                "key_bytes = 0: must be at least 1".into(),
            ));
        }
        let key = Key::from_bytes(key, device.device.design().common().key_bits())?;
        let got = device.device.apply(&Item::new(operation, key))?;
        match (verdict, got.map(FlatVerdict::from)) {
            (Some(verdict), Some(FlatVerdict { flags, estimate })) => {
                // SAFETY: the caller's promise.
                unsafe { write(verdict, "verdict", BloomlineVerdict { flags, estimate }) }
            }
            _ => Ok(()),
        }
    })
}

/// Queries a key of `key_bytes` bytes, lowest byte first; changes nothing.
///
/// # Safety
/// `device` is open; `key` points to `key_bytes` bytes; `verdict` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_query(
    device: *const BloomlineDevice,
    key: *const u8,
    key_bytes: usize,
    verdict: *mut BloomlineVerdict,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe {
        one(
            device,
            CellOperation::Query,
            (key, key_bytes),
            Some(verdict),
        )
    }
}

/// Inserts a key.
///
/// # Safety
/// `device` is open; `key` points to `key_bytes` bytes.
#[no_mangle]
pub unsafe extern "C" fn bloomline_insert(
    device: *const BloomlineDevice,
    key: *const u8,
    key_bytes: usize,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe { one(device, CellOperation::Insert, (key, key_bytes), None) }
}

/// Queries a key and inserts it. The verdict is from before the insertion; the count of a counting filter includes it.
///
/// # Safety
/// As `bloomline_query`.
#[no_mangle]
pub unsafe extern "C" fn bloomline_test_and_insert(
    device: *const BloomlineDevice,
    key: *const u8,
    key_bytes: usize,
    verdict: *mut BloomlineVerdict,
) -> BloomlineStatus {
    let operation = CellOperation::TestAndInsert;
    // SAFETY: the caller's promise.
    unsafe { one(device, operation, (key, key_bytes), Some(verdict)) }
}

/// Removes a key: decrements every counter of it. Counting filters only.
///
/// # Safety
/// As `bloomline_query`.
#[no_mangle]
pub unsafe extern "C" fn bloomline_remove(
    device: *const BloomlineDevice,
    key: *const u8,
    key_bytes: usize,
    verdict: *mut BloomlineVerdict,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe {
        one(
            device,
            CellOperation::Remove,
            (key, key_bytes),
            Some(verdict),
        )
    }
}
