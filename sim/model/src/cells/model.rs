use super::admission::{Admission, Conditions, Stall, Turn};
use super::event::{CellDecision, CellEvent};
use super::filter::{CellFilter, CellOutcome};
use super::memory::{CellMemory, Places, MAX_BANKS, READ_STAGE};
use super::registers::{Registers, Reports};
use super::sequencer::{Actions, Sequencer};
use super::slot::{Access, Content, Slot};
use super::status::{CellStatus, COUNTERS};
use crate::clocked::clocked;
use crate::error::ModelError;
use crate::flawed_words::Flaws;
use crate::hash::Probes;
use crate::pipeline::counters::Counters;
use crate::pipeline::epochs::Epochs;
use crate::pipeline::outputs::outputs;
use crate::pipeline::ports::{Inputs, Outputs};
use crate::pipeline::slots::Slots;
use crate::pipeline::verdict_queue::{Verdict, VerdictQueue};
use crate::pipeline::{MemoryBit, Met};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, Erase, FilterKind, OPERATION_BITS};

/// Stages, counted from the index register, that a reset empties: this one and those before it.
const LAST_EMPTIED_STAGE: u32 = 1;

/// The gateware of a filter of cells, clock by clock: same ports, same values on every output that is compared.
///
/// `outputs` gives the ports' values in the present clock, a function of state only; `clock` takes the inputs of the
/// present clock and goes on to the next. The model starts as configured: the first clock is clock 0, as after reset.
///
/// ```
/// use bloomline_model::{CellPipelineModel, Inputs};
/// use bloomline_spec::{FilterSpec, Design, CELL_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CELL_EXAMPLES[1];
/// let Design::Cells(geometry) = FilterSpec::from_toml(text, Path::new(file))?.design()? else {
///     unreachable!("the second example is a counting filter")
/// };
/// let mut model = CellPipelineModel::new(&geometry);
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
/// assert_eq!(latency_clocks, timing.front_clocks + timing.fold_clocks + timing.decision_stage + 3);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CellPipelineModel {
    kind: FilterKind,
    /// Counters that there are registers of.
    has_counters: &'static [CellCounter],
    key_bits: u32,
    tag_bits: u32,
    lane_bits: u32,
    words_per_bank: u32,
    /// Banks of a pane; without a window there is one pane.
    banks: usize,
    removes: bool,
    /// Clocks from acceptance to stage 0.
    front_clocks: u32,
    /// Clocks that memory is read ahead, of an error-correcting code.
    read_ahead_clocks: u32,
    clear_stage: u32,
    write_stage: u32,
    decision_stage: u32,
    /// Slots from that of a fetch to that of its last cell, and the stage in which this one leaves for the register.
    fetched_after: u32,
    /// Cells are single: a clear erases them, and there are no epochs.
    in_place: bool,
    /// Probes that stand in slots of their own behind an item's first: 0 in the partitioned layout.
    fold_clocks: u32,
    /// From a probe that looks to the one that raises, under conservative update.
    raise_clocks: u32,
    now: u64,
    /// As the slots up to the clear stage leave it.
    filter: CellFilter,
    /// What the probes of an item so far found, in the clear stage.
    so_far: CellVerdict,
    /// What the item whose probes looked last raises its cells to.
    level: u32,
    slots: Slots<Slot>,
    /// Of each pane.
    epochs: Vec<Epochs>,
    /// Turns and clears, modulo 2^16; stays 0 without a window.
    turns: u16,
    sequencer: Sequencer,
    admission: Admission,
    registers: Registers,
    /// What memory holds word for word, where bits of it may flip.
    memory: Option<Box<CellMemory>>,
    /// What a slot that stood in the write stage in the last clock had met in memory.
    met: Met,
    decided: Option<Decided>,
    queue: VerdictQueue,
    counters: Counters<COUNTERS>,
    events: Option<Vec<CellEvent>>,
}

