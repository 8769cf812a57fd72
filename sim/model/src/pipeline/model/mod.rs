mod array;

use crate::clocked::clocked;
use crate::error::ModelError;
use crate::flawed_words::Flaws;
use crate::functional::RecyclingFilter;
use crate::pipeline::admission::{Admission, Conditions, Stall};
use crate::pipeline::ageing::Ageing;
use crate::pipeline::counters::Counters;
use crate::pipeline::epochs::Epochs;
use crate::pipeline::event::{Decision, Event, ForceCause};
use crate::pipeline::memory::{FilterMemory, MemoryBit, Met};
use crate::pipeline::outputs::outputs;
use crate::pipeline::ports::{Inputs, Outputs};
use crate::pipeline::registers::{Registers, Reports};
use crate::pipeline::sequencer::{Actions, Requests, Sequencer};
use crate::pipeline::slot::{Content, Slot};
use crate::pipeline::slots::Slots;
use crate::pipeline::status::Status;
use crate::pipeline::verdict_queue::{Verdict, VerdictQueue};
use crate::shared_array::{SharedArray, SharedArrayMemory};
use crate::spare_half::{AccessKind, SpareHalf};
use array::Addressing;
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{Layout, Operation, RecycleOn, RecyclingGeometry};

/// The recycling filter's gateware, clock by clock: same ports, same values on every output that is compared.
///
/// `outputs` gives the ports' values in the present clock, a function of state only; `clock` takes the inputs of the
/// present clock and goes on to the next. The model starts as configured: the first clock is clock 0, as after reset.
///
/// ```
/// use bloomline_model::{Inputs, PipelineModel};
/// use bloomline_spec::{FilterSpec, EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(30_000)?;
/// let mut model = PipelineModel::new(&geometry);
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
/// assert_eq!(latency_clocks, timing.front_clocks + timing.decision_stage + timing.verdict_clocks);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PipelineModel {
    key_bits: u32,
    tag_bits: u32,
    /// Clocks from the entry of a slot to the clock before stage 0 (on one array with an error-correcting code, before stage -2), to the decision stage, to the write stage and to the fetch
    /// stage.
    to_refresh: u32,
    to_decision: u32,
    to_write: u32,
    to_fetch: u32,
    addressing: Addressing,
    recycle_on: RecycleOn,
    now: u64,
    filter: RecyclingFilter,
    slots: Slots<Slot>,
    /// In the shared layout: what its one array does in each clock.
    shared_array: Option<SharedArray>,
    /// With a spare half: what is that half's, in the place of epochs.
    spare_half: Option<SpareHalf>,
    /// The item whose look entered in the last clock, and which enters in this one.
    looked: Option<Slot>,
    /// The clock in which a set entered whose bits have not been counted.
    set_entered: Option<u64>,
    epochs: Epochs,
    sequencer: Sequencer,
    admission: Admission,
    ageing: Ageing,
    registers: Registers,
    /// What memory holds word for word, where bits of it may flip.
    memory: Option<Box<FilterMemory>>,
    /// Memory of the shared layout, where bits of it may flip.
    shared_array_memory: Option<Box<SharedArrayMemory>>,
    /// What the look of the item behind it found in the frozen half.
    look_in_frozen: bool,
    /// What a slot that stood in stage 8 in the last clock met in memory; in the shared layout a read that stood in stage i + 5.
    met: Met,
    /// Queue and sequencer are restarted: they drain from here on.
    recover: bool,
    /// They do, and the queue is emptied when the sequencer loads.
    draining: bool,
    decided: Option<Decided>,
    /// The verdict goes to the queue in the clock of the decision, not a clock later.
    answers_at_once: bool,
    queue: VerdictQueue,
    counters: Counters<{ RecyclingCounter::ALL.len() }>,
    events: Option<Vec<Event>>,
}

/// The register behind the decision stage, for an item.
#[derive(Debug, Clone, Copy)]
struct Decided {
    verdict: Option<Verdict>,
    seen: bool,
    wrote: bool,
    tripped: bool,
}

clocked!(PipelineModel, Event);

