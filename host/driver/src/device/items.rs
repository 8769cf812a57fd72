use super::session::Session;
use super::Device;
use crate::checking::Checking;
use crate::error::{in_ms, DriverError, TransportError};
use crate::transport::Transport;
use crate::verdict::Verdict;
use bloomline_spec::registers::{address, field};
use bloomline_spec::{CellOperation, FilterKind, Key, OPERATION_BITS};
use std::time::Instant;

/// Items that a bulk call makes before it lets other threads of the device in.
const ITEMS_A_TURN: usize = 64;
const SEQUENCE_MASK: u32 = (1 << field::ITEM_SEQUENCE_BITS) - 1;

/// An item for the filter, through the card's item port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its key, as wide as the device's.
    pub key: Key,
    /// What it asks for; `Remove` exists in counting filters only, and not in those updated conservatively.
    pub operation: CellOperation,
    /// What it adds: 1, but in a Count-Min sketch any amount that its amount bits hold.
    pub amount: u32,
}

impl Item {
    /// An item of amount 1.
    pub fn new(operation: CellOperation, key: Key) -> Item {
        Item {
            key,
            operation,
            amount: 1,
        }
    }
}

/// What the item port says of the last item.
#[derive(Debug, Clone, Copy)]
struct ItemResult {
    busy: bool,
    sequence: u32,
    verdict: u64,
}

impl ItemResult {
    fn of(result: u32, estimate: u32) -> ItemResult {
        ItemResult {
            busy: result >> field::ITEM_BUSY & 1 == 1,
            sequence: result >> field::ITEM_SEQUENCE & SEQUENCE_MASK,
            verdict: u64::from(result & 15) | u64::from(estimate) << 4,
        }
    }
}

/// What is told of an item that was offered where `error` hides what became of it: without its advice, which is to try again.
fn uncertain(doing: &'static str, error: &DriverError) -> DriverError {
    let why = match error {
        DriverError::Transport { source, .. } => source.to_string(),
        DriverError::ItemBusy { within, .. } => {
            format!("the item port is still busy after {}", in_ms(*within))
        }
        other => other.to_string(),
    };
    let why = why.split("; ").next().unwrap_or_default().to_owned();
    DriverError::ItemUncertain { doing, why }
}

impl<T: Transport> Device<T> {
    /// Looks a key up; changes nothing.
    ///
    /// # Errors
    /// As [`Device::apply`].
    pub fn query(&self, key: &Key) -> Result<Verdict, DriverError> {
        self.with_verdict("query", Item::new(CellOperation::Query, *key))
    }

    /// Inserts a key.
    ///
    /// # Errors
    /// As [`Device::apply`].
    pub fn insert(&self, key: &Key) -> Result<(), DriverError> {
        let item = Item::new(CellOperation::Insert, *key);
        self.offer("insert", &item).map(|_| ())
    }

    /// Looks a key up and inserts it; the verdict of a counter includes it, every other is of before.
    ///
    /// # Errors
    /// As [`Device::apply`].
    pub fn test_and_insert(&self, key: &Key) -> Result<Verdict, DriverError> {
        let item = Item::new(CellOperation::TestAndInsert, *key);
        self.with_verdict("test and insert", item)
    }

    /// Takes one from every counter of a key.
    ///
    /// # Errors
    /// As [`Device::apply`].
    pub fn remove(&self, key: &Key) -> Result<Verdict, DriverError> {
        self.with_verdict("remove", Item::new(CellOperation::Remove, *key))
    }

    /// Adds `amount` to every counter of a key and says how much it has now.
    ///
    /// # Errors
    /// As [`Device::apply`].
    pub fn update(&self, key: &Key, amount: u32) -> Result<Verdict, DriverError> {
        let item = Item {
            amount,
            ..Item::new(CellOperation::TestAndInsert, *key)
        };
        self.with_verdict("update", item)
    }