/// The register behind the decision stage, for an item.
#[derive(Debug, Clone, Copy)]
struct Decided {
    operation: CellOperation,
    verdict: Verdict,
    outcome: CellOutcome,
}

impl Decided {
    /// Its verdict, if it wants one.
    fn answer(&self) -> Option<Verdict> {
        self.operation.has_verdict().then_some(self.verdict)
    }
}

clocked!(CellPipelineModel, CellEvent);

impl CellPipelineModel {
    /// The filter as configured.
    pub fn new(geometry: &CellGeometry) -> CellPipelineModel {
        let timing = geometry.timing();
        let in_place = geometry.erase() == Erase::InPlace;
        let settle_clocks = match in_place {
            true => geometry.erase_clocks() as u32,
            false => timing.retire_clocks,
        };
        CellPipelineModel {
            kind: geometry.kind(),
            has_counters: geometry.counters(),
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
            lane_bits: geometry.lane_bits(),
            words_per_bank: geometry.words_per_bank() as u32,
            banks: (geometry.banks() / geometry.panes()) as usize,
            removes: geometry.removes(),
            front_clocks: timing.front_clocks,
            read_ahead_clocks: geometry.read_ahead_clocks(),
            clear_stage: timing.clear_stage,
            write_stage: timing.write_stage,
            decision_stage: timing.decision_stage,
            fetched_after: match in_place {
                true => geometry.lanes() - 1 + timing.fetch_stage,
                false => timing.fetch_stage,
            },
            in_place,
            fold_clocks: timing.fold_clocks,
            raise_clocks: timing.raise_clocks,
            now: 0,
            filter: CellFilter::new(geometry),
            so_far: CellVerdict::default(),
            level: 0,
            slots: Slots::new(
                Slot::EMPTY,
                (timing.front_clocks + timing.decision_stage)
                    .max(timing.raise_clocks)
                    .max(timing.access_clocks),
            ),
            epochs: vec![
                Epochs::new(
                    1,
                    (geometry.banks() / geometry.panes()) as usize,
                    geometry.words_per_bank() as usize,
                );
                geometry.panes() as usize
            ],
            turns: 0,
            sequencer: Sequencer::new(timing.retire_clocks, settle_clocks),
            admission: Admission::new(timing, geometry.window(), in_place),
            registers: Registers::new(geometry),
            memory: None,
            met: Met::NOTHING,
            decided: None,
            queue: VerdictQueue::new(timing.verdict_queue_depth),
            counters: Counters::new(),
            events: None,
        }
    }

    /// As if every counter had counted so many events, and so many epochs were to spare: for what takes years to come.
    pub fn set_past(&mut self, events: u64, spare_epochs: u8) {
        self.counters.set_past(events);
        for epochs in &mut self.epochs {
            epochs.set_spare(spare_epochs);
        }
    }

    /// The filter as configured, with its memory word for word, of which bits can be flipped. A filter of single cells has no such
    /// model: it is as [`CellPipelineModel::new`] makes it.
    pub fn with_memory(geometry: &CellGeometry) -> CellPipelineModel {
        if geometry.erase() == Erase::InPlace {
            return CellPipelineModel::new(geometry);
        }
        CellPipelineModel {
            memory: Some(Box::new(CellMemory::new(geometry))),
            ..CellPipelineModel::new(geometry)
        }
    }

    /// A bit of memory flips as the present clock ends; a word that is written in this clock is written over it. The half is 0, and with a window
    /// the banks of the second pane follow those of the first. Does nothing to a model without memory ([`CellPipelineModel::with_memory`]).
    ///
    /// # Panics
    /// In the clock, when there is no such word.
    pub fn flip(&mut self, bit: MemoryBit) {
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
            false => CellStatus::default(),
        };
        let accepted = (inputs.s_item_tvalid && self.admission.ready() && !reset)
            .then(|| CellOperation::from_code(inputs.s_item_tuser, self.removes));
        let access = self.registers.access();
        let conditions = Conditions {
            running: self.sequencer.running(),
            clear_pending: self.registers.clear_pending(),
            blocked: !self.in_place && self.epochs.iter().any(Epochs::blocked),
            access_pending: access.is_some(),
            accepted,
            verdict_loaded: self.queue.loads(None, inputs.m_verdict_tready),
        };
        let actions = if reset {
            Actions::default()
        } else {
            self.sequencer
                .clock(conditions.clear_pending, conditions.blocked)
        };
        let turn = !reset && self.admission.issues_turn(&conditions);
        let issued = access.filter(|_| !reset && self.admission.issues_access(&conditions));
        let push = self.decided.take();