impl PipelineModel {
    /// The filter as configured.
    pub fn new(geometry: &RecyclingGeometry) -> PipelineModel {
        let timing = geometry.timing();
        let answers_at_once = timing.verdict_clocks == 1 && timing.verdict_queue_depth > 0;
        let shared_ahead = match geometry.layout() {
            Layout::Partitioned => 0,
            Layout::Shared => geometry.read_ahead_clocks(),
        };
        PipelineModel {
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
            to_refresh: timing.front_clocks - 1 - shared_ahead,
            to_decision: timing.front_clocks + timing.decision_stage,
            to_write: timing.front_clocks + timing.write_stage,
            to_fetch: timing.front_clocks + timing.fetch_stage,
            addressing: Addressing::of(geometry),
            recycle_on: geometry.recycle_on(),
            now: 0,
            filter: RecyclingFilter::new(geometry),
            looked: None,
            set_entered: None,
            slots: Slots::new(
                Slot::EMPTY,
                timing.front_clocks + timing.write_stage + timing.write_clocks - 1,
            ),
            shared_array: SharedArray::of(geometry),
            spare_half: SpareHalf::of(geometry),
            epochs: Epochs::new(
                geometry.phases() as usize,
                geometry.banks() as usize,
                geometry.words_per_bank() as usize,
            ),
            sequencer: Sequencer::new(timing.retire_clocks, geometry.phases()),
            admission: Admission::new(geometry),
            ageing: Ageing::default(),
            registers: Registers::new(geometry),
            memory: None,
            shared_array_memory: None,
            look_in_frozen: false,
            met: Met::NOTHING,
            recover: false,
            draining: false,
            decided: None,
            answers_at_once,
            queue: match answers_at_once {
                true => VerdictQueue::new(timing.verdict_queue_depth).with_bypass(),
                false => VerdictQueue::new(timing.verdict_queue_depth),
            },
            counters: Counters::new(),
            events: None,
        }
    }

    /// The filter as configured, with its memory word for word, of which bits can be flipped. A filter with a spare half has no
    /// such model: it is as [`PipelineModel::new`] makes it.
    pub fn with_memory(geometry: &RecyclingGeometry) -> PipelineModel {
        let mut model = PipelineModel::new(geometry);
        if model.spare_half.is_some() {
            return model;
        }
        match geometry.layout() {
            Layout::Partitioned => model.memory = Some(Box::new(FilterMemory::new(geometry))),
            Layout::Shared => {
                model.shared_array_memory = Some(Box::new(SharedArrayMemory::new(geometry)))
            }
        }
        model
    }

    /// A bit of memory flips as the present clock ends; a word that is written in this clock is written over it. Does nothing to a
    /// model without memory ([`PipelineModel::with_memory`]).
    ///
    /// # Panics
    /// In the clock, when there is no such word.
    pub fn flip(&mut self, bit: MemoryBit) {
        if let Some(memory) = &mut self.memory {
            memory.flip(bit);
        }
        if let Some(memory) = &mut self.shared_array_memory {
            memory.flip(bit);
        }
    }

    /// As if every counter had counted so many events, as many of them turns, and every half were so many ticks old when it becomes active:
    /// for what takes years to come.
    pub fn set_past(&mut self, events: u64, ticks: u32) {
        self.epochs.set_past(events as u16);
        if let Some(spare_half) = &mut self.spare_half {
            spare_half.set_past(events as u16);
        }
        self.counters.set_past(events);
        self.ageing.set_past(ticks);
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        match (&self.memory, &self.shared_array_memory) {
            (Some(memory), _) => memory.flaws(),
            (None, Some(memory)) => memory.flaws(),
            (None, None) => Flaws::default(),
        }
    }

    /// Values of the output ports in the present clock.
    pub fn outputs(&self) -> Outputs {
        let pushed = self.decided.and_then(|decided| decided.verdict);
        let verdict = self.queue.offered(pushed);
        outputs(self.admission.ready(), verdict, self.registers.axi())
    }

