use super::admission::{Admission, Conditions, Stall};
use super::agent::{Agent, End, InRow, Surroundings};
use super::ages::{Ages, Moment};
use super::cell::{Cell, Rows};
use super::event::{CuckooDecision, CuckooEvent};
use super::filter::{CuckooFilter, CuckooOutcome};
use super::line::Line;
use super::memory::{CuckooBit, Flawed, Memory};
use super::slot::Slot;
use super::stash::{Change, Contents, Return, Stash};
use super::status::{CuckooStatus, COUNTERS};
use super::tables::{CellPlace, Tables};
use super::visits::Visits;
use crate::clocked::clocked;
use crate::error::ModelError;
use crate::flawed_words::Flaws;
use crate::pipeline::counters::Counters;
use crate::pipeline::outputs::outputs;
use crate::pipeline::ports::{Inputs, Outputs};
use crate::pipeline::slots::Slots;
use crate::pipeline::verdict_queue::{Verdict, VerdictQueue};
use crate::pipeline::Met;
use crate::sliding::registers::{Registers, Values};
use crate::sliding::sequencer::{Actions, Sequencer};
use bloomline_spec::registers::{CuckooCounter, RegisterMap};
use bloomline_spec::{CuckooGeometry, Operation, CUCKOO_PATIENCE_CLOCKS, CUCKOO_TABLES};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Stage in which memory is read without an error-correcting code.
const READ_STAGE: u32 = 1;
/// The gateware of a sliding-window filter on cuckoo tables, clock by clock: same ports, same values on every output that is compared.
///
/// `outputs` gives the ports' values in the present clock, a function of state only; `clock` takes the inputs of the
/// present clock and goes on to the next. The model starts as configured: the first clock is clock 0, as after reset.
///
/// ```
/// use bloomline_model::{CuckooPipelineModel, Inputs};
/// use bloomline_spec::{FilterSpec, CUCKOO_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CUCKOO_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.cuckoo()?;
/// let mut model = CuckooPipelineModel::new(&geometry);
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
pub struct CuckooPipelineModel {
    key_bits: u32,
    tag_bits: u32,
    /// Clocks from acceptance, without those in the queue before the tables, to the stage in which rows are there first (0, or -2 with an error-correcting code) and to the stages 2, A and D.
    to_entry: u32,
    to_stage_2: u32,
    to_age: u32,
    to_decision: u32,
    now: u64,
    ages: Ages,
    rows: Rows,
    /// As the slots up to the decision stage leave it.
    filter: CuckooFilter,
    /// What was accepted and does not stand before the tables yet.
    line: Line,
    /// From there on, by the clocks in which they would have been accepted had none of them been queued.
    slots: Slots<Slot>,
    /// `G` and `x`: as the slots up to the age stage leave them.
    moment: Moment,
    tables: Tables,
    stash: Stash,
    agents: [Agent; CUCKOO_TABLES],
    hop: usize,
    visits: Visits,
    sequencer: Sequencer,
    admission: Admission,
    registers: Registers,
    /// An error-correcting code is built.
    ecc: bool,
    /// Where bits of memory may flip.
    memory: Option<Box<Memory>>,
    /// Cells that items in flight read and that are not as they were written, by the item's clock in `slots`.
    flawed: VecDeque<(u64, CellPlace, Flawed)>,
    /// The cells that decisions of the last clocks changed, the newest last.
    changed: VecDeque<(u64, CellPlace)>,
    /// What was wrong with cells that items and mends met in the last clock.
    met: Met,
    /// How many bits of each of them were flipped.
    flips_met: Vec<u32>,
    decided: Option<Decided>,
    /// An entry was handed to an agent in the last clock.
    handed: bool,
    queue: VerdictQueue,
    counters: Counters<COUNTERS>,
    events: Option<Vec<CuckooEvent>>,
    broken: Option<ModelError>,
}

/// The register behind the decision stage, for an item.
#[derive(Debug, Clone, Copy)]
struct Decided {
    operation: Operation,
    tag: u64,
    outcome: CuckooOutcome,
    stashed: bool,
}

