//! Functions on a card: open, info, settings, counters, clear.

use crate::checks::{call, path, present, shared, text, write, Failure};
use crate::status::BloomlineStatus;
use bloomline_driver::{connect, counter_registers, Design, Device, Events, Link};
use bloomline_spec::FilterKind;
use std::ffi::{c_char, CString};
use std::time::Duration;

/// An open card.
pub struct BloomlineDevice {
    pub(crate) device: Device<Link>,
    pub(crate) events: Events,
    name: CString,
    counters: Vec<CString>,
}

// The header lets any thread call, also several at once.
const _: () = {
    const fn any_thread<T: Send + Sync>() {}
    any_thread::<BloomlineDevice>();
};

/// The kind of filter of a card.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineKind {
    /// Recycling Bloom filter: remembers recent keys.
    BLOOMLINE_RECYCLING = 0,
    /// Static Bloom filter: remembers a set of keys.
    BLOOMLINE_STATIC = 1,
    /// Counting filter: counts how often each key was inserted; keys can be removed.
    BLOOMLINE_COUNTING = 2,
    /// Count-Min sketch: sums an amount for each key.
    BLOOMLINE_COUNT_MIN = 3,
    /// Sliding-window filter: remembers the last n keys.
    BLOOMLINE_SLIDING = 4,
}

/// Identity of a card.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineInfo {
    /// Hash over everything that changes the gateware.
    pub geometry_hash: u64,
    /// Clock frequency of the specification, in hertz.
    pub clock_hz: u64,
    /// Kind of its filter.
    pub kind: BloomlineKind,
    /// Width of its keys in bits.
    pub key_bits: u32,
    /// Bytes of a key: `key_bits` divided by 8, rounded up.
    pub key_bytes: u32,
    /// Number of hash functions (probes of a key).
    pub hashes: u32,
    /// Whether the host can insert and query keys through it.
    pub has_item_port: bool,
    /// Whether its hash function uses a secret.
    pub is_keyed: bool,
}

/// What a card shows of itself. Numbers that its kind does not have are 0.
#[repr(C)]
pub struct BloomlineState {
    /// Whether the filter takes items: not while it comes out of configuration, reset or clear.
    pub running: bool,
    /// Whether the secret of the hash is still the specification's, as public as its seed; false without a secret.
    pub public_secret: bool,
    /// Which half is active, 0 or 1; of recycling filters.
    pub active_half: u32,
    /// Recycles of every cause, modulo 65536; of recycling filters.
    pub turns: u32,
    /// The present generation, modulo what its bits hold; of sliding windows.
    pub generation: u32,
}

/// Opens the card that `url` names (`uart:/dev/ttyUSB0`, at the rate of the design or of `?baud=115200`, `etherbone:HOST[:PORT]`, `pcie:0000:03:00.0/2`) and accepts
/// it only if its filter is that of `design`: the manifest.json that `bloomline emit` wrote, or a specification that states its
/// threshold. The caller releases `*device` with `bloomline_close`.
///
/// # Safety
/// `url` and `design` are strings; `device` points to memory for a pointer.
#[no_mangle]
pub unsafe extern "C" fn bloomline_open(
    url: *const c_char,
    design: *const c_char,
    device: *mut *mut BloomlineDevice,
) -> BloomlineStatus {
    call(|| {
        present(device, "device")?;
        // SAFETY: the caller's promise.
        let (url, design) = unsafe { (text(url, "url")?, path(design, "design")?) };
        let opened = connect(url, &Design::load(design)?)?;
        let design = opened.design();
        let name = |name: &str| CString::new(name).unwrap_or_default();
        let boxed = Box::new(BloomlineDevice {
            events: Events::default(),
            name: name(design.common().name()),
            counters: counter_registers(design)
                .iter()
                .map(|c| name(&c.to_string()))
                .collect(),
            device: opened,
        });
        // SAFETY: the caller's promise.
        unsafe { write(device, "device", Box::into_raw(boxed)) }
    })
}