    /// Ends the present clock, in which the inputs had these values.
    pub fn clock(&mut self, inputs: &Inputs) {
        let reset = inputs.reset;
        let covered = self.epochs.covered();
        let (blocked, forces_wait, accessing) = match &self.spare_half {
            Some(spare) => (
                spare.blocked(),
                spare.holds_forces(self.now),
                spare.accessing(),
            ),
            None => (self.epochs.blocked(), self.epochs.blocked(), false),
        };
        let count = self.held();
        let requests = Requests {
            clear_pending: self.registers.clear_pending(),
            rekey_pending: self.registers.rekey_pending(),
            recycle_pending: self.registers.recycle_pending(),
            threshold_pending: self.registers.threshold_pending(),
            set_due: self.registers.set_due(),
            age_due: self.ageing.due(),
        };
        let running = self.sequencer.running();
        let fetch_due = self.registers.fetch_due();
        let fetching =
            running && fetch_due && !self.admission.ready() && self.admission.still() && !reset;
        let operation = Operation::from_code(inputs.s_item_tuser as u8);
        let accepted = inputs.s_item_tvalid && self.admission.ready() && !reset;
        let accepted_for_two = accepted && self.filter.older_hasher().is_some();
        let registered = self.decided.take();
        let status = match self.registers.axi().samples() {
            true => self.status(),
            false => Status::default(),
        };

        let actions = if reset {
            Actions::default()
        } else {
            self.sequencer
                .clock(requests, forces_wait, accessing, self.recover)
        };
        self.enter(inputs, accepted, operation, actions, fetching);
        self.count(registered, actions);
        if let Some(shared_array) = &mut self.shared_array {
            shared_array.look(self.now, &mut self.slots);
        }
        if reset {
            self.empty_front();
        } else {
            self.refresh(covered);
        }
        if let Some(memory) = &mut self.memory {
            let epochs = &self.epochs;
            memory.look(
                self.now,
                epochs.phase(),
                epochs.epoch(),
                epochs.other_epoch(),
            );
        }
        let recycled = self.decide();
        let decided = match self.answers_at_once {
            true => self.decided,
            false => registered,
        };
        let verdict = decided.and_then(|decided| decided.verdict);
        let loads = self.queue.loads(verdict, inputs.m_verdict_tready);
        let fetched = match self.spare_half {
            Some(_) => self.access_bit(),
            None => {
                let fetched = self.fetch();
                self.add_bits();
                self.write();
                fetched
            }
        };
        self.end_memory();

        if reset {
            self.reset();
        } else {
            if actions.load_limit {
                self.filter
                    .set_threshold(u64::from(self.registers.threshold()));
                self.admission.load_limit(self.registers.threshold());
                if let Some(spare_half) = &mut self.spare_half {
                    spare_half.load_limit(self.registers.threshold());
                }
            }
            self.admission.clock(Conditions {
                open: running && !requests.any() && !fetch_due && !accessing && !self.recover,
                blocked,
                accepted,
                accepted_for_two,
                accepted_with_verdict: accepted && operation.has_verdict(),
                verdict_loaded: loads,
            });
            self.ageing.clock(self.registers.max_age(), recycled);
            self.queue.clock(verdict, inputs.m_verdict_tready);
            if self.draining && actions.load_limit {
                self.admission.restart();
                self.queue.restart();
            }
            self.draining = self.recover || (self.draining && !actions.load_limit);
            self.recover = self.registers.restart_asked();
            let reports = Reports {
                served: actions.served,
                fetching,
                setting: actions.set,
                fetched,
            };
            match self.registers.clock(inputs, reports, &status) {
                Some(new) if new.for_one_half => self.filter.set_active_secret(new.secret),
                Some(new) => self.filter.set_secret(new.secret),
                None => {}
            }
        }
        if let Some(spare_half) = &mut self.spare_half {
            spare_half.clock(self.now, count);
        }
        self.now += 1;
    }

    /// Bits set or messages of the active half, whichever the threshold counts.
    fn held(&self) -> u64 {
        match self.recycle_on {
            RecycleOn::BitsSet => self.filter.bits_active(),
            RecycleOn::Messages => self.filter.messages(),
        }
    }

    /// Slots enter in every clock; most clocks of an idle filter bring an empty one.
    fn enter(
        &mut self,
        inputs: &Inputs,
        accepted: bool,
        operation: Operation,
        actions: Actions,
        fetching: bool,
    ) {
        let slot = self.slots.entered(self.now, 0);
        if let Some(item) = self.looked.take() {
            *slot = item;
        } else if accepted {
            let words = self.key_bits.div_ceil(64) as usize;
            let key_words = &inputs.s_item_tdata[..words];
            slot.content = Content::Item(operation);
            slot.tag = inputs.s_item_tid & (u64::MAX >> (64 - self.tag_bits));
            slot.probes = self.filter.hasher().probes_of_words(key_words);
            if let Some(older) = self.filter.older_hasher() {
                self.looked = Some(*slot);
                slot.content = Content::Look;
                slot.probes = older.probes_of_words(key_words);
            }
        } else if let Some(spare_half) = &mut self.spare_half {
            slot.content = Content::Empty;
            match actions.force {
                Some(cause) => spare_half.force(self.now, cause),
                None if actions.set => spare_half.access(self.now, AccessKind::Set),
                None if fetching => spare_half.access(self.now, AccessKind::Fetch),
                None => {}
            }
        } else if let Some(cause) = actions.force {
            slot.content = Content::Force(cause);
        } else if actions.set {
            let (bank, word) = self.addressing.place(self.registers.array_address());
            let bits = self.registers.array_data();
            slot.content = Content::Set { bank, word, bits };
            self.set_entered = Some(self.now);
        } else if fetching {
            slot.content = Content::Fetch;
        } else {
            slot.content = Content::Empty;
        }
    }