/// What the item in the decision stage does to the cells.
#[derive(Debug, Clone, Copy, Default)]
struct Effect {
    cell: Option<(CellPlace, Cell)>,
    entry: Option<Change>,
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

clocked!(CuckooPipelineModel, CuckooEvent);

impl CuckooPipelineModel {
    /// The filter as configured.
    pub fn new(geometry: &CuckooGeometry) -> CuckooPipelineModel {
        let timing = geometry.timing();
        let rows = geometry.rows();
        let agent = |table| {
            let (quota, room) = (geometry.scan_quota(), geometry.scan_room());
            Agent::new(table, rows, geometry.row_cells(), quota, room)
        };
        CuckooPipelineModel {
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
            to_entry: timing.front_clocks - geometry.read_ahead_clocks(),
            to_stage_2: timing.front_clocks + 2,
            to_age: timing.front_clocks + timing.age_stage,
            to_decision: timing.front_clocks + timing.decision_stage,
            now: 0,
            ages: Ages::new(geometry),
            rows: Rows::new(geometry),
            filter: CuckooFilter::new(geometry),
            line: Line::new(geometry.hash_stages()),
            slots: Slots::new(Slot::EMPTY, timing.front_clocks + timing.write_stage),
            moment: Moment::default(),
            tables: Tables::new(geometry),
            stash: Stash::new(
                geometry.stash_cells(),
                geometry.stash_limit(),
                CUCKOO_PATIENCE_CLOCKS,
            ),
            agents: std::array::from_fn(agent),
            hop: 0,
            visits: Visits::new(geometry),
            sequencer: Sequencer::new(timing.retire_clocks, rows),
            admission: Admission::new(timing.verdict_queue_depth),
            registers: Registers::new(&RegisterMap::of(geometry)),
            ecc: geometry.ecc(),
            memory: None,
            flawed: VecDeque::new(),
            changed: VecDeque::new(),
            met: Met::NOTHING,
            flips_met: Vec::new(),
            decided: None,
            handed: false,
            queue: VerdictQueue::new(timing.verdict_queue_depth),
            counters: Counters::new(),
            events: None,
            broken: None,
        }
    }

    /// The filter as configured, with memory of which bits can be flipped.
    pub fn with_memory(geometry: &CuckooGeometry) -> CuckooPipelineModel {
        CuckooPipelineModel {
            memory: Some(Box::new(Memory::new(geometry))),
            ..CuckooPipelineModel::new(geometry)
        }
    }

    /// A bit of memory flips as the present clock ends; a cell that is written in this clock is written over it. Does nothing to a model without memory
    /// ([`CuckooPipelineModel::with_memory`]).
    pub fn flip(&mut self, bit: CuckooBit) {
        let place = CellPlace {
            table: bit.table as usize,
            row: bit.row,
            lane: bit.lane as usize,
        };
        if let Some(memory) = &mut self.memory {
            memory.flip(place, bit.bit);
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        self.memory
            .as_ref()
            .map_or(Flaws::default(), |memory| memory.flaws())
    }

    /// As if every counter had counted so many events: for what takes years to come.
    pub fn set_past(&mut self, events: u64) {
        self.counters.set_past(events);
    }

    /// Values of the output ports in the present clock.
    pub fn outputs(&self) -> Outputs {
        let pushed = self.decided.and_then(|decided| decided.answer());
        let verdict = self.queue.offered(pushed);
        outputs(self.admission.ready(), verdict, self.registers.axi())
    }

    /// Ends the present clock, in which the inputs had these values.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.reset {
            self.reset();
        } else {
            self.clock_without_reset(inputs);
        }
        if let Some(memory) = &mut self.memory {
            memory.clock();
        }
        self.now += 1;
    }

