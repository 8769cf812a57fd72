use super::filter::{Place, SlidingOutcome};
use crate::corrected_words::CorrectedWords;
use crate::flawed_words::{FlawedWords, Flaws, ReadWord};
use crate::pipeline::Met;

use bloomline_spec::{Operation, SlidingGeometry};

/// Stage in which a slot reads its cells.
pub(super) const READ_STAGE: u32 = 1;
/// Clocks before it in which memory with an error-correcting code is read: in stage -1.
pub(super) const READ_AHEAD: u32 = 2;
/// Stage in which a cell that was corrected is written back.
pub(super) const WRITE_BACK_STAGE: u32 = 3;
/// Clocks from stage 1 in which a slot ahead that writes a cell is taken over unchecked: stages 1 to 3.
const TAKEN_OVER: u32 = 3;
/// Clocks that anything here is looked back over: more than from stage 1 to the write stage.
const BACK: usize = 16;

/// A bit of the tables' memory that a soft error flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellBit {
    /// In the back table, not the front one.
    pub back: bool,
    /// The cell of its bucket.
    pub lane: u32,
    /// The bucket.
    pub bucket: u32,
    /// Bit of the cell: the generation from 0, then the fingerprint, then the parity or the check bits.
    pub bit: u32,
}

/// What the tables and the store of a sliding-window filter hold, cell for cell, with what slots in flight have read of them.
///
/// The functional model knows what the filter ought to hold. This knows what memory does hold, scans and all, so that a bit can be flipped: a slot reads its cells
/// in stage 1, meets what slots ahead of it write, is decided in stage D and writes in stage W. Rules: "Soft errors" in the gateware's pages.
#[derive(Debug, Clone)]
pub(super) struct SlidingMemory {
    generations: u32,
    generation_bits: u32,
    fingerprint_shift: u32,
    lanes: usize,
    decision: u32,
    front_mask: u32,
    tables: [Table; 2],
    store: Vec<StoreCell>,
    /// By clock: what the slot in the decision stage took.
    taken: Box<[Taken]>,
    /// The bucket that the next scan visits.
    address: u32,
}

/// A table, lane by lane.
#[derive(Debug, Clone)]
struct Table {
    bucket_mask: u32,
    stored: FlawedWords,
    /// In their place, with an error-correcting code: a memory for each lane.
    corrected: Option<CorrectedWords>,
    /// By clock: the cells that a slot in stage 1 read.
    read: Box<[Vec<ReadWord>]>,
}

/// A cell in registers.
#[derive(Debug, Clone, Copy, Default)]
struct StoreCell {
    position: u32,
    generation: u32,
}

/// The cells that a slot takes, and what it writes to them.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    /// An element, not a scan.
    sets: bool,
    generation: u32,
    bucket: [u32; 2],
    fingerprint: [u32; 2],
    /// Bit i: the i-th cell of the bucket.
    lanes: [u64; 2],
}

/// What stands in the decision stage.
#[derive(Debug, Clone, Copy)]
pub(super) enum Visit {
    Item(Operation),
    Scan,
    Wipe,
}

/// Positions of the slots that stand where memory is looked at, if they look at any.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Places {
    /// In stage 1.
    pub reading: Option<[u32; 2]>,
    /// [`READ_AHEAD`] stages before.
    pub sampling: Option<[u32; 2]>,
    /// An item or a scan stands in [`WRITE_BACK_STAGE`], without reset.
    pub writing_back: bool,
}

/// What a slot sees of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    matches: bool,
    empty: bool,
}