    /// Offers one item and waits until it is done; `None` for a plain insert, which has no verdict. Traffic: a read of
    /// ITEM_RESULT, a burst of writes of ITEM_OPERATION and every word of the key, then reads of ITEM_RESULT (where verdicts
    /// have an estimate, bursts with ITEM_ESTIMATE) until it is done. Over a bridge with a mailbox it waits first for another host that has not
    /// read its verdict.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] without an item port, and to remove where nothing can be removed; [`DriverError::KeyWidth`],
    /// [`DriverError::Amount`]: nothing is sent then. [`DriverError::ItemBusy`] if the port does not take it within
    /// [`Limits::command`](crate::Limits); [`DriverError::ItemUncertain`] if an item that is no query was offered, and a failed access or that time hides what
    /// became of it; if another host used the port meanwhile [`DriverError::ItemInterrupted`], or over a bridge with
    /// a mailbox, where two hosts' items never mix and hosts with this driver wait for each other, [`DriverError::VerdictLost`] at worst; [`DriverError::Verdict`], or a failed access.
    pub fn apply(&self, item: &Item) -> Result<Option<Verdict>, DriverError> {
        self.offer("item", item)
    }

    /// Offers items one after the other, in their order; their verdicts in the same order, `None` for plain inserts.
    /// `done` is told the verdicts so far from time to time, and before an error: as many as items were done. Traffic for each
    /// item: a burst of writes and a read; see [`Device::apply`]. Other threads' calls come between every 64 items.
    ///
    /// # Errors
    /// [`DriverError::Bulk`], which says which item failed, around those of [`Device::apply`]. Items are checked before the
    /// first is sent.
    pub fn apply_all(
        &self,
        items: &[Item],
        mut done: impl FnMut(&[Option<Verdict>]),
    ) -> Result<Vec<Option<Verdict>>, DriverError> {
        const DOING: &str = "items";
        let failed = |place| {
            move |source| DriverError::Bulk {
                place,
                of: items.len(),
                source: Box::new(source),
            }
        };
        for (place, item) in items.iter().enumerate() {
            self.check(DOING, item).map_err(failed(place))?;
        }
        let mut verdicts = Vec::with_capacity(items.len());
        for turn in items.chunks(ITEMS_A_TURN) {
            let mut session = self.session(DOING);
            let mut sequence = None;
            for item in turn {
                match self.item(&mut session, item, &mut sequence) {
                    Ok(verdict) => verdicts.push(verdict),
                    Err(error) => {
                        drop(session);
                        done(&verdicts);
                        return Err(failed(verdicts.len())(error));
                    }
                }
            }
            drop(session);
            done(&verdicts);
        }
        Ok(verdicts)
    }

    fn with_verdict(&self, doing: &'static str, item: Item) -> Result<Verdict, DriverError> {
        let verdict = self.offer(doing, &item)?;
        Ok(verdict.expect("every operation but a plain insert has a verdict"))
    }

    fn offer(&self, doing: &'static str, item: &Item) -> Result<Option<Verdict>, DriverError> {
        self.check(doing, item)?;
        self.item(&mut self.session(doing), item, &mut None)
    }

    /// Fails for an item that the device cannot take as it is meant.
    fn check(&self, doing: &'static str, item: &Item) -> Result<(), DriverError> {
        let common = self.design.common();
        if self.map.at(address::ITEM_RESULT).is_none() {
            let next = "items of a host need [card] in the specification and a new build";
            return Err(self.missing(doing, "item port", next.to_owned()));
        }
        let (expected, got) = (common.key_bits(), item.key.bits());
        if got != expected {
            return Err(DriverError::KeyWidth {
                doing,
                expected,
                got,
            });
        }
        if item.operation == CellOperation::Remove {
            self.needs_removal(doing)?;
        }
        let amount_bits = self.design.cells().map_or(0, |cells| cells.amount_bits());
        let (fits, most) = match u32::MAX.checked_shr(32 - amount_bits) {
            Some(most) => (item.amount <= most, most),
            None => (item.amount == 1, 1),
        };
        match fits {
            true => Ok(()),
            false => Err(DriverError::Amount {
                doing,
                most,
                got: item.amount,
            }),
        }
    }

