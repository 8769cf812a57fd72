use super::axi_lite::{AxiLite, RegisterValues, Waits};
use super::next_secret::NextSecret;
use super::ports::Inputs;
use super::status::Status;
use bloomline_spec::registers::{address, field, RegisterMap};
use bloomline_spec::RecyclingGeometry;

/// The registers of a recycling filter: the AXI4-Lite slave, the writable registers, and what is pending.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    axi: AxiLite,
    keyed: bool,
    secret_per_half: bool,
    as_reset: Settings,
    settings: Settings,
    next_secret: NextSecret,
}

/// A secret that comes into force.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewSecret {
    pub secret: u128,
    /// For the active half alone; the frozen one stays under its own.
    pub for_one_half: bool,
}

/// What writes change.
#[derive(Debug, Clone, Copy)]
struct Settings {
    threshold: u32,
    max_age: u32,
    clear_pending: bool,
    /// Recycles; where a rekey clears, it is a clear that is pending.
    rekey_pending: bool,
    recycle_pending: bool,
    threshold_pending: bool,
    /// Bits are to be set in the array, and no slot has left for it; or one has, and is not done.
    set_due: bool,
    set_pending: bool,
    array_address: u32,
    array_data: u32,
    /// A word is to be fetched, and none is on its way.
    fetch_due: bool,
    /// A word is to be fetched or on its way.
    fetch_pending: bool,
    /// A restart was written, for one clock.
    restart_asked: bool,
}

/// What the pipeline reports to the registers in a clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reports {
    /// The sequencer has done what is pending.
    pub served: bool,
    /// A fetch was issued.
    pub fetching: bool,
    /// A set was issued.
    pub setting: bool,
    /// The word that a fetch found.
    pub fetched: Option<u32>,
}

/// The registers' values in one clock.
struct Values<'a> {
    keyed: bool,
    secret_per_half: bool,
    settings: &'a mut Settings,
    next_secret: &'a mut NextSecret,
    status: &'a Status,
}

impl Registers {
    pub fn new(geometry: &RecyclingGeometry) -> Registers {
        let as_reset = Settings {
            threshold: u32::try_from(geometry.threshold())
                .expect("a validated threshold fits 32 bits"),
            max_age: geometry.max_age_ticks(),
            clear_pending: false,
            rekey_pending: false,
            recycle_pending: false,
            threshold_pending: false,
            set_due: false,
            set_pending: false,
            array_address: 0,
            array_data: 0,
            fetch_due: false,
            fetch_pending: false,
            restart_asked: false,
        };
        Registers {
            keyed: geometry.hash().secret.is_some(),
            secret_per_half: geometry.has_secret_per_half(),
            axi: AxiLite::new(&RegisterMap::of(geometry)),
            as_reset,
            settings: as_reset,
            next_secret: NextSecret::new(geometry),
        }
    }

    /// The slave.
    pub fn axi(&self) -> &AxiLite {
        &self.axi
    }

    pub fn threshold(&self) -> u32 {
        self.settings.threshold
    }

    pub fn max_age(&self) -> u32 {
        self.settings.max_age
    }

    pub fn clear_pending(&self) -> bool {
        self.settings.clear_pending
    }

    pub fn rekey_pending(&self) -> bool {
        self.settings.rekey_pending
    }

    pub fn threshold_pending(&self) -> bool {
        self.settings.threshold_pending
    }

    pub fn recycle_pending(&self) -> bool {
        self.settings.recycle_pending
    }

    /// Bits were written that no slot has left for yet.
    pub fn set_due(&self) -> bool {
        self.settings.set_due
    }

    pub fn array_address(&self) -> u32 {
        self.settings.array_address
    }

    pub fn array_data(&self) -> u32 {
        self.settings.array_data
    }

    /// A restart of control logic was written.
    pub fn restart_asked(&self) -> bool {
        self.settings.restart_asked
    }

    pub fn fetch_due(&self) -> bool {
        self.settings.fetch_due
    }

    /// One clock without reset. `status` holds the read-only registers' values in this clock. Gives the secret that is in
    /// force from the next clock on, if it changes.
    pub fn clock(
        &mut self,
        inputs: &Inputs,
        reports: Reports,
        status: &Status,
    ) -> Option<NewSecret> {
        let settings = &mut self.settings;
        let waits = Waits {
            writes: settings.clear_pending
                || settings.rekey_pending
                || settings.recycle_pending
                || settings.threshold_pending
                || settings.set_pending
                || settings.fetch_pending,
            reads: settings.fetch_pending,
        };
        let fetched = reports.fetched;
        settings.restart_asked = false;
        settings.fetch_due &= !reports.fetching;
        settings.set_due &= !reports.setting;
        settings.fetch_pending &= fetched.is_none();
        let mut new_secret = None;
        if reports.served {
            let for_one_half = settings.rekey_pending && !settings.clear_pending;
            settings.clear_pending = false;
            settings.rekey_pending = false;
            settings.recycle_pending = false;
            settings.threshold_pending = false;
            settings.set_pending = false;
            new_secret = self.next_secret.cleared().map(|secret| NewSecret {
                secret,
                for_one_half,
            });
        }
        let mut values = Values {
            keyed: self.keyed,
            secret_per_half: self.secret_per_half,
            settings,
            next_secret: &mut self.next_secret,
            status,
        };
        self.axi.clock(inputs, waits, &mut values);
        if let Some(word) = fetched {
            self.settings.array_data = word;
        }
        new_secret
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.settings = self.as_reset;
        self.next_secret.reset();
        self.axi.reset();
    }
}