impl SlidingMemory {
    /// Memory as configured.
    pub fn new(geometry: &SlidingGeometry) -> SlidingMemory {
        let lanes = geometry.bucket_cells() as usize;
        let table = |buckets: u64| Table {
            bucket_mask: (buckets - 1) as u32,
            stored: FlawedWords::new(
                geometry.parity(),
                geometry.cell_bits(),
                buckets as usize * lanes,
            ),
            corrected: geometry
                .ecc()
                .then(|| CorrectedWords::new(geometry.cell_bits(), lanes, buckets as usize)),
            read: vec![vec![ReadWord::default(); lanes]; BACK].into(),
        };
        SlidingMemory {
            generations: geometry.generations(),
            generation_bits: geometry.generation_bits(),
            fingerprint_shift: geometry.front_bits(),
            lanes,
            decision: geometry.timing().decision_stage,
            front_mask: (geometry.front_buckets() - 1) as u32,
            tables: [
                table(geometry.front_buckets()),
                table(geometry.back_buckets()),
            ],
            store: vec![StoreCell::default(); geometry.store_cells() as usize],
            taken: vec![Taken::default(); BACK].into(),
            address: 0,
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        let [front, back] = self.tables.each_ref().map(Table::flaws);
        Flaws {
            met: front.met + back.met,
            doubled: front.doubled + back.doubled,
            many: front.many + back.many,
            written_back: front.written_back + back.written_back,
            overwritten: front.overwritten + back.overwritten,
            standing: front.standing + back.standing,
        }
    }

    /// A bit that flips as the present clock ends; a cell that is written in this clock is written over it.
    pub fn flip(&mut self, bit: CellBit) {
        let table = &mut self.tables[usize::from(bit.back)];
        if let Some(corrected) = &mut table.corrected {
            return corrected.flip(bit.lane as usize, bit.bucket, bit.bit);
        }
        let place = bit.bucket as usize * self.lanes + bit.lane as usize;
        table.stored.flip(place, bit.bit);
    }

    /// A scan or wipe is about to enter stage 0: its bucket.
    pub fn take_address(&mut self) -> u32 {
        let address = self.address;
        self.address = (address + 1) & self.front_mask;
        address
    }

    /// At the end of a clock with reset: memory stays.
    pub fn reset(&mut self) {
        self.address = 0;
    }

    /// What the slot in the decision stage in clock `now` does, which stands in `generation` and holds these positions in the tables; and what was wrong with the
    /// cells that it checked. `None` is an empty slot.
    pub fn decide(
        &mut self,
        now: u64,
        visit: Option<Visit>,
        positions: [u32; 2],
        generation: u32,
    ) -> (SlidingOutcome, Met) {
        self.taken[place(now)] = Taken::default();
        let Some(visit) = visit else {
            return (SlidingOutcome::default(), Met::NOTHING);
        };
        let bucket = [0, 1].map(|table: usize| positions[table] & self.tables[table].bucket_mask);
        let fingerprint = positions.map(|position| position >> self.fingerprint_shift);
        let mut seen = Vec::with_capacity(2 * self.lanes + self.store.len());
        let (mut met, mut odd, mut even, mut many) = (Met::NOTHING, false, false, false);
        for table in 0..2 {
            for lane in 0..self.lanes {
                let read = self.tables[table].read[ago(now, self.decision - READ_STAGE)][lane];
                let cell = self.split(read.payload);
                let live = !read.empty && self.is_live(cell.1, generation);
                let mut view = Seen {
                    matches: live && cell.0 == fingerprint[table],
                    empty: !live,
                };
                let mut checked = true;
                // slots that stood in the write stage since: those decided a clock before each of these
                for clocks in (1..=self.decision - READ_STAGE + 1).rev() {
                    let ahead = &self.taken[ago(now, clocks)];
                    let mine = ahead.lanes[table] >> lane & 1 == 1;
                    if mine && ahead.bucket[table] == bucket[table] {
                        view = Seen {
                            matches: ahead.sets && ahead.fingerprint[table] == fingerprint[table],
                            empty: !ahead.sets,
                        };
                        let in_stage = self.decision + 1 - clocks;
                        checked &= in_stage >= READ_STAGE + TAKEN_OVER;
                    }
                }
                met.wrong |= checked && read.wrong;
                met.corrected |= checked && read.corrected;
                met.uncorrectable |= checked && read.uncorrectable;
                odd |= checked && read.odd;
                even |= checked && read.even;
                many |= checked && read.many;
                seen.push(view);
            }
        }
        for cell in &self.store {
            let live = self.is_live(cell.generation, generation);
            seen.push(Seen {
                matches: live && cell.position == positions[0],
                empty: !live,
            });
        }
        let mut outcome = SlidingOutcome::default();
        let mut takes = vec![false; seen.len()];
        let mut sets = false;
        match visit {
            Visit::Wipe => takes.fill(true),
            Visit::Scan => takes = seen.iter().map(|cell| cell.empty).collect(),
            Visit::Item(operation) => {
                let matching = seen.iter().position(|cell| cell.matches);
                outcome.verdict.seen = matching.is_some();
                if operation.inserts() {
                    sets = true;
                    let free = seen.iter().position(|cell| cell.empty);
                    match (matching, free) {
                        (Some(cell), _) => takes[cell] = true,
                        (None, Some(cell)) => {
                            takes[cell] = true;
                            outcome.inserted = Some(self.place_of(cell));
                        }
                        (None, None) => outcome.verdict.lost = true,
                    }
                }
            }
        }
        if !matches!(visit, Visit::Wipe) {
            match &mut self.tables[0] {
                Table {
                    corrected: Some(corrected),
                    ..
                } => corrected.meet(odd, even, many),
                Table { stored, .. } => stored.meet(odd, even),
            }
        }
        let generation = match sets {
            true => generation,
            false => self.modulo(generation.wrapping_sub(self.generations + 1)),
        };
        for (cell, _) in self
            .store
            .iter_mut()
            .zip(&takes[2 * self.lanes..])
            .filter(|(_, takes)| **takes)
        {
            *cell = StoreCell {
                position: positions[0],
                generation,
            };
        }
        let lanes = [0, 1].map(|table| {
            let first = table * self.lanes;
            (0..self.lanes).fold(0, |mask, lane| {
                mask | u64::from(takes[first + lane]) << lane
            })
        });
        self.taken[place(now)] = Taken {
            sets,
            generation,
            bucket,
            fingerprint,
            lanes,
        };
        match visit {
            Visit::Wipe => (outcome, Met::NOTHING),
            Visit::Item(_) | Visit::Scan => (outcome, met),
        }
    }

    /// Ends clock `now`: the slot in stage 1, if there is one, reads the buckets of its positions; then a bit flips; then what the slot in the write stage took is
    /// written, which with an error-correcting code is under way for a clock more.
    pub fn end(&mut self, now: u64, places: Places) {
        let written = self.taken[ago(now, 1)];
        for (number, table) in self.tables.iter_mut().enumerate() {
            let bucket = |positions: [u32; 2]| positions[number] & table.bucket_mask;
            let fingerprint = u64::from(written.fingerprint[number]);
            let payload = fingerprint << self.generation_bits | u64::from(written.generation);
            let takes = |lane: &usize| written.lanes[number] >> lane & 1 == 1;
            if let Some(corrected) = &mut table.corrected {
                for lane in 0..self.lanes {
                    if let Some(positions) = places.sampling {
                        corrected.sample(now, lane, bucket(positions));
                    }
                    if places.reading.is_some() {
                        table.read[place(now)][lane] = corrected.read(now, lane);
                    }
                    if takes(&lane) {
                        corrected.put(now, lane, written.bucket[number], payload);
                    }
                    if places.writing_back {
                        corrected.write_back(now, lane);
                    }
                }
                corrected.end(now);
                continue;
            }
            if let Some(positions) = places.reading {
                let first = bucket(positions) as usize * self.lanes;
                for (lane, cell) in table.read[place(now)].iter_mut().enumerate() {
                    *cell = table.stored.read(first + lane);
                }
            }
            table.stored.end_reads();
            let first = written.bucket[number] as usize * self.lanes;
            for lane in (0..self.lanes).filter(takes) {
                table.stored.write(first + lane, payload);
            }
        }
    }

    fn place_of(&self, cell: usize) -> Place {
        match cell / self.lanes {
            0 => Place::Front,
            1 => Place::Back,
            _ => Place::Store,
        }
    }

    /// Fingerprint and generation of a cell.
    fn split(&self, payload: u64) -> (u32, u32) {
        let fingerprint = (payload >> self.generation_bits) as u32;
        (fingerprint, self.modulo(payload as u32))
    }

    fn is_live(&self, generation: u32, now: u32) -> bool {
        self.modulo(now.wrapping_sub(generation)) <= self.generations
    }

    fn modulo(&self, generation: u32) -> u32 {
        generation & (u32::MAX >> (32 - self.generation_bits))
    }
}

impl Table {
    fn flaws(&self) -> Flaws {
        match &self.corrected {
            Some(corrected) => corrected.flaws(),
            None => self.stored.flaws(),
        }
    }
}

/// Where what was in a clock is kept.
fn place(clock: u64) -> usize {
    clock as usize % BACK
}

/// Where what was `clocks` clocks before `now` is kept; before the first clock there is nothing.
fn ago(now: u64, clocks: u32) -> usize {
    place(now.wrapping_sub(clocks.into()))
}