/// Closes a card. A null pointer is ignored.
///
/// # Safety
/// `device` came from `bloomline_open`, was not closed, and no call is using it.
#[no_mangle]
pub unsafe extern "C" fn bloomline_close(device: *mut BloomlineDevice) {
    if !device.is_null() {
        call(|| {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(device) });
            Ok(())
        });
    }
}

/// Gives the identity of the card, without an access to it.
///
/// # Safety
/// `device` is open; `info` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_info(
    device: *const BloomlineDevice,
    info: *mut BloomlineInfo,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let design = unsafe { shared(device, "device")? }.device.design();
        let common = design.common();
        let of = BloomlineInfo {
            geometry_hash: design.geometry_hash(),
            clock_hz: common.clock_hz(),
            kind: match design.kind() {
                FilterKind::Recycling => BloomlineKind::BLOOMLINE_RECYCLING,
                FilterKind::Static => BloomlineKind::BLOOMLINE_STATIC,
                FilterKind::Counting => BloomlineKind::BLOOMLINE_COUNTING,
                FilterKind::CountMin => BloomlineKind::BLOOMLINE_COUNT_MIN,
                FilterKind::Sliding => BloomlineKind::BLOOMLINE_SLIDING,
            },
            key_bits: common.key_bits(),
            key_bytes: common.key_bits().div_ceil(8),
            hashes: common.hashes(),
            has_item_port: design.has_item_port(),
            is_keyed: design.is_keyed(),
        };
        // SAFETY: the caller's promise.
        unsafe { write(info, "info", of) }
    })
}

/// Reads what the card shows of itself: whether it runs, and whether its secret is public.
///
/// # Safety
/// `device` is open; `state` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_state(
    device: *const BloomlineDevice,
    state: *mut BloomlineState,
) -> BloomlineStatus {
    call(|| {
        present(state, "state")?;
        // SAFETY: the caller's promise.
        let status = unsafe { shared(device, "device")? }.device.status()?;
        let of = BloomlineState {
            running: status.running,
            public_secret: status.public_secret.unwrap_or_default(),
            active_half: status.active_half.unwrap_or_default(),
            turns: status.turns.unwrap_or_default(),
            generation: status.generation.unwrap_or_default(),
        };
        // SAFETY: the caller's promise.
        unsafe { write(state, "state", of) }
    })
}

/// The name of the filter; null for a null pointer. The string belongs to the device and is valid until `bloomline_close`.
///
/// # Safety
/// `device` is open or null.
#[no_mangle]
pub unsafe extern "C" fn bloomline_name(device: *const BloomlineDevice) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { device.as_ref() } {
        Some(device) => device.name.as_ptr(),
        None => std::ptr::null(),
    }
}

/// The current threshold: bits set or messages of one half, or the count from which a key is reported.
///
/// # Safety
/// `device` is open; `threshold` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_threshold(
    device: *const BloomlineDevice,
    threshold: *mut u64,
) -> BloomlineStatus {
    call(|| {
        present(threshold, "threshold")?;
        // SAFETY: the caller's promise.
        let got = unsafe { shared(device, "device")? }.device.threshold()?;
        // SAFETY: the caller's promise.
        unsafe { write(threshold, "threshold", got) }
    })
}

/// Sets the threshold. Returns BLOOMLINE_ARGUMENT for a value that a specification could not have.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_set_threshold(
    device: *const BloomlineDevice,
    threshold: u64,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        Ok(device.device.set_threshold(threshold)?)
    })
}

/// Sets the longest time that a half of a recycling filter stays active, in nanoseconds by the clock of the specification,
/// rounded down to ticks of 1024 clocks but at least one; 0 means no limit.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_set_max_age_ns(
    device: *const BloomlineDevice,
    nanoseconds: u64,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        device
            .device
            .set_max_age(Duration::from_nanos(nanoseconds))?;
        Ok(())
    })
}

