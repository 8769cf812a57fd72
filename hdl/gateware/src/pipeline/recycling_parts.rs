//! Common parts of the recycling filters of every layout: ports, texts, places of registers and counters.

use crate::bus::{RegisterNames, RegisterPlan};
use crate::hash::HashUnit;
use crate::pipeline::{VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use bloomline_spec::registers::{RecyclingCounter, ADDRESS_BITS};
use bloomline_spec::{RecyclingGeometry, VERDICT_BITS};

/// Flags of a verdict, the highest bit first.
const VERDICT: &str = "tripped, in_frozen, in_active, seen";

/// The ports of a recycling filter.
pub fn ports(shape: &Shape) -> FilterPorts {
    let (verdict_bits, verdict) = (VERDICT_BITS as usize, format!("{{{VERDICT}}}"));
    let operation = "operation: 0 query, 1 insert, 2 test-and-insert";
    FilterPorts {
        reset: Wire::default().doc("synchronous, active high; empties the filter"),
        s_item: ItemStream::port(shape.key_bits, 2, shape.tag_bits, operation),
        m_verdict: VerdictStream::port(verdict_bits, shape.tag_bits, &verdict).queued(shape.queued),
        s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
    }
}

/// Its verdict queue.
pub fn verdict_queue(shape: &Shape) -> VerdictQueue {
    let depth = shape.queue_depth.max(LEAST_QUEUE);
    VerdictQueue::new(depth, shape.tag_bits, VERDICT_BITS as usize, VERDICT)
}

/// Its hash unit.
pub fn hash_unit(geometry: &RecyclingGeometry) -> HashUnit {
    let unit = HashUnit::new(geometry);
    match geometry.has_secret_per_half() {
        true => unit.with_secret_for_each_key(),
        false => unit,
    }
}

/// How it recycles, for the header of its module.
pub fn rule(shape: &Shape) -> String {
    format!(
        "{}-phase, recycles on {}{}",
        ["one", "two"][shape.frozen_halves()],
        match shape.on_messages {
            true => "bit-setting messages",
            false => "bits set",
        },
        match shape.retain {
            true => ", the tripping item retained",
            false => "",
        },
    )
}

/// Places of a recycling filter's registers and counters in its register file; those of counters that it lacks are none.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // the names are those of the register map
pub struct RecyclingPlaces {
    pub threshold: usize,
    pub max_age: usize,
    pub array_address: usize,
    pub array_data: usize,
    pub status: usize,
    pub bits_active: usize,
    pub bits_frozen: usize,
    pub messages: usize,
    pub control_errors: usize,
    pub ecc_corrected: usize,
    pub ecc_uncorrectable: usize,
}

impl RecyclingPlaces {
    /// Those of a filter called `block` in errors.
    pub fn of(block: &'static str, geometry: &RecyclingGeometry, plan: &RegisterPlan) -> Self {
        let counters = geometry.counters();
        let counter = |of: RecyclingCounter| {
            let place = counters.iter().position(|&counter| counter == of);
            place.unwrap_or(counters.len())
        };
        let mut names = RegisterNames::new(block, plan);
        let mut value = |built: bool, name| if built { names.value(name) } else { 0 };
        let access = geometry.has_array_logic();
        let threshold = value(true, "THRESHOLD");
        let max_age = value(geometry.has_max_age(), "MAX_AGE");
        let array_address = value(access, "ARRAY_ADDRESS");
        let array_data = value(access, "ARRAY_DATA");
        let mut fields = vec!["running", "active_half", "epoch"];
        fields.extend(["spare_epochs", "covered", "turns"]);
        fields.extend(geometry.hash().secret.map(|_| "public_secret"));
        let status = names.packed("STATUS", &fields);
        let [bits_active, bits_frozen, messages] = match geometry.has_count_registers() {
            true => ["BITS_ACTIVE", "BITS_FROZEN", "MESSAGES"].map(|name| names.live(name)),
            false => [0; 3],
        };
        names.finish();
        RecyclingPlaces {
            threshold,
            max_age,
            array_address,
            array_data,
            status,
            bits_active,
            bits_frozen,
            messages,
            control_errors: counter(RecyclingCounter::ControlErrors),
            ecc_corrected: counter(RecyclingCounter::EccCorrected),
            ecc_uncorrectable: counter(RecyclingCounter::EccUncorrectable),
        }
    }
}
