use super::admission::{Admission, Conditions, Stall};
use super::event::{SlidingDecision, SlidingEvent};
use super::filter::{Place, SlidingFilter, SlidingOutcome};
use super::memory::{
    CellBit, Places, SlidingMemory, Visit, READ_AHEAD, READ_STAGE, WRITE_BACK_STAGE,
};
use super::registers::{Registers, Values};
use super::scan::Scan;
use super::sequencer::{Actions, Sequencer};
use super::slot::{Content, Slot};
use super::status::{SlidingStatus, COUNTERS};
use crate::clocked::clocked;
use crate::error::ModelError;
use crate::flawed_words::Flaws;
use crate::pipeline::counters::Counters;
use crate::pipeline::outputs::outputs;
use crate::pipeline::ports::{Inputs, Outputs};
use crate::pipeline::slots::Slots;
use crate::pipeline::verdict_queue::{Verdict, VerdictQueue};
use crate::pipeline::Met;
use bloomline_spec::registers::{RegisterMap, SlidingCounter};
use bloomline_spec::{Operation, SlidingGeometry};

/// The gateware of a sliding-window filter, clock by clock: same ports, same values on every output that is compared.
///
/// `outputs` gives the ports' values in the present clock, a function of state only; `clock` takes the inputs of the
/// present clock and goes on to the next. The model starts as configured: the first clock is clock 0, as after reset.
///
/// ```
/// use bloomline_model::{Inputs, SlidingPipelineModel};
/// use bloomline_spec::{FilterSpec, SLIDING_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = SLIDING_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.sliding()?;
/// let mut model = SlidingPipelineModel::new(&geometry);
/// let mut item = Inputs { s_item_tvalid: true, s_item_tuser: 2, m_verdict_tready: true, ..Inputs::default() };
/// while !model.outputs().s_item_tready {
///     model.clock(&Inputs::default());
/// }
/// model.clock(&item);
/// item.s_item_tvalid = false;
/// let mut latency_clocks = 1;
/// while !model.outputs().m_verdict_tvalid {
///     model.clock(&item);
///     latency_clocks += 1;
/// }
/// let timing = geometry.timing();
/// assert_eq!(latency_clocks, timing.front_clocks + timing.decision_stage + 3);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SlidingPipelineModel {
    key_bits: u32,
    tag_bits: u32,
    /// Clocks from acceptance to the clock before positions are there (stage 0, or -2 with an error-correcting code), to the stage in which cells are read, to the age
    /// stage and to the decision stage.
    to_positions_less_one: u32,
    to_read: u32,
    to_age: u32,
    to_decision: u32,
    generation_items: u64,
    generation_mask: u32,
    now: u64,
    /// As the slots up to the decision stage leave it.
    filter: SlidingFilter,
    slots: Slots<Slot>,
    scan: Scan,
    /// As the slots up to the age stage leave it.
    generation: u32,
    elements: u64,
    sequencer: Sequencer,
    admission: Admission,
    registers: Registers,
    /// What memory holds cell by cell, where bits of it may flip.
    memory: Option<Box<SlidingMemory>>,
    /// What was wrong with cells that the slot in the decision stage of the last clock met.
    met: Met,
    decided: Option<Decided>,
    queue: VerdictQueue,
    counters: Counters<COUNTERS>,
    events: Option<Vec<SlidingEvent>>,
}

/// The register behind the decision stage, for an item.
#[derive(Debug, Clone, Copy)]
struct Decided {
    operation: Operation,
    tag: u64,
    outcome: SlidingOutcome,
}

impl Decided {
    /// Its verdict, if it wants one.
    fn answer(&self) -> Option<Verdict> {
        self.operation.has_verdict().then(|| Verdict {
            data: self.outcome.verdict.to_bits().into(),
            tag: self.tag,
        })
    }
}

clocked!(SlidingPipelineModel, SlidingEvent);

impl SlidingPipelineModel {
    /// The filter as configured.
    pub fn new(geometry: &SlidingGeometry) -> SlidingPipelineModel {
        let timing = geometry.timing();
        let buckets = geometry.front_buckets();
        SlidingPipelineModel {
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
            to_positions_less_one: timing.front_clocks - 1 - geometry.read_ahead_clocks(),
            to_read: timing.front_clocks + READ_STAGE,
            to_age: timing.front_clocks + timing.age_stage,
            to_decision: timing.front_clocks + timing.decision_stage,
            generation_items: geometry.generation_items(),
            generation_mask: u32::MAX >> (32 - geometry.generation_bits()),
            now: 0,
            filter: SlidingFilter::new(geometry),
            slots: Slots::new(Slot::EMPTY, timing.front_clocks + timing.write_stage),
            scan: Scan::new(
                buckets as usize,
                buckets * u64::from(geometry.scan_interval()),
            ),
            generation: 0,
            elements: 0,
            sequencer: Sequencer::new(timing.retire_clocks, buckets),
            admission: Admission::new(geometry.scan_interval(), timing.verdict_queue_depth),
            registers: Registers::new(&RegisterMap::of(geometry)),
            memory: None,
            met: Met::NOTHING,
            decided: None,
            queue: VerdictQueue::new(timing.verdict_queue_depth),
            counters: Counters::new(),
            events: None,
        }
    }