    /// With reset: every slot that has not reached the decision stage is emptied.
    fn empty_front(&mut self) {
        self.looked = None;
        for clocks_ago in 0..self.to_decision {
            self.slots.entered(self.now, clocks_ago).content = Content::Empty;
        }
    }

    /// The slot about to enter the stage in which positions are there, if it is empty, refreshes a word while the active half is not covered.
    fn refresh(&mut self, covered: bool) {
        let slot = self.slots.entered(self.now, self.to_refresh);
        let setting = self.set_entered.is_some_and(|entered| {
            self.now > entered && self.now - entered <= self.to_fetch.into()
        });
        let free = self
            .shared_array
            .as_ref()
            .is_none_or(|shared_array| shared_array.free(self.now) && !setting);
        if self.spare_half.is_none() && !covered && free && matches!(slot.content, Content::Empty) {
            slot.content = Content::Refresh {
                address: self.epochs.take_refresh_address() as u32,
            };
        }
    }

    /// The slot in the decision stage does what the semantics say; true if it recycled.
    fn decide(&mut self) -> bool {
        let before = self.slots.entered(self.now, self.to_decision + 1);
        let look = matches!(before.content, Content::Look).then_some(before.probes);
        let slot = self.slots.entered(self.now, self.to_decision);
        let mut recycled = false;
        slot.stores = false;
        match slot.content {
            Content::Item(operation) => {
                let positions = slot.probes.positions();
                // Every item has a look that is decided while the secrets differ: nothing is in flight when they begin to.
                // One whose look has outlived the difference is probed at its own positions.
                let differ = look.is_some() && self.filter.older_hasher().is_some();
                let outcome = match (&mut self.memory, &mut self.shared_array_memory, &look) {
                    (Some(memory), _, _) => {
                        let outcome = memory.judge(
                            self.now,
                            slot.probes,
                            differ.then_some(self.look_in_frozen),
                            operation,
                            self.filter.threshold(),
                        );
                        if outcome.tripped {
                            self.filter.recycle();
                        }
                        outcome
                    }
                    (None, Some(memory), _) => {
                        let threshold = self.filter.threshold();
                        let outcome = memory.judge(self.now, slot.probes, operation, threshold);
                        if outcome.tripped {
                            self.filter.recycle();
                        }
                        outcome
                    }
                    (None, None, Some(look)) if self.filter.older_hasher().is_some() => self
                        .filter
                        .apply_under(positions, look.positions(), operation),
                    _ => self.filter.apply_probes(positions, operation),
                };
                recycled = outcome.tripped;
                slot.stores = outcome.stored;
                let verdict = Verdict {
                    data: outcome.flags().to_bits().into(),
                    tag: slot.tag,
                };
                self.decided = Some(Decided {
                    verdict: operation.has_verdict().then_some(verdict),
                    seen: outcome.seen(),
                    wrote: outcome.wrote(),
                    tripped: outcome.tripped,
                });
                if let Some(events) = &mut self.events {
                    let entered = self.now - u64::from(self.to_decision);
                    let accepted = entered - u64::from(look.is_some());
                    let decision = Decision {
                        accepted,
                        decided: self.now,
                        operation,
                        tag: slot.tag,
                        outcome,
                    };
                    events.push(Event::Item(decision));
                }
            }
            Content::Force(cause) => {
                if let Some(memory) = &mut self.memory {
                    memory.recycle(self.now);
                }
                if let Some(memory) = &mut self.shared_array_memory {
                    memory.recycle();
                }
                self.filter.recycle();
                recycled = true;
                if let Some(events) = &mut self.events {
                    events.push(Event::Force {
                        decided: self.now,
                        cause,
                    });
                }
            }
            Content::Look => {
                if let Some(memory) = &self.memory {
                    self.look_in_frozen = memory.in_frozen(self.now, slot.probes.positions());
                }
            }
            Content::Empty | Content::Refresh { .. } | Content::Fetch | Content::Set { .. } => {}
        }
        if let Some(spare_half) = &mut self.spare_half {
            if let Some(cause) = spare_half.forced(self.now) {
                self.filter.recycle();
                recycled = true;
                if let Some(events) = &mut self.events {
                    events.push(Event::Force {
                        decided: self.now,
                        cause,
                    });
                }
            }
            if recycled {
                spare_half.recycle(self.now);
            }
            return recycled;
        }
        slot.write = self.epochs.decide(self.now, recycled);
        recycled
    }

