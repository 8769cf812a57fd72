use super::ages::{Ages, Moment};
use super::cell::{Cell, Rows};
use super::memory::{Flawed, Memory};
use super::stash::{Contents, Mover, Return, Stash};
use super::tables::{CellPlace, Tables};
use crate::pipeline::Met;
use bloomline_spec::CUCKOO_TABLES;

/// What an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Cells of a row that are too old are made dead. It counts for the elements to come, or is done beside what they need.
    Scan { counts: bool },
    /// A cell whose bits were flipped is corrected, or made dead.
    Mend { lane: usize },
    /// An element of the stash goes into a row.
    Move(Mover),
}

/// Where an agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Wait,
    R1,
    R2,
    R3,
    R4,
}

/// What an agent saw of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    cell: Cell,
    /// With flipped bits, as it was read.
    flawed: Option<Flawed>,
    dead: bool,
    old: bool,
}

impl Seen {
    /// Whether the code finds it as it was written.
    fn is_sound(&self) -> bool {
        self.flawed.is_none_or(|flawed| flawed.is_sound())
    }
}

/// The agent of a table: it scans a row, or moves an element of the stash into one, through the table's second port.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    table: usize,
    rows: u32,
    row_cells: usize,
    quota: u64,
    room: u64,
    state: State,
    task: Task,
    row: u32,
    seen: Vec<Seen>,
    /// Nothing has come in its way since it read the row.
    ripe: bool,
    /// What a scan writes over old cells.
    dead: Cell,
    /// A cell that is not sound, which a mend is for.
    sick: Option<usize>,
    /// Cells of the row that were mended since it was visited last.
    mended: Vec<usize>,
    /// What the mend met in this clock, and how many bits of it were flipped.
    met: (Met, u32),
    /// `next_T`: the entry that it moves next.
    next: Option<Mover>,
    /// `sp_T`: the row that is scanned next.
    scan_row: u32,
    /// `v_T`: the cell that an element takes the place of next.
    victim: usize,
    /// `allowance_T`: elements that may still be accepted before a row is visited.
    allowance: u64,
}

/// What the agents are shown of a clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub ages: &'a Ages,
    pub rows: &'a Rows,
    pub moment: Moment,
    pub tables: &'a Tables,
    pub stash: &'a Stash,
    /// The entry of the stash that the element in the decision stage refreshes.
    pub refreshed: Option<usize>,
    /// The state is RUN, without a clear pending, so that operations start.
    pub starts: bool,
    /// With an error-correcting code: the stash is empty, so that scans start that no element needs.
    pub calm: bool,
    pub hop: usize,
}

/// Where items have the row of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InRow {
    /// In the stage in which rows are there first.
    pub entering: bool,
    /// In a stage from that one to stage 2.
    pub early: bool,
}

/// What an operation that ends does.
#[derive(Debug, Clone, Default)]
pub(super) struct End {
    pub cells: Vec<(CellPlace, Cell)>,
    /// They are mended.
    pub mends: bool,
    pub entry: Option<(usize, Return)>,
    /// The row that it visited.
    pub visited: Option<u32>,
}

impl Agent {
    /// As after reset.
    pub fn new(table: usize, rows: u64, row_cells: u32, quota: u64, room: u64) -> Agent {
        Agent {
            table,
            rows: rows as u32,
            row_cells: row_cells as usize,
            quota,
            room,
            state: State::Idle,
            task: Task::Scan { counts: true },
            row: 0,
            seen: Vec::with_capacity(row_cells as usize),
            ripe: false,
            dead: Cell::default(),
            sick: None,
            mended: Vec::new(),
            met: (Met::NOTHING, 0),
            next: None,
            scan_row: 0,
            victim: 0,
            allowance: room,
        }
    }

    /// The row that it is at, or goes to.
    pub fn row(&self) -> u32 {
        self.row
    }

    /// Whether it has room for an entry to move next.
    pub fn has_room(&self) -> bool {
        self.next.is_none()
    }

    /// Elements that may still be accepted before it visits a row.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// What a mend met in the clock that ended last, and how many bits of it were flipped.
    pub fn met(&self) -> (Met, u32) {
        self.met
    }