    /// One item that was checked. `sequence` is the port's count where it is known already, and is kept up.
    fn item(
        &self,
        session: &mut Session<'_, T>,
        item: &Item,
        sequence: &mut Option<u32>,
    ) -> Result<Option<Verdict>, DriverError> {
        let start = Instant::now();
        let amount = match self.design.cells() {
            Some(cells) if cells.amount_bits() > 0 => item.amount << OPERATION_BITS,
            _ => 0,
        };
        let mut words = vec![u32::from(item.operation.code()) | amount];
        words.extend(item.key.words_32());
        let undisturbed = session.link.checking() == Some(Checking::Mailbox);
        let (result, expected) = loop {
            let before = match (*sequence, undisturbed) {
                (_, true) => self.offered_alone(session, item.operation, &words, start)?,
                (before, false) => self.offered(session, &words, before, start)?,
            };
            let result = self
                .idle(session, start)
                .map_err(|error| match item.operation {
                    // It changes nothing, so it can be made again.
                    CellOperation::Query => error,
                    _ => uncertain(session.doing, &error),
                })?;
            let expected = before.wrapping_add(1) & SEQUENCE_MASK;
            // A query whose verdict another host's item has taken the place of changed nothing, so it is made again.
            let again = undisturbed && item.operation == CellOperation::Query;
            if result.sequence == expected || !again {
                break (result, expected);
            }
            self.within(session, start)?;
        };
        if result.sequence != expected {
            let doing = session.doing;
            return match (undisturbed, item.operation.has_verdict()) {
                (true, false) => Ok(None),
                (true, true) => Err(DriverError::VerdictLost { doing }),
                (false, _) => Err(DriverError::ItemInterrupted {
                    doing,
                    expected,
                    got: result.sequence,
                }),
            };
        }
        *sequence = Some(expected);
        if !item.operation.has_verdict() {
            return Ok(None);
        }
        let verdict = Verdict::from_bits(&self.design, result.verdict);
        verdict.map(Some).ok_or(DriverError::Verdict {
            doing: session.doing,
            bits: result.verdict,
        })
    }

    /// Offers an item, one that another host does not come into as far as is known; the port's count before it, where that is not known.
    fn offered(
        &self,
        session: &mut Session<'_, T>,
        words: &[u32],
        before: Option<u32>,
        start: Instant,
    ) -> Result<u32, DriverError> {
        let before = match before {
            Some(before) => before,
            None => self.idle(session, start)?.sequence,
        };
        let within = session.accesses(words.len());
        while let Err(error) = session
            .link
            .write_burst(address::ITEM_OPERATION, words, within)
        {
            self.unless_busy(session, error, start)?;
        }
        Ok(before)
    }