impl RegisterValues for Values<'_> {
    fn write(&mut self, offset: u32, value: u32) {
        match offset {
            address::THRESHOLD => {
                self.settings.threshold = value;
                self.settings.threshold_pending = true;
            }
            address::MAX_AGE => self.settings.max_age = value,
            address::ARRAY_ADDRESS => {
                self.settings.array_address = value;
                self.settings.fetch_due = true;
                self.settings.fetch_pending = true;
            }
            address::ARRAY_DATA => {
                self.settings.array_data = value;
                self.settings.set_due = true;
                self.settings.set_pending = true;
            }
            address::CONTROL => {
                let asks = |field: u32| value >> field & 1 == 1;
                let rekey = self.keyed && asks(field::CONTROL_REKEY);
                let rekey_clears = rekey && !self.secret_per_half;
                self.settings.clear_pending |= rekey_clears || asks(field::CONTROL_CLEAR);
                self.settings.recycle_pending |= asks(field::CONTROL_RECYCLE);
                self.settings.restart_asked = asks(field::CONTROL_RESTART);
                if rekey {
                    self.settings.rekey_pending = self.secret_per_half;
                    self.next_secret.rekey();
                }
            }
            _ if NextSecret::owns(offset) => self.next_secret.write(offset, value),
            _ => debug_assert!(
                false,
                "no other register of the map is writable: {offset:#x}"
            ),
        }
    }

    fn value(&self, offset: u32) -> u32 {
        match offset {
            address::STATUS => self.status.word(),
            address::THRESHOLD => self.settings.threshold,
            address::MAX_AGE => self.settings.max_age,
            address::BITS_ACTIVE => self.status.bits_active,
            address::BITS_FROZEN => self.status.bits_frozen,
            address::MESSAGES => self.status.messages,
            address::ARRAY_ADDRESS => self.settings.array_address,
            address::ARRAY_DATA => self.settings.array_data,
            _ => {
                debug_assert!(
                    false,
                    "no other register of the map has a value: {offset:#x}"
                );
                0
            }
        }
    }

    fn counter(&self, place: usize) -> u64 {
        self.status.counters[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::registers::RecyclingCounter;
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    /// Reads one address; the counters move on by one in every clock.
    fn read(registers: &mut Registers, status: &mut Status, byte_address: u32) -> u32 {
        let inputs = Inputs {
            s_axil_arvalid: true,
            s_axil_araddr: byte_address as u8,
            ..Inputs::default()
        };
        while registers.axi.read_response().is_none() {
            registers.clock(&inputs, Reports::default(), status);
            status.counters.iter_mut().for_each(|counter| *counter += 1);
        }
        let data = registers
            .axi
            .read_response()
            .expect("the loop ends with a response")
            .data;
        registers.clock(
            &Inputs {
                s_axil_rready: true,
                ..Inputs::default()
            },
            Reports::default(),
            status,
        );
        data
    }

    #[test]
    fn low_then_high_is_one_value_although_the_counter_carries_in_between() {
        let (file, text) = EXAMPLES[0];
        let mut seen = Vec::new();
        // between them they have all counters
        for sections in [
            "[memory]\nparity = \"count\"\n[protection]\nself_check = true",
            "[memory]\necc = true",
        ] {
            let sizing = FilterSpec::from_toml(&format!("{text}\n{sections}\n"), Path::new(file))
                .and_then(|spec| spec.validate())
                .expect("an example");
            let geometry = sizing.with_threshold(30_000).expect("legal");
            let mut registers = Registers::new(&geometry);
            for &counter in geometry.counters() {
                let mut carried_in_between = 0;
                for before_carry in 0..12 {
                    let start = (7 << 32) - before_carry;
                    let mut status = Status {
                        counters: [start; RecyclingCounter::ALL.len()],
                        ..Status::default()
                    };
                    let low = u64::from(read(&mut registers, &mut status, counter.address_lo()));
                    let high = u64::from(read(&mut registers, &mut status, counter.address_hi()));
                    // Sampled two clocks after the read was taken.
                    assert_eq!(high << 32 | low, start + 2, "{counter:?}");
                    carried_in_between +=
                        u32::from(high == 6 && status.counter(counter) >> 32 == 7);
                }
                assert!(carried_in_between > 0, "{counter:?}");
                seen.push(counter);
            }
        }
        for counter in RecyclingCounter::ALL {
            assert!(seen.contains(&counter), "{counter:?}");
        }
    }
}