    /// One clock: `in_row` says where items have the agent's row, `lower_waits` whether a move stands in R4 at a lower table. Gives what the operation does that ends
    /// in this clock.
    pub fn clock(
        &mut self,
        around: &Surroundings,
        memory: Option<&mut Memory>,
        in_row: InRow,
        lower_waits: bool,
    ) -> Option<End> {
        let written = around.tables.writing(self.table);
        let disturbed = in_row.entering || written == Some(self.row);
        self.met = (Met::NOTHING, 0);
        match self.state {
            State::Idle => self.start(around, self.allowance, true),
            State::Wait => {
                if written.is_none() {
                    self.read(around.tables, memory);
                    self.ripe = !in_row.early;
                    self.state = State::R1;
                }
            }
            State::R1 => {
                self.ripe &= !disturbed;
                self.state = State::R2;
            }
            State::R2 => {
                for seen in &mut self.seen {
                    seen.dead = !around.ages.is_live(around.moment, seen.cell);
                    seen.old = around.ages.is_old(around.moment, seen.cell);
                }
                self.ripe &= !disturbed;
                self.state = State::R3;
            }
            State::R3 => {
                self.ripe &= !disturbed;
                match self.task {
                    Task::Move(mover) => {
                        let (stash, entry) = (around.stash, mover.entry);
                        self.ripe &= !stash.touched(entry)
                            && around.refreshed != Some(entry)
                            && !stash.spent(around.ages, around.moment, entry)
                            && self.seen.iter().all(Seen::is_sound);
                    }
                    Task::Scan { .. } => {
                        let bad = |&lane: &usize| {
                            !self.seen[lane].is_sound() && !self.mended.contains(&lane)
                        };
                        self.sick = (0..self.seen.len()).find(bad);
                    }
                    Task::Mend { lane } => {
                        let flawed = self.seen[lane].flawed.unwrap_or_default();
                        let met = Met {
                            corrected: flawed.corrected,
                            uncorrectable: flawed.uncorrectable,
                            ..Met::NOTHING
                        };
                        self.met = (met, flawed.flips);
                    }
                }
                self.dead = around.ages.dead(around.moment);
                self.state = State::R4;
            }
            State::R4 if self.ends(around, lower_waits) => {
                // what starts in this clock goes by the registers of this clock
                let allowance = self.allowance;
                let end = match self.task {
                    Task::Scan { counts } => self.end_scan(counts),
                    Task::Mend { lane } => self.end_mend(lane),
                    Task::Move(mover) => self.end_move(around, mover),
                };
                self.start(around, allowance, self.moves());
                return Some(end);
            }
            State::R4 => self.ripe &= !disturbed,
        }
        None
    }

    fn read(&mut self, tables: &Tables, mut memory: Option<&mut Memory>) {
        self.seen.clear();
        for (lane, &cell) in tables.row(self.table, self.row).iter().enumerate() {
            let place = self.place(lane);
            let memory = memory.as_mut();
            let flawed = memory.and_then(|memory| memory.read(place, cell));
            self.seen.push(Seen {
                cell: flawed.map_or(cell, |flawed| flawed.cell),
                flawed,
                ..Seen::default()
            });
        }
    }