    fn clock_without_reset(&mut self, inputs: &Inputs) {
        let status = match self.registers.axi().samples() {
            true => self.status(),
            false => CuckooStatus::default(),
        };
        let accepted = (inputs.s_item_tvalid && self.admission.ready())
            .then(|| Operation::from_code(inputs.s_item_tuser as u8));
        let running = self.sequencer.running();
        let clear_pending = self.registers.clear_pending();
        let conditions = Conditions {
            running,
            clear_pending,
            short: self.least_allowance() < 2,
            held: self.stash.held(),
            accepted_with_verdict: accepted.is_some_and(Operation::has_verdict),
            verdict_loaded: self.queue.loads(None, inputs.m_verdict_tready),
        };
        let queued = self.line.is_queued(self.now);
        let actions = self.sequencer.clock(clear_pending, queued);
        let push = self.decided.take();

        self.enter(inputs, accepted);
        self.count(push);
        self.read_cells();
        let effect = self.decide();
        let agents_take = self.agents.each_ref().map(Agent::has_room);
        let starts = running && !clear_pending || queued;
        let returned = self.run_agents(starts, effect.entry);
        if let Some(memory) = &mut self.memory {
            memory.meet(&self.flips_met);
        }
        let element = accepted.is_some_and(Operation::inserts);
        self.agents
            .iter_mut()
            .for_each(|agent| agent.count(running, element));
        if let (Some(memory), Some(place)) = (&mut self.memory, self.tables.written()) {
            memory.write(place, false);
        }
        if let Some((place, cell)) = effect.cell {
            self.tables.decide(place, cell);
            if self.memory.is_some() {
                self.changed.push_back((self.now, place));
            }
        }
        let handed = self.stash.clock(
            (&self.ages, &self.rows),
            self.moment,
            agents_take,
            effect.entry,
            returned,
        );
        self.handed = handed.is_some();
        if let Some(mover) = handed {
            self.agents[mover.contents.table].hand(mover);
        }
        self.tables.clock();
        self.hop = (self.hop + 1) % (CUCKOO_TABLES - 1);
        self.age();
        self.obey(&actions);
        let next = self.line.clock(self.now, conditions.held);
        *self.slots.entered(self.now + 1, self.to_entry - 1) = next;

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

    /// An item that is accepted enters the line.
    fn enter(&mut self, inputs: &Inputs, accepted: Option<Operation>) {
        if accepted.is_none() {
            return;
        }
        let mut slot = Slot {
            operation: accepted,
            accepted: self.now,
            ..Slot::EMPTY
        };
        let words = self.key_bits.div_ceil(64) as usize;
        let hasher = self.filter.hasher();
        let probes = hasher.probes_of_words(&inputs.s_item_tdata[..words]);
        slot.tag = inputs.s_item_tid & (u64::MAX >> (64 - self.tag_bits));
        slot.position = probes.positions().first().copied().unwrap_or(0);
        slot.identity = self.rows.identity(slot.position);
        slot.rows = self.rows.rows(slot.identity);
        self.line.accept(self.now, slot);
    }

    /// The slot in the age stage meets its generation; an element is counted at the end of the clock.
    fn age(&mut self) {
        let slot = self.slots.entered(self.now, self.to_age);
        slot.moment = self.moment;
        if slot.is_element() {
            self.visits.element();
            self.moment = self.ages.after_element(self.moment);
        }
    }

    /// An item reads its rows: what is not as it was written is kept until it is decided on.
    fn read_cells(&mut self) {
        let Some(memory) = &mut self.memory else {
            return;
        };
        let to_read = self.to_entry + READ_STAGE;
        let slot = *self.slots.entered(self.now, to_read);
        if slot.operation.is_none() {
            return;
        }
        let accepted = self.now - u64::from(to_read);
        for (table, &row) in slot.rows.iter().enumerate() {
            for (lane, &cell) in self.tables.row(table, row).iter().enumerate() {
                let place = CellPlace { table, row, lane };
                if let Some(flawed) = memory.read(place, cell) {
                    self.flawed.push_back((accepted, place, flawed));
                }
            }
        }
    }

    /// What the slot in the decision stage met in memory: an error counts unless a slot ahead wrote the cell in the stages from that of the read to the age stage.
    fn meet(&mut self) {
        let (mut met, mut flips) = (Met::NOTHING, std::mem::take(&mut self.flips_met));
        let stages_to_decision = self.to_decision - self.to_entry - READ_STAGE;
        let read = self.now - u64::from(stages_to_decision);
        let last = read + u64::from(self.to_age - self.to_entry - READ_STAGE);
        // what is decided in a clock is written in the next
        let taken_over = |place: CellPlace| {
            let mut changed = self.changed.iter();
            changed.any(|&(decided, of)| of == place && (read..=last).contains(&(decided + 1)))
        };
        for (_, flawed) in self
            .flawed_of_decided()
            .filter(|&(place, _)| !taken_over(place))
        {
            met.corrected |= flawed.corrected;
            met.uncorrectable |= flawed.uncorrectable;
            flips.push(flawed.flips);
        }
        self.met = met;
        self.flips_met = flips;
    }

    /// The cells of a slot's row as it meets them in the decision stage.
    fn cells_of(&self, slot: &Slot, table: usize) -> Cow<'_, [Cell]> {
        let row = slot.rows[table];
        let mut cells = Cow::Borrowed(self.tables.row(table, row));
        for (place, flawed) in self.flawed_of_decided() {
            let changed = self.changed.iter().any(|&(_, changed)| changed == place);
            if place.table == table && !changed {
                cells.to_mut()[place.lane] = flawed.cell;
            }
        }
        cells
    }

