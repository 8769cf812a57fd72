use super::pins::{Pins, Place};
use bloomline_bench::lockstep::SimulatorError;
use bloomline_driver::{Transport, TransportError, Within};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};

/// Clocks of a simulated card in a second of a deadline, where its registers are behind AXI4-Lite: a clock counts as a
/// microsecond, about what a simulation takes for one. So whether an access is in time depends on the gateware alone, and the
/// computer takes about as long as the deadline says. Over a UART the clock is the specification's.
pub const CLOCKS_A_SECOND: u64 = 1_000_000;

/// The registers behind AXI4-Lite pins.
#[derive(Debug)]
pub(super) struct AxiRegisters {
    pub pins: Pins,
    ports: Ports,
    address_bits: u32,
}

#[derive(Debug, Clone, Copy)]
struct Ports {
    aw_valid: Place,
    aw_ready: Place,
    aw_address: Place,
    w_valid: Place,
    w_ready: Place,
    w_data: Place,
    b_valid: Place,
    b_ready: Place,
    b_response: Place,
    ar_valid: Place,
    ar_ready: Place,
    ar_address: Place,
    r_valid: Place,
    r_ready: Place,
    r_data: Place,
    r_response: Place,
}

/// What the device said to an access.
struct Answer {
    response: u32,
    data: u32,
}

impl AxiRegisters {
    /// The registers of a design with byte addresses of `address_bits` bits.
    pub fn new(mut pins: Pins, address_bits: u32) -> Result<AxiRegisters, SimulatorError> {
        let design = pins.design();
        let place = |port| design.place(port);
        let ports = Ports {
            aw_valid: place("s_axil_awvalid")?,
            aw_ready: place("s_axil_awready")?,
            aw_address: place("s_axil_awaddr")?,
            w_valid: place("s_axil_wvalid")?,
            w_ready: place("s_axil_wready")?,
            w_data: place("s_axil_wdata")?,
            b_valid: place("s_axil_bvalid")?,
            b_ready: place("s_axil_bready")?,
            b_response: place("s_axil_bresp")?,
            ar_valid: place("s_axil_arvalid")?,
            ar_ready: place("s_axil_arready")?,
            ar_address: place("s_axil_araddr")?,
            r_valid: place("s_axil_rvalid")?,
            r_ready: place("s_axil_rready")?,
            r_data: place("s_axil_rdata")?,
            r_response: place("s_axil_rresp")?,
        };
        let strobes = place("s_axil_wstrb")?;
        pins.drive(strobes, 0b1111);
        Ok(AxiRegisters {
            pins,
            ports,
            address_bits,
        })
    }

    /// Resets the device, which ends an access under way.
    pub fn reset(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        let ports = self.ports;
        for port in [
            ports.aw_valid,
            ports.w_valid,
            ports.b_ready,
            ports.ar_valid,
            ports.r_ready,
        ] {
            self.pins.drive(port, 0);
        }
        self.pins.reset(clocks)
    }

    /// Whether an access is on the pins.
    fn accessing(&self) -> bool {
        self.pins.driven(self.ports.b_ready) || self.pins.driven(self.ports.r_ready)
    }

    /// Runs until the access on the pins is answered; `None` if that is not so before the clock `until`.
    fn answer(&mut self, until: u64) -> Result<Option<Answer>, SimulatorError> {
        let (ports, pins) = (self.ports, &mut self.pins);
        while pins.clocks() < until {
            pins.clock()?;
            for (valid, ready) in [
                (ports.aw_valid, ports.aw_ready),
                (ports.w_valid, ports.w_ready),
                (ports.ar_valid, ports.ar_ready),
            ] {
                if pins.shows(ready) {
                    pins.drive(valid, 0);
                }
            }
            if pins.driven(ports.b_ready) && pins.shows(ports.b_valid) {
                pins.drive(ports.b_ready, 0);
                return Ok(Some(Answer {
                    response: pins.shown(ports.b_response) as u32,
                    data: 0,
                }));
            }
            if pins.driven(ports.r_ready) && pins.shows(ports.r_valid) {
                pins.drive(ports.r_ready, 0);
                return Ok(Some(Answer {
                    response: pins.shown(ports.r_response) as u32,
                    data: pins.shown(ports.r_data) as u32,
                }));
            }
        }
        Ok(None)
    }

    /// Makes an access: the value read, or 0 for a write.
    fn access(
        &mut self,
        address: u32,
        write: Option<u32>,
        within: Within,
    ) -> Result<u32, TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        if !address.is_multiple_of(4) || address >> self.address_bits != 0 {
            return Err(TransportError::NoRegister { address });
        }
        let until = self.pins.clocks().saturating_add(clocks_of(within));
        let broken = |error: SimulatorError| TransportError::Link {
            address,
            what: error.to_string(),
            source: None,
        };
        // An access that was late.
        if self.accessing() && self.answer(until).map_err(broken)?.is_none() {
            return Err(TransportError::Timeout { address, within });
        }
        let (ports, pins) = (self.ports, &mut self.pins);
        match write {
            Some(value) => {
                pins.drive(ports.aw_address, address.into());
                pins.drive(ports.w_data, value.into());
                pins.drive(ports.aw_valid, 1);
                pins.drive(ports.w_valid, 1);
                pins.drive(ports.b_ready, 1);
            }
            None => {
                pins.drive(ports.ar_address, address.into());
                pins.drive(ports.ar_valid, 1);
                pins.drive(ports.r_ready, 1);
            }
        }
        let answer = self.answer(until).map_err(broken)?;
        match (answer, write) {
            (Some(answer), _) => match answer.response {
                RESPONSE_OKAY => Ok(answer.data),
                RESPONSE_SLVERR => Err(TransportError::Refused { address }),
                RESPONSE_DECERR => Err(TransportError::NoRegister { address }),
                other => Err(TransportError::Link {
                    address,
                    what: format!("response {other}, which a register never gives"),
                    source: None,
                }),
            },
            (None, None) => Err(TransportError::Timeout { address, within }),
            (None, Some(value)) => Err(TransportError::Unknown {
                address,
                value,
                why: format!(
                    "no answer within {} clocks, and it may still be taken",
                    clocks_of(within)
                ),
            }),
        }
    }
}

impl Transport for AxiRegisters {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.access(address, None, within)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.access(address, Some(value), within).map(|_| ())
    }

    /// Its deadline is one count of clocks for the whole burst.
    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let start = self.pins.clocks();
        for (place, value) in (0u32..).zip(values) {
            let address = address.wrapping_add(4 * place);
            let left = within.saturating_sub(time_of(self.pins.clocks() - start));
            *value = self.read(address, left).map_err(|error| match error {
                TransportError::Timeout { address, .. } => {
                    TransportError::Timeout { address, within }
                }
                other => other,
            })?;
        }
        Ok(())
    }
}

/// Clocks in a time, one at least.
fn clocks_of(within: Within) -> u64 {
    let clocks = within.as_nanos() * u128::from(CLOCKS_A_SECOND) / 1_000_000_000;
    u64::try_from(clocks).unwrap_or(u64::MAX).max(1)
}

/// The time of so many clocks.
fn time_of(clocks: u64) -> Within {
    Within::from_nanos(clocks.saturating_mul(1_000_000_000 / CLOCKS_A_SECOND))
}