    /// Cells that the scan makes dead.
    fn old(&self) -> impl Iterator<Item = usize> + '_ {
        let old = |&lane: &usize| self.seen[lane].old && self.seen[lane].is_sound();
        (0..self.seen.len()).filter(old)
    }

    fn has_old(&self) -> bool {
        self.sick.is_none() && self.old().next().is_some()
    }

    fn ends(&self, around: &Surroundings, lower_waits: bool) -> bool {
        let port_free = around.tables.writing(self.table).is_none();
        match self.task {
            Task::Scan { .. } => !self.has_old() || !self.ripe || port_free,
            Task::Mend { lane } => self.seen[lane].is_sound() || !self.ripe || port_free,
            Task::Move(_) => {
                !lower_waits && (!self.ripe || port_free && !around.stash.takes_entry())
            }
        }
    }

    /// Whether the row still holds what the agent read of it.
    pub fn row_is_as_read(&self, tables: &Tables, row: u32) -> bool {
        let cells = tables.row(self.table, row);
        let same = |(cell, seen): (&Cell, &Seen)| seen.flawed.is_some() || *cell == seen.cell;
        cells.len() == self.seen.len() && cells.iter().zip(&self.seen).all(same)
    }

    /// Whether a move stands in R4.
    pub fn waits_to_move(&self) -> bool {
        self.state == State::R4 && self.moves()
    }

    /// Whether the task is a move.
    pub fn moves(&self) -> bool {
        matches!(self.task, Task::Move(_))
    }

    fn end_scan(&mut self, counts: bool) -> End {
        let mut end = End::default();
        if self.sick.is_some() || self.has_old() && !self.ripe {
            return end;
        }
        let dead = |lane| (self.place(lane), self.dead);
        end.cells = self.old().map(dead).collect();
        end.visited = Some(self.row);
        self.mended.clear();
        self.scan_row = (self.scan_row + 1) % self.rows;
        if counts {
            self.allowance += self.quota;
        }
        end
    }

    fn end_mend(&mut self, lane: usize) -> End {
        let mut end = End::default();
        if !self.ripe {
            return end;
        }
        self.mended.push(lane);
        if let Some(flawed) = self.seen[lane].flawed.filter(|flawed| !flawed.is_sound()) {
            let cell = match flawed.corrected {
                true => flawed.cell,
                false => self.dead,
            };
            end.cells.push((self.place(lane), cell));
            end.mends = true;
        }
        end
    }

    fn end_move(&mut self, around: &Surroundings, mover: Mover) -> End {
        let mut end = End::default();
        if !self.ripe {
            let next = (self.table + 1) % CUCKOO_TABLES;
            end.entry = Some((mover.entry, Return::Aimed(next)));
            return end;
        }
        let dead = self.seen.iter().position(|seen| seen.dead);
        let lane = dead.unwrap_or(self.victim);
        end.cells.push((self.place(lane), mover.contents.cell));
        let result = if dead.is_some() {
            Return::Free
        } else {
            self.victim = (self.victim + 1) % self.row_cells;
            let mut cell = self.seen[lane].cell;
            // no element has a generation of V; it is that of a cell in which more bits were flipped than can be noticed
            cell.generation %= around.ages.values();
            let identity = around
                .rows
                .identity_in(self.table, self.row, cell.fingerprint);
            Return::Exchanged(Contents {
                base: identity.base,
                cell,
                table: (self.table + 1 + around.hop) % CUCKOO_TABLES,
            })
        };
        end.entry = Some((mover.entry, result));
        end
    }

    fn place(&self, lane: usize) -> CellPlace {
        CellPlace {
            table: self.table,
            row: self.row,
            lane,
        }
    }

    /// Begins an operation, if one may start and there is one to do; idle otherwise.
    fn start(&mut self, around: &Surroundings, allowance: u64, may_scan: bool) {
        self.state = State::Idle;
        if !around.starts {
            return;
        }
        if let Some(lane) = self.sick.take() {
            self.task = Task::Mend { lane };
            self.state = State::Wait;
            return;
        }
        let counts = allowance <= self.room - self.quota;
        let wanted = may_scan && (counts || around.calm);
        if wanted && (self.next.is_none() || allowance < self.room / 2) {
            self.task = Task::Scan { counts };
            self.row = self.scan_row;
            self.state = State::Wait;
        } else if let Some(mover) = self.next.take() {
            self.task = Task::Move(mover);
            self.row = mover.row;
            self.state = State::Wait;
        }
    }

    /// Gives it the entry that it moves next.
    pub fn hand(&mut self, mover: Mover) {
        self.next = Some(mover);
    }

    /// Ends a clock: an element was accepted, or not. While the state is not RUN, the allowance is full.
    pub fn count(&mut self, running: bool, accepted_element: bool) {
        if running {
            self.allowance -= u64::from(accepted_element);
        } else {
            self.allowance = self.room;
        }
    }

    /// Restart, and a clock with reset.
    pub fn restart(&mut self) {
        self.state = State::Idle;
        self.sick = None;
        self.mended.clear();
        self.met = (Met::NOTHING, 0);
        self.next = None;
        self.scan_row = 0;
        self.victim = 0;
        self.allowance = self.room;
    }
}
