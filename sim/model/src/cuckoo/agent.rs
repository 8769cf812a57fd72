use super::ages::{Ages, Moment};
use super::cell::{Cell, Rows};
use super::stash::{Contents, Mover, Return, Stash};
use super::tables::{CellPlace, Tables};
use bloomline_spec::CUCKOO_TABLES;

/// What an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Cells of a row that are too old are made dead.
    Scan,
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
    dead: bool,
    old: bool,
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
    pub hop: usize,
}

/// What an operation that ends does.
#[derive(Debug, Clone, Default)]
pub(super) struct End {
    pub cells: Vec<(CellPlace, Cell)>,
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
            task: Task::Scan,
            row: 0,
            seen: Vec::with_capacity(row_cells as usize),
            ripe: false,
            dead: Cell::default(),
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

    /// One clock: `have_row` says whether items in the stages 0, 1, 2 have the agent's row, `lower_moves` whether a move ends at a lower table. Gives
    /// what the operation does that ends in this clock.
    pub fn clock(
        &mut self,
        around: &Surroundings,
        have_row: [bool; 3],
        lower_moves: bool,
    ) -> Option<End> {
        let written = around.tables.writing(self.table);
        let disturbed = have_row[0] || written == Some(self.row);
        match self.state {
            State::Idle => self.start(around.starts, self.allowance, true),
            State::Wait => {
                if written.is_none() {
                    self.read(around.tables);
                    self.ripe = !have_row.contains(&true);
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
                if let Task::Move(mover) = self.task {
                    let (stash, entry) = (around.stash, mover.entry);
                    self.ripe &= !stash.touched(entry)
                        && around.refreshed != Some(entry)
                        && !stash.spent(around.ages, around.moment, entry);
                }
                self.dead = around.ages.dead(around.moment);
                self.state = State::R4;
            }
            State::R4 if self.ends(around, lower_moves) => {
                // what starts in this clock goes by the registers of this clock
                let allowance = self.allowance;
                let end = match self.task {
                    Task::Scan => self.end_scan(),
                    Task::Move(mover) => self.end_move(around, mover),
                };
                self.start(around.starts, allowance, self.task != Task::Scan);
                return Some(end);
            }
            State::R4 => self.ripe &= !disturbed,
        }
        None
    }

    fn read(&mut self, tables: &Tables) {
        let cells = tables.row(self.table, self.row).iter();
        self.seen.clear();
        self.seen.extend(cells.map(|&cell| Seen {
            cell,
            ..Seen::default()
        }));
    }

    fn has_old(&self) -> bool {
        self.seen.iter().any(|seen| seen.old)
    }

    fn ends(&self, around: &Surroundings, lower_moves: bool) -> bool {
        let port_free = around.tables.writing(self.table).is_none();
        match self.task {
            Task::Scan => !self.has_old() || !self.ripe || port_free,
            Task::Move(_) => {
                !lower_moves && (!self.ripe || port_free && !around.stash.takes_entry())
            }
        }
    }

    /// Whether the row still holds what the agent read of it.
    pub fn row_is_as_read(&self, tables: &Tables, row: u32) -> bool {
        let cells = tables.row(self.table, row).iter();
        cells.eq(self.seen.iter().map(|seen| &seen.cell))
    }

    /// Whether the task is a move.
    pub fn moves(&self) -> bool {
        matches!(self.task, Task::Move(_))
    }

    fn end_scan(&mut self) -> End {
        let mut end = End::default();
        if self.has_old() && !self.ripe {
            return end;
        }
        for (lane, _) in (0..).zip(&self.seen).filter(|(_, seen)| seen.old) {
            end.cells.push((self.place(lane), self.dead));
        }
        end.visited = Some(self.row);
        self.scan_row = (self.scan_row + 1) % self.rows;
        self.allowance += self.quota;
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
            let cell = self.seen[lane].cell;
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
    fn start(&mut self, starts: bool, allowance: u64, may_scan: bool) {
        self.state = State::Idle;
        if !starts {
            return;
        }
        let wanted = may_scan && allowance <= self.room - self.quota;
        if wanted && (self.next.is_none() || allowance < self.room / 2) {
            self.task = Task::Scan;
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
        self.next = None;
        self.scan_row = 0;
        self.victim = 0;
        self.allowance = self.room;
    }
}