/// Loads a new hash secret of 16 bytes, lowest byte first. A recycling filter of two phases keeps the contents of its
/// frozen half, unless `clear` is set; every other filter is emptied. The library keeps no copy of the secret.
///
/// # Safety
/// `device` is open; `secret` points to 16 bytes.
#[no_mangle]
pub unsafe extern "C" fn bloomline_rekey(
    device: *const BloomlineDevice,
    secret: *const u8,
    clear: bool,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let (device, secret) =
            unsafe { (shared(device, "device")?, shared(secret.cast(), "secret")?) };
        let secret = u128::from_le_bytes(*secret);
        match clear {
            true => device.device.clear_and_rekey(secret)?,
            false => device.device.rekey(secret)?,
        }
        Ok(())
    })
}

/// Empties the filter and waits until it takes items again. Counters stay.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_clear(device: *const BloomlineDevice) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        Ok(unsafe { shared(device, "device")? }.device.clear()?)
    })
}

/// Recycles now and waits until the filter takes items again. For recycling filters only.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_recycle(device: *const BloomlineDevice) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        Ok(unsafe { shared(device, "device")? }.device.recycle()?)
    })
}

/// Number of counters of the card; 0 for a null pointer.
///
/// # Safety
/// `device` is open or null.
#[no_mangle]
pub unsafe extern "C" fn bloomline_counter_count(device: *const BloomlineDevice) -> usize {
    // SAFETY: the caller's promise.
    unsafe { device.as_ref() }.map_or(0, |device| device.counters.len())
}

/// The name of a counter in the register map (`ITEMS`, which every card has, or `RECYCLES`); counters of packet paths and Ethernet
/// ports have a prefix (`LANE_0.FRAMES_UNSEEN`, `PORT_1.FRAMES_BAD_FCS`, `PATH.DROPPED`). Null beyond the last counter. The string
/// belongs to the device and is valid until `bloomline_close`.
///
/// # Safety
/// `device` is open or null.
#[no_mangle]
pub unsafe extern "C" fn bloomline_counter_name(
    device: *const BloomlineDevice,
    index: usize,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let device = unsafe { device.as_ref() };
    match device.and_then(|device| device.counters.get(index)) {
        Some(name) => name.as_ptr(),
        None => std::ptr::null(),
    }
}

/// Reads every counter into `values`, in the order of `bloomline_counter_name`. Each value is read at one instant; `length` must be
/// `bloomline_counter_count`.
///
/// # Safety
/// `device` is open; `values` points to memory for `length` numbers.
#[no_mangle]
pub unsafe extern "C" fn bloomline_counters(
    device: *const BloomlineDevice,
    values: *mut u64,
    length: usize,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        present(values, "values")?;
        if length != device.counters.len() {
            return Err(Failure::argument(format!(
                "length = {length}: the card has {} counters; give room for so many",
                device.counters.len()
            )));
        }
        for (place, (_, value)) in device.device.counters()?.iter().enumerate() {
            // SAFETY: the caller's promise; there are as many values as names.
            unsafe { values.add(place).write(value) };
        }
        Ok(())
    })
}

/// Reads one counter by its name.
///
/// # Safety
/// `device` is open; `name` is a string; `value` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_counter(
    device: *const BloomlineDevice,
    name: *const c_char,
    value: *mut u64,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let (device, name) = unsafe { (shared(device, "device")?, text(name, "name")?) };
        present(value, "value")?;
        let counters = counter_registers(device.device.design());
        let Some(&counter) = counters.iter().find(|counter| counter.to_string() == name) else {
            return Err(Failure::argument(format!(
                "name = `{name}`: the card has no such counter; bloomline_counter_name names those it has"
            )));
        };
        let got = device.device.counter(counter)?;
        // SAFETY: the caller's promise.
        unsafe { write(value, "value", got) }
    })
}
