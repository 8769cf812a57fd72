use super::ages::{Ages, Moment};
use super::cell::{Cell, Identity, Rows};
use bloomline_spec::CUCKOO_TABLES;

/// What an entry of the stash holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Contents {
    pub base: u32,
    pub cell: Cell,
    /// The table that it is aimed at.
    pub table: usize,
}

impl Contents {
    pub fn identity(&self) -> Identity {
        Identity {
            base: self.base,
            fingerprint: self.cell.fingerprint,
        }
    }
}

/// An entry as its registers have it.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    used: bool,
    /// An agent has it, or is about to get it.
    flying: bool,
    /// It was refreshed since it was picked.
    touched: bool,
    /// Its element was old in this clock or before: its age does not come round.
    spent: bool,
    contents: Contents,
}

/// An entry on its way to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mover {
    pub entry: usize,
    pub contents: Contents,
    /// Its row in the table that it is aimed at.
    pub row: u32,
}

/// What an item in the decision stage does to the stash: its registers have it two clocks later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Take { entry: usize, contents: Contents },
    Refresh { entry: usize, generation: u32 },
}

/// What the end of a move does to its entry: its registers have it in the next clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Return {
    /// The element stands in a row.
    Free,
    /// It took the place of another one, which is here now.
    Exchanged(Contents),
    /// The move was not done; it is aimed at another table.
    Aimed(usize),
}

/// The stash, and the search for entries that are to be moved.
#[derive(Debug, Clone)]
pub(super) struct Stash {
    limit: u32,
    patience_clocks: u32,
    entries: Box<[Entry]>,
    /// What the decision of the last clock does.
    pending: Option<Change>,
    filled: u32,
    hold: u32,
    pick: Option<usize>,
    picked_last: Option<usize>,
    cand: Option<Mover>,
}

impl Stash {
    /// As after reset.
    pub fn new(cells: u32, limit: u32, patience_clocks: u32) -> Stash {
        Stash {
            limit,
            patience_clocks,
            entries: vec![Entry::default(); cells as usize].into(),
            pending: None,
            filled: 0,
            hold: 0,
            pick: None,
            picked_last: None,
            cand: None,
        }
    }

    /// Entries used in this clock.
    pub fn used(&self) -> u32 {
        self.entries.iter().filter(|entry| entry.used).count() as u32
    }

    /// Whether it was empty in the clock before.
    pub fn calm(&self) -> bool {
        self.filled == 0
    }

    fn full(&self) -> bool {
        self.filled > self.limit
    }

    /// Whether the stream is held for the stash.
    pub fn held(&self) -> bool {
        self.full() && self.hold < self.patience_clocks
    }

    /// The entry that holds a live element of this identity, as decisions of earlier clocks leave the stash.
    pub fn find(&self, ages: &Ages, moment: Moment, identity: Identity) -> Option<usize> {
        (0..self.entries.len()).find(|&entry| {
            self.decided(entry).is_some_and(|contents| {
                contents.identity() == identity && ages.is_live(moment, contents.cell)
            })
        })
    }

    /// An entry as decisions of earlier clocks leave it.
    fn decided(&self, place: usize) -> Option<Contents> {
        let entry = &self.entries[place];
        let mut contents = (entry.used && !entry.spent).then_some(entry.contents);
        match self.pending {
            Some(Change::Take { entry, contents }) if entry == place => return Some(contents),
            Some(Change::Refresh { entry, generation }) if entry == place => {
                if let Some(contents) = &mut contents {
                    contents.cell.generation = generation;
                }
            }
            _ => {}
        }
        contents
    }

    /// The entry that an element takes in this clock.
    pub fn lowest_free(&self) -> Option<usize> {
        let taken = match self.pending {
            Some(Change::Take { entry, .. }) => Some(entry),
            _ => None,
        };
        let free = |&entry: &usize| !self.entries[entry].used && Some(entry) != taken;
        (0..self.entries.len()).find(free)
    }