    /// Offers an item that no other host comes into; the port's count before it. Where the bridge cannot say whether the last write was made, the port's count
    /// can, unless another host's item moved it: if it stands, there was no item, and it is offered again. A query is, whatever the count says.
    fn offered_alone(
        &self,
        session: &mut Session<'_, T>,
        operation: CellOperation,
        words: &[u32],
        start: Instant,
    ) -> Result<u32, DriverError> {
        let count = |result: u32| (result >> field::ITEM_SEQUENCE) & SEQUENCE_MASK;
        let registers = self.result_registers();
        let within = session.accesses(registers + words.len());
        loop {
            let mut result = [0; 2];
            let (read, write) = (address::ITEM_RESULT, address::ITEM_OPERATION);
            let link = &mut session.link;
            let values = &mut result[..registers];
            match link.read_then_write(read, values, write, words, within) {
                Ok(()) => {
                    let [result, _] = result;
                    // One that was busy when it was read had done another host's item by the time it took this one.
                    let busy = result >> field::ITEM_BUSY & 1;
                    return Ok(count(result) + busy);
                }
                Err(error @ TransportError::Unknown { .. }) => {
                    let busy = result[0] >> field::ITEM_BUSY & 1;
                    let before = (count(result[0]) + busy) & SEQUENCE_MASK;
                    let stands = match (self.idle(session, start), operation) {
                        (Ok(result), _) => result.sequence == before,
                        (Err(error), CellOperation::Query) => return Err(error),
                        (Err(error), _) => return Err(uncertain(session.doing, &error)),
                    };
                    if !stands && operation != CellOperation::Query {
                        return Err(DriverError::while_(session.doing)(error));
                    }
                    self.within(session, start)?;
                }
                Err(error) => self.unless_busy(session, error, start)?,
            }
        }
    }

    /// Fails unless the port is busy with another host's item, which changes nothing, and there is time left.
    fn unless_busy(
        &self,
        session: &Session<'_, T>,
        error: TransportError,
        start: Instant,
    ) -> Result<(), DriverError> {
        match error {
            TransportError::Refused { address } if address == address::ITEM_OPERATION => {
                self.within(session, start)
            }
            error => Err(DriverError::while_(session.doing)(error)),
        }
    }

    /// Reads until the port is not busy.
    fn idle(
        &self,
        session: &mut Session<'_, T>,
        start: Instant,
    ) -> Result<ItemResult, DriverError> {
        loop {
            let result = self.result(session)?;
            if !result.busy {
                return Ok(result);
            }
            self.within(session, start)?;
        }
    }

    fn within(&self, session: &Session<'_, T>, start: Instant) -> Result<(), DriverError> {
        let within = self.limits.command;
        match start.elapsed() < within {
            true => Ok(()),
            false => Err(DriverError::ItemBusy {
                doing: session.doing,
                within,
            }),
        }
    }

    /// Registers that tell of an item's result: verdicts of some kinds have an estimate.
    fn result_registers(&self) -> usize {
        match self.map.at(address::ITEM_ESTIMATE) {
            Some(_) => 2,
            None => 1,
        }
    }

    fn result(&self, session: &mut Session<'_, T>) -> Result<ItemResult, DriverError> {
        let mut words = [0; 2];
        let registers = self.result_registers();
        if registers > 1 && session.link.checking() == Some(Checking::Mailbox) {
            // Of two registers the second would show other hosts that the item is done.
            session.burst(address::ITEM_RESULT, &mut words[..1])?;
            let [result, _] = words;
            if result >> field::ITEM_BUSY & 1 == 1 {
                return Ok(ItemResult::of(result, 0));
            }
        }
        session.burst(address::ITEM_RESULT, &mut words[..registers])?;
        let [result, estimate] = words;
        Ok(ItemResult::of(result, estimate))
    }
}

impl<T: Transport> Device<T> {
    /// Fails unless keys can be removed, which only counters of a filter without a window and conservative update allow.
    fn needs_removal(&self, doing: &'static str) -> Result<(), DriverError> {
        let cells = self.design.cells();
        if cells.is_some_and(|cells| cells.removes()) {
            return Ok(());
        }
        let kind = self.design.kind();
        let reason = match cells {
            Some(cells) if kind == FilterKind::Counting && cells.conservative() => {
                "filter.conservative is true: removing needs a specification without it and a new build".to_owned()
            }
            Some(_) if kind == FilterKind::Counting => {
                "filter.counting.window is given: removing needs a specification without it and a new build".to_owned()
            }
            _ => format!(
                "filter.kind is {:?}: removing needs filter.kind = {:?} in the specification and a new build",
                kind.word(),
                FilterKind::Counting.word()
            ),
        };
        Err(self.missing(doing, "operation to remove a key", reason))
    }
}
