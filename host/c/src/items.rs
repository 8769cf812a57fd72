//! Keys in, verdicts out.

use crate::border::{call, many, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::{FlatVerdict, Item};
use bloomline_spec::{CellOperation, Key};

/// What an item asks for.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineOperation {
    /// Give a verdict, change nothing.
    BLOOMLINE_QUERY = 0,
    /// Insert; no verdict.
    BLOOMLINE_INSERT = 1,
    /// Insert and give a verdict: of before, but the count of a counter includes the item.
    BLOOMLINE_TEST_AND_INSERT = 2,
    /// Take one from every counter and give a verdict; counting filters only.
    BLOOMLINE_REMOVE = 3,
}

/// What a filter says of a key.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BloomlineVerdict {
    /// Sum of `BLOOMLINE_POSITIVE`, `BLOOMLINE_SEEN` and so on; other bits may come to mean something.
    pub flags: u32,
    /// How often the key was inserted, in filters that count; else 0.
    pub estimate: u32,
}

/// Flag: the key was seen; in filters that count, its count reaches the threshold.
pub const BLOOMLINE_POSITIVE: u32 = 1;
/// Flag: the key was there before the item.
pub const BLOOMLINE_SEEN: u32 = 2;
/// Flag of a recycling filter: in the active half.
pub const BLOOMLINE_IN_ACTIVE: u32 = 4;
/// Flag of a recycling filter: in the frozen half.
pub const BLOOMLINE_IN_FROZEN: u32 = 8;
/// Flag of a recycling filter: the item tripped a recycle.
pub const BLOOMLINE_TRIPPED: u32 = 16;
/// Flag of a counting filter: the item removed what was not there.
pub const BLOOMLINE_UNDERFLOW: u32 = 32;
/// Flag of filters that count: a counter of the key stands at its greatest value.
pub const BLOOMLINE_SATURATED: u32 = 64;
/// Flag of a sliding-window filter: there was no room for the key.
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

/// The operation of a number that may come from anywhere: C's enumerations hold any.
fn operation(number: u32) -> Result<CellOperation, Failure> {
    let of = |operation: &CellOperation| u32::from(operation.code()) == number;
    CellOperation::ALL.into_iter().find(of).ok_or_else(|| {
        Failure::argument(format!(
            "operation = {number}: must be one of BloomlineOperation, 0 to 3"
        ))
    })
}

/// Offers `count` items one after the other and waits for each. `keys` are `count` times `key_bytes` bytes, one key behind the
/// other, the lowest byte of each first; bits above the key's width must be 0. `operation` is a `BloomlineOperation` for all.
/// `amounts`, where it is not null, are `count` amounts for a Count-Min sketch; else each is 1. `verdicts`, where it is not
/// null, has room for `count` and gets the verdict of each item that was done, all 0 for plain inserts. `done`, where it is not
/// null, gets how many were done: all, or where the call fails those before the item that failed, whose verdicts are written
/// too; what lies behind them stays as it was. An item that fails with BLOOMLINE_UNCERTAIN may have been done besides. Every
/// item is looked at before the first is sent.
///
/// # Safety
/// `device` is open; the others are null where they may be, or lead to as much as is said.
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
        let bytes = key_bytes.checked_mul(count).ok_or_else(|| {
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
                key: Key::from_bytes(key, bits)?,
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

/// One item.
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

/// Looks a key of `key_bytes` bytes up, the lowest first; changes nothing.
///
/// # Safety
/// `device` is open; `key` leads to so many bytes; `verdict` leads to room.
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
/// `device` is open; `key` leads to `key_bytes` bytes.
#[no_mangle]
pub unsafe extern "C" fn bloomline_insert(
    device: *const BloomlineDevice,
    key: *const u8,
    key_bytes: usize,
) -> BloomlineStatus {
    // SAFETY: the caller's promise.
    unsafe { one(device, CellOperation::Insert, (key, key_bytes), None) }
}

/// Looks a key up and inserts it; the count of a counter includes it, every other verdict is of before.
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

/// Takes one from every counter of a key; counting filters only.
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