    /// Whether the slot in the write stage takes an entry.
    pub fn takes_entry(&self) -> bool {
        matches!(self.pending, Some(Change::Take { .. }))
    }

    /// Whether an entry was refreshed since it was picked.
    pub fn touched(&self, entry: usize) -> bool {
        self.entries[entry].touched
    }

    /// Whether the element of an entry is old, or has been.
    pub fn spent(&self, ages: &Ages, moment: Moment, entry: usize) -> bool {
        let entry = &self.entries[entry];
        entry.spent || ages.is_old(moment, entry.contents.cell)
    }

    /// One clock of the way to the agents: gives the entry that is handed on, and the one that is picked. `takes` says whether the agent of a table has
    /// room.
    fn search(
        &mut self,
        rows: &Rows,
        takes: [bool; CUCKOO_TABLES],
    ) -> (Option<Mover>, Option<usize>) {
        let handed = self.cand.filter(|mover| takes[mover.contents.table]);
        let moves_on = self.cand.is_none() || handed.is_some();
        let mut picked = None;
        if self.pick.is_none() || moves_on {
            let wanted = |&entry: &usize| {
                let entry = &self.entries[entry];
                entry.used && !entry.flying && !entry.spent
            };
            let above = self.picked_last.map_or(0, |last| last + 1);
            picked = (above..self.entries.len())
                .find(wanted)
                .or_else(|| (0..self.entries.len()).find(wanted));
            if moves_on {
                self.cand = self.pick.map(|entry| {
                    let contents = self.entries[entry].contents;
                    Mover {
                        entry,
                        contents,
                        row: rows.row(contents.table, contents.identity()),
                    }
                });
            }
            self.pick = picked;
            self.picked_last = picked.or(self.picked_last);
        }
        (handed, picked)
    }

    /// Ends a clock: `takes` says which agents have room, `change` what the item in the decision stage does, `returned` what an agent does with its entry.
    /// Gives the entry that is handed to an agent.
    pub fn clock(
        &mut self,
        (ages, rows): (&Ages, &Rows),
        moment: Moment,
        takes: [bool; CUCKOO_TABLES],
        change: Option<Change>,
        returned: Option<(usize, Return)>,
    ) -> Option<Mover> {
        self.hold = if self.full() {
            (self.hold + 1).min(self.patience_clocks)
        } else {
            0
        };
        self.filled = self.used();
        let (handed, picked) = self.search(rows, takes);
        // of an entry that is not used nothing is asked
        let used = self.entries.iter_mut().enumerate();
        for (place, entry) in used.filter(|(_, entry)| entry.used) {
            entry.spent |= ages.is_old(moment, entry.contents.cell);
            entry.used &= entry.flying || picked == Some(place) || !entry.spent;
        }
        if let Some(picked) = picked {
            self.entries[picked].flying = true;
            self.entries[picked].touched = false;
        }
        if let Some((place, result)) = returned {
            let entry = &mut self.entries[place];
            entry.flying = false;
            match result {
                Return::Free => entry.used = false,
                Return::Exchanged(contents) => {
                    entry.contents = contents;
                    entry.spent = ages.is_old(moment, contents.cell);
                }
                Return::Aimed(table) => entry.contents.table = table,
            }
        }
        match std::mem::replace(&mut self.pending, change) {
            Some(Change::Take { entry, contents }) => {
                self.entries[entry].used = true;
                self.entries[entry].spent = false;
                self.entries[entry].contents = contents;
            }
            Some(Change::Refresh { entry, generation }) => {
                self.entries[entry].contents.cell.generation = generation;
                self.entries[entry].spent = false;
            }
            None => {}
        }
        if let Some(Change::Refresh { entry, .. }) = change {
            self.entries[entry].touched = true;
        }
        handed
    }

    /// Restart, and a clock with reset.
    pub fn restart(&mut self) {
        *self = Stash::new(self.entries.len() as u32, self.limit, self.patience_clocks);
    }
}