    fn count(&mut self, decided: Option<Decided>, actions: Actions) {
        let stall = self.admission.stall();
        let item = |of: fn(Decided) -> bool| decided.is_some_and(of);
        let events = RecyclingCounter::ALL.map(|counter| match counter {
            RecyclingCounter::Items => decided.is_some(),
            RecyclingCounter::Seen => item(|decided| decided.seen),
            RecyclingCounter::Inserted => item(|decided| decided.wrote),
            RecyclingCounter::Recycles => {
                item(|decided| decided.tripped) || actions.force.is_some_and(ForceCause::counts)
            }
            RecyclingCounter::StallControl => stall == Some(Stall::Control),
            RecyclingCounter::StallRecycle => stall == Some(Stall::Recycle),
            RecyclingCounter::StallVerdict => stall == Some(Stall::Verdict),
            RecyclingCounter::ParityErrors => self.met.wrong,
            RecyclingCounter::EccCorrected => self.met.corrected,
            RecyclingCounter::EccUncorrectable => self.met.uncorrectable,
            RecyclingCounter::ControlErrors => self.recover,
        });
        self.counters.clock(events);
    }

    /// What reset does to the registers, at the end of a clock with reset. Memory does not reset: the forces of the
    /// sequencer empty it before the next item comes, so the functional filter may be empty at once.
    fn reset(&mut self) {
        self.filter.clear();
        if let Some(memory) = &mut self.memory {
            memory.reset();
        }
        if let Some(memory) = &mut self.shared_array_memory {
            memory.reset(self.now);
        }
        self.decided = None;
        self.set_entered = None;
        self.met = Met::NOTHING;
        self.recover = false;
        self.draining = false;
        if let Some(spare_half) = &mut self.spare_half {
            spare_half.reset();
        }
        self.counters.reset();
        self.sequencer.reset();
        self.admission.reset();
        self.ageing.reset();
        self.queue.reset();
        self.registers.reset();
    }

    /// Values of the read-only registers in the present clock.
    pub fn status(&self) -> Status {
        let (bits_active, bits_frozen, messages) = match &self.memory {
            Some(memory) => memory.counts(),
            None => match &self.shared_array_memory {
                Some(memory) => memory.counts(),
                None => (
                    self.filter.bits_active(),
                    self.filter.bits_frozen(),
                    self.filter.messages(),
                ),
            },
        };
        let of_epochs = Status {
            active_half: self.epochs.phase() as u32,
            epoch: u32::from(self.epochs.epoch()),
            spare_epochs: u32::from(self.epochs.spare()),
            covered: self.epochs.covered(),
            turns: self.epochs.turns().into(),
            ..Status::default()
        };
        let of_halves = match &self.spare_half {
            Some(spare) => Status {
                active_half: spare.phase().into(),
                spare_epochs: u32::from(!spare.erasing(self.now)),
                covered: !spare.erasing(self.now),
                turns: spare.turns().into(),
                ..Status::default()
            },
            None => of_epochs,
        };
        Status {
            running: self.sequencer.running(),
            public_secret: self.filter.hasher().has_public_secret(),
            bits_active: bits_active as u32,
            bits_frozen: bits_frozen as u32,
            messages: messages as u32,
            counters: self.counters.values(),
            ..of_halves
        }
    }

    /// Whether the item stream is not ready in the present clock only because the item accepted last still has the array to
    /// itself (shared layout), or because of reset: no stall is counted.
    pub fn within_interval(&self) -> bool {
        !self.admission.ready() && self.admission.stall().is_none()
    }

    /// The filter as it stands behind the decision stage of the last clock.
    pub fn filter(&self) -> &RecyclingFilter {
        &self.filter
    }

    /// Whether the epochs, or the spare half, have kept their promise so far.
    ///
    /// # Errors
    /// The first [`ModelError`]: an epoch value issued while a word bore it, a recycle with none to spare, or one while the spare
    /// half was being erased.
    pub fn check(&self) -> Result<(), ModelError> {
        let broken = match &self.spare_half {
            Some(spare_half) => spare_half.broken(),
            None => self.epochs.broken(),
        };
        broken.map_or(Ok(()), Err)
    }
}