    /// Cells that the slot in the decision stage read and that are not as they were written.
    fn flawed_of_decided(&self) -> impl Iterator<Item = (CellPlace, Flawed)> + '_ {
        let accepted = self.now.wrapping_sub(self.to_decision.into());
        let of_slot = self
            .flawed
            .iter()
            .filter(move |flawed| flawed.0 == accepted);
        of_slot.map(|&(_, place, flawed)| (place, flawed))
    }

    /// The slot in the decision stage, by what decisions of earlier clocks left.
    fn decide(&mut self) -> Effect {
        let slot = *self.slots.entered(self.now, self.to_decision);
        let accepted = self.now.saturating_sub(self.to_decision.into());
        while self
            .flawed
            .front()
            .is_some_and(|flawed| flawed.0 < accepted)
        {
            self.flawed.pop_front();
        }
        let stages_to_decision = u64::from(self.to_decision - self.to_entry - READ_STAGE);
        let oldest = self.now.saturating_sub(stages_to_decision + 1);
        while (self.changed.front()).is_some_and(|&(decided, _)| decided < oldest) {
            self.changed.pop_front();
        }
        self.met = Met::NOTHING;
        self.flips_met.clear();
        let Some(operation) = slot.operation else {
            return Effect::default();
        };
        self.meet();
        let generation = self
            .ages
            .generation_of(slot.moment, slot.identity.fingerprint);
        let in_table = self.find(&slot);
        let in_stash = self.stash.find(&self.ages, slot.moment, slot.identity);
        let (mut effect, mut outcome) = (Effect::default(), CuckooOutcome::default());
        outcome.verdict.seen = in_table.is_some() || in_stash.is_some();
        let cell = Cell {
            fingerprint: slot.identity.fingerprint,
            generation,
        };
        match (operation.inserts(), in_table, in_stash) {
            (false, _, _) => {}
            (true, Some((_, found)), _) if found == cell => {}
            (true, Some((place, _)), _) => effect.cell = Some((place, cell)),
            (true, None, Some(entry)) => {
                effect.entry = Some(Change::Refresh { entry, generation });
            }
            (true, None, None) => {
                effect = self.insert(&slot, cell);
                outcome.inserted = effect.cell.is_some() || effect.entry.is_some();
                outcome.verdict.lost = !outcome.inserted;
            }
        }
        let stashed = outcome.inserted && effect.entry.is_some();
        self.judge(&slot, operation, outcome);
        self.decided = Some(Decided {
            operation,
            tag: slot.tag,
            outcome,
            stashed,
        });
        if let Some(events) = &mut self.events {
            events.push(CuckooEvent::Item(CuckooDecision {
                accepted: slot.accepted,
                decided: self.now,
                operation,
                tag: slot.tag,
                outcome,
                stashed,
            }));
        }
        effect
    }

    /// The cell of a table that holds the slot's identity, live.
    fn find(&self, slot: &Slot) -> Option<(CellPlace, Cell)> {
        (0..CUCKOO_TABLES).find_map(|table| {
            let row = slot.rows[table];
            let cells = self.cells_of(slot, table);
            let matches = |cell: &Cell| {
                cell.fingerprint == slot.identity.fingerprint
                    && self.ages.is_live(slot.moment, *cell)
            };
            let lane = cells.iter().position(matches)?;
            Some((CellPlace { table, row, lane }, cells[lane]))
        })
    }

    /// Where an element goes that is not seen.
    fn insert(&self, slot: &Slot, cell: Cell) -> Effect {
        let first = cell.fingerprint as usize / 8 % CUCKOO_TABLES;
        let place = (first..first + CUCKOO_TABLES).find_map(|table| {
            let table = table % CUCKOO_TABLES;
            let row = slot.rows[table];
            let cells = self.cells_of(slot, table);
            let mut cells = cells.iter();
            let lane = cells.position(|&cell| !self.ages.is_live(slot.moment, cell))?;
            Some(CellPlace { table, row, lane })
        });
        if let Some(place) = place {
            return Effect {
                cell: Some((place, cell)),
                entry: None,
            };
        }
        let contents = Contents {
            base: slot.identity.base,
            cell,
            table: first,
        };
        let entry = self.stash.lowest_free();
        Effect {
            cell: None,
            entry: entry.map(|entry| Change::Take { entry, contents }),
        }
    }

    /// Tells the functional filter of an item, and compares.
    fn judge(&mut self, slot: &Slot, operation: Operation, outcome: CuckooOutcome) {
        let expected = self.filter.apply_probes(&[slot.position], operation);
        if outcome.verdict.lost {
            self.filter.lose(slot.position);
        }
        let doubtful = (self.memory.as_ref()).is_some_and(|memory| memory.is_doubtful());
        if expected.verdict.seen != outcome.verdict.seen && !doubtful {
            self.broken.get_or_insert(ModelError::Misjudged {
                clock: self.now,
                position: slot.position,
                expected: expected.verdict.seen,
                seen: outcome.verdict.seen,
            });
        }
    }

    /// One clock of the agents. What they write is written; gives what becomes of the entry whose move ends.
    fn run_agents(&mut self, starts: bool, change: Option<Change>) -> Option<(usize, Return)> {
        let around = Surroundings {
            ages: &self.ages,
            rows: &self.rows,
            moment: self.moment,
            tables: &self.tables,
            stash: &self.stash,
            refreshed: match change {
                Some(Change::Refresh { entry, .. }) => Some(entry),
                _ => None,
            },
            starts,
            calm: self.ecc && self.stash.calm(),
            hop: self.hop,
        };
        let mut ends: [Option<End>; CUCKOO_TABLES] = Default::default();
        let mut lower_waits = false;
        for (table, (agent, end)) in self.agents.iter_mut().zip(&mut ends).enumerate() {
            let row = agent.row();
            let waits = agent.waits_to_move();
            let mut has_row = |clocks_ago| {
                let slot = self.slots.entered(self.now, clocks_ago);
                slot.has_row(table, row)
            };
            let in_row = InRow {
                entering: has_row(self.to_entry),
                early: (self.to_entry..=self.to_stage_2).any(&mut has_row),
            };
            let memory = self.memory.as_deref_mut();
            *end = agent.clock(&around, memory, in_row, lower_waits);
            let (met, flips) = agent.met();
            self.met.corrected |= met.corrected;
            self.met.uncorrectable |= met.uncorrectable;
            self.flips_met.push(flips);
            lower_waits |= waits;
        }
        let mut returned = None;
        for (table, end) in ends.into_iter().enumerate() {
            let Some(end) = end else { continue };
            if let Some((place, _)) = end.cells.first() {
                self.check_write(*place);
            }
            for (place, cell) in end.cells {
                self.tables.write(place, cell);
                if let Some(memory) = &mut self.memory {
                    memory.write(place, end.mends);
                }
            }
            if let Some(row) = end.visited {
                self.visits.visit(table, row);
            }
            returned = returned.or(end.entry);
        }
        returned
    }

    /// What an agent must not do: write through a port that is taken, or a row that has changed since it read it, or that an item has read and is not
    /// decided on.
    fn check_write(&mut self, place: CellPlace) {
        let CellPlace { table, row, .. } = place;
        let undecided = (self.to_entry + READ_STAGE..=self.to_decision)
            .any(|clocks_ago| self.slots.entered(self.now, clocks_ago).has_row(table, row));
        let taken = self.tables.writing(table).is_some();
        if undecided || taken || !self.agents[table].row_is_as_read(&self.tables, row) {
            let clock = self.now;
            self.broken
                .get_or_insert(ModelError::UnsafeWrite { clock, table, row });
        }
    }

    /// What the sequencer does.
    fn obey(&mut self, actions: &Actions) {
        if actions.restart {
            self.restart_cells();
            self.filter.clear();
            if let Some(events) = &mut self.events {
                events.push(CuckooEvent::Clear);
            }
        }
        if actions.wipe {
            let row = self.tables.wipe(&self.ages);
            if let Some(memory) = &mut self.memory {
                memory.wipe(row);
            }
        }
    }

    fn count(&mut self, decided: Option<Decided>) {
        let stall = self.admission.stall();
        let met = self.met;
        let item = |of: fn(&Decided) -> bool| decided.as_ref().is_some_and(of);
        let events = CuckooCounter::ALL.map(|counter| match counter {
            CuckooCounter::Items => decided.is_some(),
            CuckooCounter::Seen => item(|decided| decided.outcome.verdict.seen),
            CuckooCounter::Inserted => item(|decided| decided.outcome.inserted),
            CuckooCounter::Stashed => item(|decided| decided.stashed),
            CuckooCounter::Moves => self.handed,
            CuckooCounter::Lost => item(|decided| decided.outcome.verdict.lost),
            CuckooCounter::StallScan => stall == Some(Stall::Scan),
            CuckooCounter::StallStash => stall == Some(Stall::Stash),
            CuckooCounter::StallControl => stall == Some(Stall::Control),
            CuckooCounter::StallVerdict => stall == Some(Stall::Verdict),
            CuckooCounter::EccCorrected => met.corrected,
            CuckooCounter::EccUncorrectable => met.uncorrectable,
        });
        self.counters.clock(events);
    }

    /// What restart and reset do to everything but the cells of the tables, which the wipe that follows writes.
    fn restart_cells(&mut self) {
        self.moment = Moment::default();
        self.tables.restart();
        self.stash.restart();
        self.agents.iter_mut().for_each(Agent::restart);
        self.hop = 0;
        self.visits.restart();
    }

    /// A clock with reset.
    fn reset(&mut self) {
        for clocks_ago in 0..=self.to_decision {
            self.slots.entered(self.now, clocks_ago).operation = None;
        }
        self.line.reset();
        self.restart_cells();
        self.decided = None;
        self.met = Met::NOTHING;
        self.handed = false;
        self.counters.reset();
        self.sequencer.reset();
        self.admission.reset();
        self.queue.reset();
        self.registers.reset();
    }

    /// Values of the read-only registers in the present clock.
    pub fn status(&self) -> CuckooStatus {
        CuckooStatus {
            running: self.sequencer.running(),
            generation: self.moment.generation,
            counters: self.counters.values(),
        }
    }

    /// The filter as the slots that have passed the decision stage leave it; without the elements that were lost.
    pub fn filter(&self) -> &CuckooFilter {
        &self.filter
    }

    /// Entries of the stash that are used in the present clock.
    pub fn stash_used(&self) -> u32 {
        self.stash.used()
    }

    /// Elements that may still be accepted before the scan of some table must visit a row: below 2 the stream waits.
    pub fn least_allowance(&self) -> u64 {
        self.agents.iter().map(Agent::allowance).min().unwrap_or(0)
    }

    /// Whether the scan has kept its promise so far, every verdict was that of the functional filter, and no agent wrote a row that an item was about to
    /// decide on.
    ///
    /// # Errors
    /// The first [`ModelError::Misjudged`] or [`ModelError::UnsafeWrite`], or the first [`ModelError::LateVisit`].
    #[inline]
    pub fn check(&self) -> Result<(), ModelError> {
        self.broken
            .or_else(|| self.visits.late())
            .map_or(Ok(()), Err)
    }
}