    /// As if every counter had counted so many events: for what takes years to come.
    pub fn set_past(&mut self, events: u64) {
        self.counters.set_past(events);
    }

    /// The filter as configured, with its memory cell by cell, of which bits can be flipped.
    pub fn with_memory(geometry: &SlidingGeometry) -> SlidingPipelineModel {
        SlidingPipelineModel {
            memory: Some(Box::new(SlidingMemory::new(geometry))),
            ..SlidingPipelineModel::new(geometry)
        }
    }

    /// A bit of memory flips as the present clock ends; a cell that is written in this clock is written over it. Does nothing to a
    /// model without memory ([`SlidingPipelineModel::with_memory`]).
    ///
    /// # Panics
    /// In the clock, when there is no such cell.
    pub fn flip(&mut self, bit: CellBit) {
        if let Some(memory) = &mut self.memory {
            memory.flip(bit);
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        self.memory
            .as_ref()
            .map_or(Flaws::default(), |memory| memory.flaws())
    }

    /// Values of the output ports in the present clock.
    pub fn outputs(&self) -> Outputs {
        let pushed = self.decided.and_then(|decided| decided.answer());
        let verdict = self.queue.offered(pushed);
        outputs(self.admission.ready(), verdict, self.registers.axi())
    }

    /// Ends the present clock, in which the inputs had these values.
    pub fn clock(&mut self, inputs: &Inputs) {
        let reset = inputs.reset;
        let status = match self.registers.axi().samples() {
            true => self.status(),
            false => SlidingStatus::default(),
        };
        let accepted = (inputs.s_item_tvalid && self.admission.ready() && !reset)
            .then(|| Operation::from_code(inputs.s_item_tuser as u8));
        let conditions = Conditions {
            running: self.sequencer.running(),
            clear_pending: self.registers.clear_pending(),
            accepted: accepted.is_some(),
            accepted_element: accepted.is_some_and(Operation::inserts),
            accepted_with_verdict: accepted.is_some_and(Operation::has_verdict),
            verdict_loaded: self.queue.loads(None, inputs.m_verdict_tready),
        };
        let actions = if reset {
            Actions::default()
        } else {
            self.sequencer.clock(conditions.clear_pending, false)
        };
        let push = self.decided.take();
        let scans = !reset && (actions.wipe || conditions.scans());

        self.enter(inputs, accepted, scans, actions.wipe);
        self.count(push);
        if reset {
            self.empty_front();
        }
        self.age();
        self.decide();
        self.end_memory(reset);

        if reset {
            self.reset();
        } else {
            if actions.restart {
                self.restart();
            }
            self.admission.clock(&conditions);
            self.queue.clock(
                push.and_then(|decided| decided.answer()),
                inputs.m_verdict_tready,
            );
            let values = Values {
                word: status.word(),
                counters: &status.counters,
            };
            self.registers.clock(inputs, actions.served, values);
        }
        self.now += 1;
    }

    /// Slots enter in every clock.
    fn enter(&mut self, inputs: &Inputs, accepted: Option<Operation>, scans: bool, wipes: bool) {
        let slot = self.slots.entered(self.now, 0);
        slot.content = if let Some(operation) = accepted {
            let words = self.key_bits.div_ceil(64) as usize;
            slot.tag = inputs.s_item_tid & (u64::MAX >> (64 - self.tag_bits));
            slot.probes = self
                .filter
                .hasher()
                .probes_of_words(&inputs.s_item_tdata[..words]);
            Content::Item(operation)
        } else if scans && wipes {
            Content::Wipe
        } else if scans {
            Content::Scan
        } else {
            Content::Empty
        };
    }

    /// With reset: every slot that has not reached the decision stage is emptied.
    fn empty_front(&mut self) {
        for clocks_ago in 0..self.to_decision {
            self.slots.entered(self.now, clocks_ago).content = Content::Empty;
        }
    }

    /// Elements are counted, and the scan meets its bucket, in the order of the slots.
    fn age(&mut self) {
        let slot = self.slots.entered(self.now, self.to_age);
        slot.generation = self.generation;
        match slot.content {
            Content::Item(operation) if operation.inserts() => {
                self.scan.element();
                self.elements += 1;
                if self.elements == self.generation_items {
                    self.elements = 0;
                    self.generation = (self.generation + 1) & self.generation_mask;
                }
            }
            Content::Scan | Content::Wipe => self.scan.visit(),
            Content::Item(_) | Content::Empty => {}
        }
    }

    fn decide(&mut self) {
        let slot = self.slots.entered(self.now, self.to_decision);
        let judged = self.memory.as_mut().map(|memory| {
            let visit = match slot.content {
                Content::Empty => None,
                Content::Item(operation) => Some(Visit::Item(operation)),
                Content::Scan => Some(Visit::Scan),
                Content::Wipe => Some(Visit::Wipe),
            };
            let positions = slot.positions().unwrap_or_default();
            memory.decide(self.now, visit, positions, slot.generation)
        });
        self.met = judged.map_or(Met::NOTHING, |(_, met)| met);
        let Content::Item(operation) = slot.content else {
            return;
        };
        let outcome = match judged {
            Some((outcome, _)) => outcome,
            None => self.filter.apply_probes(slot.probes.positions(), operation),
        };
        self.decided = Some(Decided {
            operation,
            tag: slot.tag,
            outcome,
        });
        if let Some(events) = &mut self.events {
            events.push(SlidingEvent::Item(SlidingDecision {
                accepted: self.now - u64::from(self.to_decision),
                decided: self.now,
                operation,
                tag: slot.tag,
                outcome,
            }));
        }
    }

    /// A scan whose position is about to be there takes its bucket, the slot in stage 1 reads, and the clock ends for memory.
    fn end_memory(&mut self, reset: bool) {
        let Some(memory) = &mut self.memory else {
            return;
        };
        let entering = self.slots.entered(self.now, self.to_positions_less_one);
        if reset {
            memory.reset();
        } else if matches!(entering.content, Content::Scan | Content::Wipe) {
            entering.address = memory.take_address();
        }
        let at_write_back = self.to_read - READ_STAGE + WRITE_BACK_STAGE;
        let writing_back = self.slots.entered(self.now, at_write_back).content;
        let places = Places {
            reading: self.slots.entered(self.now, self.to_read).positions(),
            sampling: self
                .slots
                .entered(self.now, self.to_read - READ_AHEAD)
                .positions(),
            writing_back: !reset && matches!(writing_back, Content::Item(_) | Content::Scan),
        };
        memory.end(self.now, places);
    }

    fn count(&mut self, decided: Option<Decided>) {
        let stall = self.admission.stall();
        let item = |of: fn(&SlidingOutcome) -> bool| decided.is_some_and(|d| of(&d.outcome));
        let happened = |counter| match counter {
            SlidingCounter::Items => decided.is_some(),
            SlidingCounter::Seen => item(|outcome| outcome.verdict.seen),
            SlidingCounter::Inserted => item(|outcome| outcome.inserted.is_some()),
            SlidingCounter::Back => item(|outcome| outcome.inserted == Some(Place::Back)),
            SlidingCounter::Stored => item(|outcome| outcome.inserted == Some(Place::Store)),
            SlidingCounter::Lost => item(|outcome| outcome.verdict.lost),
            SlidingCounter::StallScan => stall == Some(Stall::Scan),
            SlidingCounter::StallControl => stall == Some(Stall::Control),
            SlidingCounter::StallVerdict => stall == Some(Stall::Verdict),
            SlidingCounter::ParityErrors => self.met.wrong,
            SlidingCounter::EccCorrected => self.met.corrected,
            SlidingCounter::EccUncorrectable => self.met.uncorrectable,
        };
        let mut events = [false; COUNTERS];
        for counter in SlidingCounter::ALL {
            events[counter.place()] |= happened(counter);
        }
        self.counters.clock(events);
    }

    /// Elements count from 0 and every cell is stale: nothing is in flight, and the wipe comes before the next item.
    fn restart(&mut self) {
        self.filter.clear();
        self.scan.restart();
        self.generation = 0;
        self.elements = 0;
        if let Some(events) = &mut self.events {
            events.push(SlidingEvent::Clear);
        }
    }

    /// What reset does to the registers, at the end of a clock with reset. Memory does not reset: the sequencer wipes it
    /// before the next item comes.
    fn reset(&mut self) {
        self.generation = 0;
        self.elements = 0;
        self.scan.restart();
        self.decided = None;
        self.met = Met::NOTHING;
        self.counters.reset();
        self.sequencer.reset();
        self.admission.reset();
        self.queue.reset();
        self.registers.reset();
    }

    /// Values of the read-only registers in the present clock.
    pub fn status(&self) -> SlidingStatus {
        SlidingStatus {
            running: self.sequencer.running(),
            generation: self.generation,
            counters: self.counters.values(),
        }
    }

    /// The filter as the slots that have passed the decision stage leave it.
    pub fn filter(&self) -> &SlidingFilter {
        &self.filter
    }

    /// Whether the scan has kept its promise so far.
    ///
    /// # Errors
    /// The first [`ModelError::LateScan`].
    #[inline]
    pub fn check(&self) -> Result<(), ModelError> {
        self.scan.late().cloned().map_or(Ok(()), Err)
    }
}