        let other = if actions.force {
            Content::Force
        } else if turn {
            Content::Turn
        } else if self.admission.behind_turn() {
            Content::Gap
        } else {
            issued.map_or(Content::Empty, Content::Access)
        };
        self.enter(inputs, accepted, other);
        self.count(push);
        if reset {
            self.empty();
        } else {
            self.refresh();
        }
        self.clear_stage();
        self.write_stage();
        self.end_memory();
        let fetched = self.fetched();
        self.decision_stage();

        if reset {
            self.reset();
        } else {
            let reports = Reports {
                cleared: actions.served,
                access_done: self.admission.access_done(),
                fetched,
            };
            self.admission.clock(&conditions);
            self.queue.clock(
                push.and_then(|decided| decided.answer()),
                inputs.m_verdict_tready,
            );
            if let Some(secret) = self.registers.clock(inputs, reports, &status) {
                self.filter.set_secret(secret);
            }
        }
        self.filter.set_threshold(self.registers.threshold());
        self.now += 1;
    }

    /// The slot that stands in a stage in this clock.
    fn slot_in(&mut self, stage: u32) -> &mut Slot {
        self.slots.entered(self.now, self.front_clocks + stage)
    }

    /// Slots enter in every clock; most clocks of an idle filter bring an empty one.
    fn enter(&mut self, inputs: &Inputs, accepted: Option<CellOperation>, other: Content) {
        match self.admission.turn() {
            Some(Turn::Probe) => return self.enter_next_probe(),
            Some(Turn::Raise(probe)) => return self.enter_raise(probe),
            Some(Turn::Pause) | None => {}
        }
        let slot = self.slots.entered(self.now, 0);
        slot.mute = false;
        slot.content = if let Some(operation) = accepted {
            let words = self.key_bits.div_ceil(64) as usize;
            slot.tag = inputs.s_item_tid & (u64::MAX >> (64 - self.tag_bits));
            slot.probes = self
                .filter
                .hasher()
                .probes_of_words(&inputs.s_item_tdata[..words]);
            Content::Item {
                operation,
                amount: self
                    .filter
                    .amount_of((inputs.s_item_tuser >> OPERATION_BITS) as u32),
                probe: 0,
            }
        } else {
            other
        };
    }

    /// The next probe of the item whose probe entered in the clock before.
    fn enter_next_probe(&mut self) {
        let mut slot = *self.slots.entered(self.now, 1);
        if let Content::Item { probe, .. } = &mut slot.content {
            *probe += 1;
        }
        *self.slots.entered(self.now, 0) = slot;
    }

    /// The probe that raises what the one so many clocks ago looked at.
    fn enter_raise(&mut self, probe: u32) {
        let mut slot = *self.slots.entered(self.now, self.raise_clocks);
        slot.content = Content::Raise { probe };
        *self.slots.entered(self.now, 0) = slot;
    }

    /// With reset: the slots in front are emptied, those behind finish unseen.
    fn empty(&mut self) {
        let emptied = self.front_clocks + LAST_EMPTIED_STAGE;
        for clocks_ago in 0..=emptied {
            self.slots.entered(self.now, clocks_ago).content = Content::Empty;
        }
        for clocks_ago in
            emptied + 1..=self.front_clocks + self.decision_stage.max(self.fetched_after)
        {
            self.slots.entered(self.now, clocks_ago).mute = true;
        }
    }

    /// The slot about to enter stage 0 (with an error-correcting code stage -2), if it is empty, refreshes a word while the array is not covered.
    fn refresh(&mut self) {
        let covered = self.in_place || self.epochs.iter().all(Epochs::covered);
        let slot = self
            .slots
            .entered(self.now, self.front_clocks - 1 - self.read_ahead_clocks);
        if !covered && matches!(slot.content, Content::Empty) {
            slot.content = Content::Refresh {
                address: self.epochs[0].take_refresh_address() as u32,
            };
        }
    }

    /// Slots pass the clear stage in order, so this is where each meets what those ahead of it left.
    fn clear_stage(&mut self) {
        let slot = self
            .slots
            .entered(self.now, self.front_clocks + self.clear_stage);
        if let Some(memory) = self.memory.as_ref().filter(|_| slot.reads()) {
            for (place, data) in memory.met(self.now) {
                self.filter.set_place(place, data);
            }
        }
        match slot.content {
            Content::Item {
                operation,
                amount,
                probe,
            } => {
                if probe == 0 {
                    self.so_far = self.filter.unprobed();
                }
                let (positions, first) = (
                    probes_in_slot(&slot.probes, probe, self.fold_clocks),
                    probe as usize,
                );
                if self.filter.conservative() {
                    let look = CellOperation::Query;
                    self.filter
                        .probe(positions, first, look, 0, &mut self.so_far);
                    if probe == self.fold_clocks && operation.inserts() {
                        self.level = self.filter.level(amount, &mut self.so_far);
                    }
                } else {
                    self.filter
                        .probe(positions, first, operation, amount, &mut self.so_far);
                }
                slot.outcome = CellOutcome::new(operation, self.so_far);
            }
            Content::Raise { probe } => {
                let positions = probes_in_slot(&slot.probes, probe, self.fold_clocks);
                self.filter.raise(positions, self.level);
            }
            Content::Force => self.filter.clear(),
            Content::Turn => self.filter.turn(),
            Content::Access(Access::Fetch { address }) => {
                slot.fetched = self.filter.word(address.into());
            }
            Content::Access(Access::Store { address, data }) => {
                self.filter.set_word(address.into(), data);
            }
            Content::Empty | Content::Gap | Content::Refresh { .. } => {}
        }
        let (forced, turned) = (
            matches!(slot.content, Content::Force),
            matches!(slot.content, Content::Turn),
        );
        if self.epochs.len() > 1 {
            self.turns = self.turns.wrapping_add((forced || turned).into());
        }
        if self.in_place {
            return;
        }
        for (pane, epochs) in self.epochs.iter_mut().enumerate() {
            // the pane that a turn empties is active behind it
            let emptied = forced || (turned && pane == self.filter.active());
            slot.write[pane] = epochs.decide(self.now, emptied);
        }
        if let Some(memory) = &mut self.memory {
            let (filter, epochs) = (&self.filter, slot.write.map(|write| write.epoch));
            memory.settle(self.now, slot.reads(), epochs, |place| {
                filter.at_place(place)
            });
        }
    }

    /// The slot in the write stage gives its words its epoch.
    fn write_stage(&mut self) {
        if self.in_place {
            return;
        }
        let (lane_bits, words_per_bank, banks) = (self.lane_bits, self.words_per_bank, self.banks);
        let slot = self
            .slots
            .entered(self.now, self.front_clocks + self.write_stage);
        for (pane, epochs) in self.epochs.iter_mut().enumerate() {
            let write = slot.write[pane];
            if let Some(memory) = &self.memory {
                epochs.retire_as(self.now, write, memory.written(self.now, pane));
                continue;
            }
            let mut everywhere = |address: u32| {
                let word = (address % words_per_bank) as usize;
                epochs.retire(self.now, write, Some(std::iter::repeat_n(word, banks)));
            };
            match slot.content {
                Content::Access(access) => everywhere(access.address()),
                Content::Refresh { address } => everywhere(address),
                Content::Item { probe, .. } | Content::Raise { probe } => {
                    let positions = probes_in_slot(&slot.probes, probe, self.fold_clocks).iter();
                    let words = positions.map(|position| (position >> lane_bits) as usize);
                    epochs.retire(self.now, write, Some(words));
                }
                Content::Empty | Content::Gap | Content::Force | Content::Turn => {
                    epochs.retire(self.now, write, None::<std::iter::Empty<usize>>);
                }
            }
        }
    }

    /// The slot in the write stage learns whether a word was wrong, the one in stage 1 reads, and the clock ends for memory.
    fn end_memory(&mut self) {
        let Some(memory) = &mut self.memory else {
            return;
        };
        let (lane_bits, words) = (self.lane_bits, self.words_per_bank);
        let checked = self
            .slots
            .entered(self.now, self.front_clocks + self.write_stage);
        self.met = match checked.reads() && !checked.mute {
            true => memory.check(self.now),
            false => Met::NOTHING,
        };
        let fold_clocks = self.fold_clocks;
        let banks = self.banks;
        let in_every_bank = |address: u32| [address % words; MAX_BANKS];
        let address_of = |slot: &Slot| match slot.content {
            Content::Item { probe, .. } | Content::Raise { probe } => {
                let positions = probes_in_slot(&slot.probes, probe, fold_clocks);
                let mut address = [0; MAX_BANKS];
                for (bank, position) in positions.iter().enumerate() {
                    // the same in the other pane, if there is one
                    address[bank] = position >> lane_bits;
                    address[banks + bank] = position >> lane_bits;
                }
                Some(address)
            }
            Content::Access(access) => Some(in_every_bank(access.address())),
            Content::Refresh { address } => Some(in_every_bank(address)),
            Content::Empty | Content::Gap | Content::Force | Content::Turn => None,
        };
        if self.read_ahead_clocks > 0 {
            let ahead = self.front_clocks + READ_STAGE - self.read_ahead_clocks;
            if let Some(address) = address_of(self.slots.entered(self.now, ahead)) {
                memory.sample(self.now, &address);
            }
        }
        let slot = self.slots.entered(self.now, self.front_clocks + READ_STAGE);
        let stored_to = match slot.content {
            Content::Access(Access::Store { address, .. }) => Some((address / words) as usize),
            _ => None,
        };
        // the active pane's banks are counted first
        let stored_to = stored_to.map(|bank| match (self.filter.active(), bank / banks) {
            (1, 0) => bank + banks,
            (1, 1) => bank - banks,
            _ => bank,
        });
        let places = address_of(slot).map(|address| Places { address, stored_to });
        let mut epochs = [0; 2];
        for (epoch, of_pane) in epochs.iter_mut().zip(&self.epochs) {
            *epoch = of_pane.epoch();
        }
        memory.end(self.now, epochs, places);
    }

    /// The word on its way to the data register.
    fn fetched(&mut self) -> Option<u32> {
        let slot = self.slot_in(self.fetched_after);
        let fetch = matches!(slot.content, Content::Access(Access::Fetch { .. }));
        (fetch && !slot.mute).then_some(slot.fetched)
    }

    /// The estimate meets the threshold as it stands now.
    fn decision_stage(&mut self) {
        let threshold = self.registers.threshold();
        let (now, in_flight) = (
            self.now,
            self.front_clocks + self.fold_clocks + self.decision_stage,
        );
        let slot = self
            .slots
            .entered(self.now, self.front_clocks + self.decision_stage);
        if slot.mute {
            return;
        }
        let event = match slot.content {
            Content::Item { probe, .. } if probe < self.fold_clocks => return,
            Content::Item {
                operation, amount, ..
            } => {
                let mut outcome = slot.outcome;
                outcome.verdict.reached = outcome.verdict.estimate >= threshold;
                let data = match self.kind {
                    FilterKind::Static => outcome.verdict.seen.into(),
                    _ => outcome.verdict.to_bits(),
                };
                self.decided = Some(Decided {
                    operation,
                    verdict: Verdict {
                        data,
                        tag: slot.tag,
                    },
                    outcome,
                });
                CellEvent::Item(CellDecision {
                    accepted: now - u64::from(in_flight),
                    decided: now,
                    operation,
                    amount,
                    tag: slot.tag,
                    outcome,
                })
            }
            Content::Force => CellEvent::Clear { decided: now },
            Content::Turn => CellEvent::Turn { decided: now },
            Content::Access(Access::Fetch { address }) => CellEvent::Fetch {
                address,
                data: slot.fetched,
            },
            Content::Access(Access::Store { address, data }) => CellEvent::Store { address, data },
            Content::Empty | Content::Gap | Content::Refresh { .. } | Content::Raise { .. } => {
                return
            }
        };
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    fn count(&mut self, decided: Option<Decided>) {
        let stall = self.admission.stall();
        let item = |of: fn(Decided) -> bool| decided.is_some_and(of);
        let mut events = [false; COUNTERS];
        for &counter in self.has_counters {
            events[counter as usize] = match counter {
                CellCounter::Items => decided.is_some(),
                CellCounter::Reported => item(|decided| decided.verdict.data & 1 == 1),
                CellCounter::Inserted => item(|decided| decided.outcome.inserted),
                CellCounter::Removed => item(|decided| decided.outcome.removed),
                CellCounter::Underflows => item(|decided| decided.outcome.verdict.underflow),
                CellCounter::Saturated => item(|decided| decided.outcome.changed_saturated()),
                CellCounter::StallControl => stall == Some(Stall::Control),
                CellCounter::StallVerdict => stall == Some(Stall::Verdict),
                CellCounter::ParityErrors => self.met.wrong,
                CellCounter::EccCorrected => self.met.corrected,
                CellCounter::EccUncorrectable => self.met.uncorrectable,
            };
        }
        self.counters.clock(events);
    }

    /// What reset does to the registers, at the end of a clock with reset. Memory does not reset: the sequencer clears it
    /// before the next item comes.
    fn reset(&mut self) {
        self.decided = None;
        self.met = Met::NOTHING;
        self.counters.reset();
        self.sequencer.reset();
        self.admission.reset();
        self.queue.reset();
        self.registers.reset();
    }

    /// Values of the read-only registers in the present clock.
    pub fn status(&self) -> CellStatus {
        if self.in_place {
            return CellStatus {
                running: self.sequencer.running(),
                covered: self.sequencer.running(),
                public_secret: self.filter.hasher().has_public_secret(),
                counters: self.counters.values(),
                ..CellStatus::default()
            };
        }
        CellStatus {
            running: self.sequencer.running(),
            epoch: self.epochs[self.filter.active()].epoch().into(),
            spare_epochs: self.epochs[self.filter.active()].spare().into(),
            covered: self.epochs.iter().all(Epochs::covered),
            turns: self.turns.into(),
            public_secret: self.filter.hasher().has_public_secret(),
            counters: self.counters.values(),
        }
    }

    /// The filter as the slots that have passed the clear stage leave it: some clocks ahead of the verdicts. Its threshold
    /// is the register's.
    pub fn filter(&self) -> &CellFilter {
        &self.filter
    }

    /// Whether `ready` is low in the present clock because the item accepted last still has the array.
    pub fn holds_up(&self) -> bool {
        self.admission.folding()
    }

    /// Whether the epochs have kept their promise so far.
    ///
    /// # Errors
    /// The first [`ModelError`]: an epoch value issued while a word bore it, or a clear with none to spare.
    pub fn check(&self) -> Result<(), ModelError> {
        let broken = self.epochs.iter().find_map(Epochs::broken);
        broken.map_or(Ok(()), Err)
    }
}

/// The probes of an item that stand in one slot: all of them, but where an item is folded one.
fn probes_in_slot(probes: &Probes, probe: u32, fold_clocks: u32) -> &[u32] {
    match fold_clocks {
        0 => probes.positions(),
        _ => &probes.positions()[probe as usize..][..1],
    }
}
