//! The emitted filter in simulation behind its AXI4-Lite port, and the model beside it.

use bloomline_bench::filter::emitted_design;
use bloomline_bench::lockstep::Running;
use bloomline_bench::verilator::Initial;
use bloomline_driver::{Transport, TransportError, Within};
use bloomline_model::{Inputs, PipelineModel};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};
use bloomline_spec::{Key, Operation, RecyclingGeometry};
use bloomline_tests::simulation;

/// Clocks after which an access counts as unanswered; a write may wait for the one before to take effect.
const PATIENCE_CLOCKS: u32 = 10_000;

/// Places of the packed outputs.
struct Places {
    ready: usize,
    awready: usize,
    bvalid: usize,
    bresp: usize,
    arready: usize,
    rvalid: usize,
    rdata: usize,
    rresp: usize,
}

/// A filter in simulation, one access at a time.
pub struct Link {
    sim: Running,
    /// Given the same inputs on every clock.
    pub model: PipelineModel,
    key_bits: u32,
    places: Places,
    inputs: Inputs,
    packed: Vec<u64>,
    outputs: Vec<u64>,
}

impl Link {
    /// The filter of `geometry`, after a reset, running.
    pub fn new(geometry: &RecyclingGeometry) -> Link {
        let (design, _) = emitted_design(geometry).expect("it emits");
        let place = |name: &str| design.word_of(name).expect("a port of the filter");
        let mut link = Link {
            sim: simulation(&design)
                .open(Initial::Random(7))
                .expect("it opens"),
            model: PipelineModel::new(geometry),
            key_bits: geometry.key_bits(),
            places: Places {
                ready: place("s_item_tready"),
                awready: place("s_axil_awready"),
                bvalid: place("s_axil_bvalid"),
                bresp: place("s_axil_bresp"),
                arready: place("s_axil_arready"),
                rvalid: place("s_axil_rvalid"),
                rdata: place("s_axil_rdata"),
                rresp: place("s_axil_rresp"),
            },
            inputs: Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            },
            packed: vec![0; design.input_words()],
            outputs: vec![0; design.output_words()],
        };
        link.reset();
        link
    }

    /// Two clocks of reset, then until items are taken.
    pub fn reset(&mut self) {
        self.inputs.reset = true;
        self.clock();
        self.clock();
        self.inputs.reset = false;
        self.until(|link| link.places.ready)
            .expect("the filter runs after reset");
    }

    /// Offers items until each was taken; the verdict stream is held up for `hold` clocks first, then for none.
    pub fn items(&mut self, keys: &[Key], hold: u32) {
        self.inputs.m_verdict_tready = false;
        let mut held = 0;
        for key in keys {
            self.inputs.set_key(key);
            self.inputs.s_item_tvalid = true;
            self.inputs.s_item_tuser = Operation::TestAndInsert.code().into();
            loop {
                self.clock();
                held += 1;
                self.inputs.m_verdict_tready = held >= hold;
                if self.shows(self.places.ready) {
                    break;
                }
            }
        }
        self.inputs.s_item_tvalid = false;
        self.idle();
    }

    /// Clocks until nothing moves any more: items are decided, every word is refreshed.
    pub fn idle(&mut self) {
        (0..200).for_each(|_| self.clock());
        while !self.model.status().covered {
            self.clock();
        }
    }

    fn clock(&mut self) {
        self.inputs.pack(self.key_bits, &mut self.packed);
        self.sim
            .step(&self.packed, &mut self.outputs)
            .expect("the model runs");
        self.model.clock(&self.inputs);
    }

    fn shows(&self, place: usize) -> bool {
        self.outputs[place] == 1
    }

    /// Clocks until the output of one bit shows; `None` when it does not.
    fn until(&mut self, place: impl Fn(&Link) -> usize) -> Option<()> {
        (0..PATIENCE_CLOCKS).find_map(|_| {
            self.clock();
            self.shows(place(self)).then_some(())
        })
    }

    /// Response and data of a read, any byte address; `None` without an answer.
    pub fn raw_read(&mut self, address: u8) -> Option<(u32, u32)> {
        self.inputs.s_axil_arvalid = true;
        self.inputs.s_axil_araddr = address;
        self.inputs.s_axil_rready = true;
        let taken = self.until(|link| link.places.arready);
        self.inputs.s_axil_arvalid = false;
        taken?;
        self.until(|link| link.places.rvalid)?;
        let answer = (
            self.outputs[self.places.rresp],
            self.outputs[self.places.rdata],
        );
        self.inputs.s_axil_rready = false;
        Some((answer.0 as u32, answer.1 as u32))
    }

    /// Response of a write, any byte address and strobes; `None` without an answer.
    pub fn raw_write(&mut self, address: u8, data: u32, strobes: u8) -> Option<u32> {
        self.inputs.s_axil_awvalid = true;
        self.inputs.s_axil_wvalid = true;
        self.inputs.s_axil_awaddr = address;
        self.inputs.s_axil_wdata = data;
        self.inputs.s_axil_wstrb = strobes;
        self.inputs.s_axil_bready = true;
        let taken = self.until(|link| link.places.awready);
        self.inputs.s_axil_awvalid = false;
        self.inputs.s_axil_wvalid = false;
        taken?;
        self.until(|link| link.places.bvalid)?;
        self.inputs.s_axil_bready = false;
        Some(self.outputs[self.places.bresp] as u32)
    }
}

/// What a response means to a driver.
fn judged<T>(answer: Option<(u32, T)>, address: u32, within: Within) -> Result<T, TransportError> {
    match answer {
        None => Err(TransportError::Timeout { address, within }),
        Some((RESPONSE_OKAY, value)) => Ok(value),
        Some((RESPONSE_SLVERR, _)) => Err(TransportError::Refused { address }),
        Some((RESPONSE_DECERR, _)) => Err(TransportError::NoRegister { address }),
        Some((response, _)) => {
            panic!("response {response} at 0x{address:03X} is none of the contract")
        }
    }
}

impl Transport for Link {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        let answer = self.raw_read(address as u8);
        judged(answer, address, within)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        let answer = self
            .raw_write(address as u8, value, 15)
            .map(|response| (response, ()));
        judged(answer, address, within)
    }
}
