//! Register accesses over a bus bridge that a host reaches by messages: what uartbone and Etherbone have in common.

use crate::checking::Checking;
use crate::error::{TagProblem, TransportError};
use crate::line::deadline;
use crate::mailbox::{self, Record, Request};
use crate::transport::{Transport, Within};
use bloomline_spec::host_port::{HOST_AUTH_LOADED, HOST_AUTH_TAGGED};
use bloomline_spec::registers::{address, field, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};
use bloomline_spec::SplitMix64;
use std::io;
use std::time::{Duration, Instant};

/// How many reads in a row must give the same values for [`Checking::Agree`].
pub const AGREEING_READS: u32 = 3;
/// Reads after which [`Checking::Agree`] gives up on values that keep changing.
pub const READS_TO_AGREE: u32 = 12;
/// Words that one message can ask for or carry.
const LONGEST_MESSAGE: usize = 255;
/// Damaged or missing answers at the mailbox's address after which [`BridgeLink::probe`] asks whether the bridge answers at all, and answers without an access after
/// which a secret is taken for wrong.
const MAILBOX_TRIES: u32 = 3;

/// Half the longest pause behind the first access that another host's took the place of.
const FIRST_PAUSE: Duration = Duration::from_micros(500);
/// How often the longest pause doubles with further ones.
const MOST_DOUBLINGS: u32 = 6;

/// How long a host that wrote is given to read what came of it, in times that an answer took, and at least.
const ANSWERS_TO_A_RESULT: u32 = 16;
const LEAST_TO_A_RESULT: Duration = Duration::from_millis(200);

/// Losses of a read that stands alone before it pauses.
const LOSSES_OF_READS: u32 = 3;

/// No answer to one message.
#[derive(Debug)]
pub enum Lost {
    /// Nothing complete came in the time that a message is given.
    Silence,
    /// The line failed.
    Line(io::Error),
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Lost {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Lost::Silence,
            _ => Lost::Line(error),
        }
    }
}

/// How long a message waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// As long as an answer usually takes: the message can be sent again.
    Usual,
    /// To the end: the message must not be sent again.
    Whole,
}

/// A way to carry messages to a bridge and answers back.
pub trait Carrier: Send {
    /// The line's time.
    fn now(&self) -> Instant;

    /// A new access begins: that an answer to the one before was lost says nothing about it.
    fn begin(&mut self) {}

    /// Before the next message, waits for what may still come of earlier ones: an answer was not what was asked for.
    fn unsettle(&mut self) {}

    /// Waits; what comes meanwhile is thrown away.
    ///
    /// # Errors
    /// The line's.
    fn pause(&mut self, until: Instant) -> io::Result<()>;

    /// Told before the first message where the bridge has a mailbox.
    fn has_mailbox(&mut self) {}

    /// Writes `words` from a byte address on, if asked to, then reads `values.len()` words (1 to 255) from `from` on: one
    /// message there, one back. Waits until the time a message is given is over or until `until`, whichever is first.
    ///
    /// # Errors
    /// [`Lost`]; the write may have been carried out then.
    fn carry(
        &mut self,
        write: Option<(u32, &[u32])>,
        from: u32,
        values: &mut [u32],
        wait: Wait,
        until: Instant,
    ) -> Result<(), Lost>;
}

/// The secret of tags, which is not printed.
#[derive(Clone, Copy)]
struct Secret(u128);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The transport over a [`Carrier`].
#[derive(Debug)]
pub struct BridgeLink<C> {
    carrier: C,
    base: u32,
    checking: Checking,
    tag: u16,
    /// Accesses that the bridge has made, as far as known.
    count: Option<u32>,
    /// The count that this host's last access made.
    own: Option<u32>,
    /// The last access of another host that was seen: what stood before this host's own.
    others: Option<Record>,
    /// Accesses in a row that another host's took the place of.
    losses: u32,
    /// How long the pauses behind them are.
    random: SplitMix64,
    /// Under which requests get a tag.
    secret: Option<Secret>,
    /// What the device's magic reads as, for [`Checking::Agree`].
    magic: Option<u32>,
}

impl<C: Carrier> BridgeLink<C> {
    /// A device whose registers start at byte address `base` of the bridge's bus.
    pub fn new(mut carrier: C, base: u32, checking: Checking) -> BridgeLink<C> {
        if checking == Checking::Mailbox {
            carrier.has_mailbox();
        }
        BridgeLink {
            carrier,
            base,
            checking,
            tag: starting_tag(),
            count: None,
            own: None,
            others: None,
            losses: 0,
            random: SplitMix64::new(starting_tag().into()),
            secret: None,
            magic: None,
        }
    }

    /// A device whose registers start at byte address `base`, behind a bridge that must have a mailbox. Lost and damaged messages are repeated until the
    /// time is over; they never lower the checking: a bridge without a mailbox is used only where [`BridgeLink::new`] says so.
    ///
    /// # Errors
    /// [`TransportError::NoMailbox`] when the bridge answers, but never at its mailbox; [`TransportError::Timeout`] when nothing answers, or
    /// [`TransportError::Link`].
    pub fn probe(carrier: C, base: u32, within: Within) -> Result<BridgeLink<C>, TransportError> {
        let mut link = BridgeLink::new(carrier, base, Checking::Mailbox);
        let until = deadline(link.carrier.now(), within);
        let mut tries = 0;
        let mut answers = false;
        while link.carrier.now() < until {
            match link.record(None, until) {
                Ok(record) => {
                    link.count = Some(record.count);
                    return Ok(link);
                }
                Err(Lost::Line(error)) => return Err(line_failed(0, error)),
                Err(Lost::Silence) => tries += 1,
            }
            let from = base.wrapping_add(address::MAGIC);
            if tries >= MAILBOX_TRIES && !answers {
                let carried = link.carrier.carry(None, from, &mut [0], Wait::Usual, until);
                answers = carried.is_ok();
            }
        }
        Err(if answers {
            TransportError::NoMailbox
        } else {
            TransportError::Timeout { address: 0, within }
        })
    }

    /// Asks whether the bridge takes requests only with a tag, and makes requests have one under `secret` if so. What the bridge says must come twice.
    ///
    /// # Errors
    /// [`TransportError::Tag`] when the bridge needs a secret that is not given or not loaded, or needs none; [`TransportError::Timeout`] when it does not answer,
    /// or [`TransportError::Link`].
    pub fn authorise(
        &mut self,
        secret: Option<u128>,
        within: Within,
    ) -> Result<(), TransportError> {
        let until = deadline(self.carrier.now(), within);
        // To some bridges the reads below are accesses: what another host did last is seen before them.
        let half = self.carrier.now() + until.saturating_duration_since(self.carrier.now()) / 2;
        let known = loop {
            match self.record(None, half) {
                Ok(record) => break Some(record.count),
                Err(Lost::Silence) if self.carrier.now() < half => {}
                Err(_) => break None,
            }
        };
        let mut asked = 0;
        let mut before = None;
        while self.carrier.now() < until {
            let mut says = [0];
            asked += 1;
            let from = mailbox::AUTH;
            match self
                .carrier
                .carry(None, from, &mut says, Wait::Usual, until)
            {
                Ok(()) => {}
                Err(Lost::Silence) => continue,
                Err(Lost::Line(error)) => return Err(line_failed(from, error)),
            }
            let [says] = says;
            if before.replace(says) != Some(says) {
                continue;
            }
            // To a bridge without this word each was an access like any other.
            self.count = None;
            self.own = known.map(|count| count.wrapping_add(asked));
            let tagged = says & !(1 << HOST_AUTH_LOADED) == HOST_AUTH_TAGGED;
            let loaded = says >> HOST_AUTH_LOADED & 1 == 1;
            let why = match (tagged, loaded, secret) {
                (false, _, None) => return Ok(()),
                (true, true, Some(_)) => {
                    self.secret = secret.map(Secret);
                    return Ok(());
                }
                (false, _, Some(_)) => TagProblem::NotAsked,
                (true, false, _) => TagProblem::NotLoaded,
                (true, true, None) => TagProblem::NotGiven,
            };
            return Err(TransportError::Tag { why });
        }
        Err(TransportError::Timeout {
            address: mailbox::AUTH,
            within,
        })
    }

    /// What checks the accesses.
    pub fn checking(&self) -> Checking {
        self.checking
    }

    /// The carrier, as it stands.
    pub fn carrier(&self) -> &C {
        &self.carrier
    }

    /// The carrier, to be changed.
    pub fn carrier_mut(&mut self) -> &mut C {
        &mut self.carrier
    }

    /// Gives the carrier back.
    pub fn into_carrier(self) -> C {
        self.carrier
    }

    /// The address on the bridge's bus.
    fn on_bus(&self, address: u32) -> Result<u32, TransportError> {
        match self.base.checked_add(address) {
            Some(on_bus) if address.is_multiple_of(4) => Ok(on_bus),
            _ => Err(TransportError::NoRegister { address }),
        }
    }

    /// Sends `request`, if there is one, and reads the bridge's record; a damaged one counts as none.
    fn record(&mut self, request: Option<&Request>, until: Instant) -> Result<Record, Lost> {
        let words = request.map(|request| match self.secret {
            Some(Secret(secret)) => request.encode_with_tag(secret).to_vec(),
            None => request.encode().to_vec(),
        });
        let write = words.as_ref().map(|words| (mailbox::REQUEST, &words[..]));
        let mut record = [0; mailbox::RECORD_WORDS];
        self.carrier
            .carry(write, mailbox::RECORD, &mut record, Wait::Usual, until)?;
        let Some(record) = Record::decode(&record) else {
            // On a stream the answer may be the end of an earlier one and the beginning of this one: without a pause every further answer would be too.
            self.carrier.unsettle();
            return Err(Lost::Silence);
        };
        if request.is_some_and(|request| record.answers(request)) {
            self.own = Some(record.count);
        } else if self.own != Some(record.count) {
            self.others = Some(record);
        }
        Ok(record)
    }

    /// One access through the mailbox. With `follows` it is made only if no other access came since the last of this host;
    /// `None` if one did.
    fn through_mailbox(
        &mut self,
        address: u32,
        data: Option<u32>,
        follows: bool,
        until: Instant,
        within: Within,
    ) -> Result<Option<u32>, TransportError> {
        let on_bus = self.on_bus(address)?;
        self.tag = self.tag.wrapping_add(1);
        // A write goes by a count that was read just before it, so that few accesses of others can lie between.
        let known = match data {
            Some(_) => self.count.take(),
            None => self.count,
        };
        // Sent, and neither seen to be carried out nor beyond being carried out.
        let mut open = false;
        // The last message was waited for as long as is usual, and had no answer. A wait that the end of the access cut short does not count.
        let mut silent = false;
        // Answers in a row that tell of no access: under a wrong secret every one does.
        let mut not_taken = 0;
        let ended = |open: bool, otherwise: TransportError| match data {
            Some(value) if open => TransportError::Unknown {
                address,
                value,
                why: format!("{otherwise}"),
            },
            _ => otherwise,
        };
        while self.carrier.now() < until {
            let Some(expect) = self.count else {
                match self.record(None, until) {
                    Ok(record) => {
                        silent = false;
                        self.count = Some(record.count);
                        if follows && self.count != known {
                            self.give_way(address, until)?;
                            return Ok(None);
                        }
                    }
                    Err(Lost::Silence) => silent |= self.carrier.now() < until,
                    Err(Lost::Line(error)) => return Err(line_failed(address, error)),
                }
                continue;
            };
            let request = Request {
                tag: self.tag,
                write: data.is_some(),
                address: on_bus,
                data: data.unwrap_or(0),
                expect,
            };
            let record = match self.record(Some(&request), until) {
                Ok(record) => record,
                Err(Lost::Silence) => {
                    open = true;
                    silent |= self.carrier.now() < until;
                    continue;
                }
                Err(Lost::Line(error)) => return Err(ended(true, line_failed(address, error))),
            };
            silent = false;
            if record.count == expect {
                // Damaged on its way there, or told by an answer of before: not carried out so far.
                open = true;
                not_taken += 1;
                continue;
            }
            not_taken = 0;
            self.count = Some(record.count);
            if record.answers(&request) {
                return match record.response {
                    RESPONSE_OKAY => Ok(Some(record.data)),
                    RESPONSE_SLVERR => Err(TransportError::Refused { address }),
                    RESPONSE_DECERR => Err(TransportError::NoRegister { address }),
                    _ => Err(ended(true, TransportError::Timeout { address, within })),
                };
            }
            // Another host's access took the place of this one, so this one was not made and will not be. If more than one
            // came since the count was read, this one may have been the first of them: the answer to a doubled request can be
            // that to its second copy.
            if record.count != expect.wrapping_add(1) && data.is_some() {
                return Err(TransportError::Unknown {
                    address,
                    value: request.data,
                    why: "other hosts' accesses came at the same time".to_owned(),
                });
            }
            open = false;
            // A read that stands alone first goes on at once: it may be that of a verdict, which another host's next item takes the place of.
            if follows || data.is_some() || self.losses >= LOSSES_OF_READS {
                self.give_way(address, until)?;
            } else {
                self.losses += 1;
            }
            if follows {
                return Ok(None);
            }
        }
        let otherwise = match self.secret {
            Some(_) if not_taken >= MAILBOX_TRIES => TransportError::Tag {
                why: TagProblem::NotTaken,
            },
            _ if self.losses > 0 && !silent => TransportError::Starved { address, within },
            _ => TransportError::Timeout { address, within },
        };
        Err(ended(open, otherwise))
    }

    /// Pauses behind a loss to another host, at random and the longer the more there were: two that go on at once, in the same rhythm, would
    /// lose the same way again, or each break the other's sequence, until the time is over.
    fn give_way(&mut self, address: u32, until: Instant) -> Result<(), TransportError> {
        self.losses = (self.losses + 1).min(MOST_DOUBLINGS);
        let longest = (FIRST_PAUSE * (1 << self.losses)).as_nanos() as u64;
        let pause = Duration::from_nanos(self.random.next_word() % longest);
        let end = until.min(self.carrier.now() + pause);
        let paused = self.carrier.pause(end);
        // What it was before the pause it is no longer, if the other goes on.
        self.count = None;
        paused.map_err(|error| line_failed(address, error))
    }

    /// A burst through the mailbox that no other host's access interrupts: begun again when one did.
    fn burst_through_mailbox(
        &mut self,
        address: u32,
        values: &mut [u32],
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let each = share(within, values.len());
        'burst: loop {
            for (place, value) in (0u32..).zip(values.iter_mut()) {
                let address = address.wrapping_add(4 * place);
                let until = self.at_most(each, until);
                match self.through_mailbox(address, None, place > 0, until, each)? {
                    Some(read) => *value = read,
                    None => continue 'burst,
                }
            }
            self.losses = 0;
            return Ok(());
        }
    }

    /// Reads once, as often as it takes for an answer to come.
    fn unchecked(
        &mut self,
        address: u32,
        values: &mut [u32],
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let on_bus = self.on_bus(address)?;
        while self.carrier.now() < until {
            match self.carrier.carry(None, on_bus, values, Wait::Usual, until) {
                Ok(()) => return Ok(()),
                Err(Lost::Silence) => {}
                Err(Lost::Line(error)) => return Err(line_failed(address, error)),
            }
        }
        Err(TransportError::Timeout { address, within })
    }

    /// Reads until enough reads in a row agree and the magic between them is what it always was.
    fn agreeing(
        &mut self,
        address: u32,
        values: &mut [u32],
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let mut before = vec![0; values.len()];
        let mut agree = 0;
        let mut usual = self.magic;
        for _ in 0..READS_TO_AGREE {
            self.unchecked(address, values, until, within)?;
            agree = if before == values { agree + 1 } else { 1 };
            let mut magic = [0];
            self.unchecked(address::MAGIC, &mut magic, until, within)?;
            let [magic] = magic;
            if usual.is_some_and(|usual| usual != magic) {
                self.carrier.unsettle();
                agree = 0;
            }
            // Until one agreement has settled what is usual, it is what came last.
            usual = self.magic.or(Some(magic));
            if agree == AGREEING_READS {
                self.magic = usual;
                return Ok(());
            }
            before.copy_from_slice(values);
        }
        let differ = before.iter().zip(values.iter()).position(|(a, b)| a != b);
        let place = differ.unwrap_or(0);
        Err(TransportError::Unsteady {
            address: address.wrapping_add(4 * place as u32),
            reads: READS_TO_AGREE,
        })
    }

    /// A write over a plain bridge, which says nothing about it: what is read after it shows that it was taken.
    fn plain_write(
        &mut self,
        address: u32,
        value: u32,
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let on_bus = self.on_bus(address)?;
        let unknown = |why: String| TransportError::Unknown {
            address,
            value,
            why,
        };
        let read_back = self.checking == Checking::Agree;
        let from = if read_back { on_bus } else { self.base };
        let mut read = [0];
        let write = Some((on_bus, &[value][..]));
        match self
            .carrier
            .carry(write, from, &mut read, Wait::Whole, until)
        {
            Ok(()) => {}
            Err(Lost::Silence) => return Err(unknown("no answer came after it".to_owned())),
            Err(Lost::Line(error)) => return Err(unknown(line_failed(address, error).to_string())),
        }
        if !read_back {
            return Ok(());
        }
        self.agreeing(address, &mut read, until, within)
            .map_err(|error| unknown(error.to_string()))?;
        match read {
            [read] if read == value => Ok(()),
            [read] => Err(unknown(format!("the register reads as 0x{read:08X}"))),
        }
    }

    /// Reads and writes through the mailbox between which no other host's access comes: begun again when one did.
    fn undisturbed(
        &mut self,
        (read, values): (u32, &mut [u32]),
        (write, words): (u32, &[u32]),
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let each = share(within, values.len() + words.len());
        'whole: loop {
            // The first access follows the one that showed nobody unfinished, so none of another's came since.
            self.let_others_finish((read, values.len()), (write, words.len()), until)?;
            for (place, value) in (0u32..).zip(values.iter_mut()) {
                let address = read.wrapping_add(4 * place);
                let until = self.at_most(each, until);
                match self.through_mailbox(address, None, true, until, each)? {
                    Some(read) => *value = read,
                    None => continue 'whole,
                }
            }
            for (place, &word) in (0u32..).zip(words) {
                let address = write.wrapping_add(4 * place);
                let its = self.at_most(each, until);
                match self.through_mailbox(address, Some(word), true, its, each) {
                    Ok(Some(_)) => {}
                    Ok(None) => continue 'whole,
                    // Written or not, it is written again.
                    Err(TransportError::Unknown { .. })
                        if place as usize + 1 < words.len() && self.carrier.now() < until =>
                    {
                        self.give_way(address, until)?;
                        continue 'whole;
                    }
                    Err(error) => return Err(error),
                }
            }
            self.losses = 0;
            return Ok(());
        }
    }

    /// Waits while the last access that the bridge made is another host's write to one of `writes` registers from `write` on, or its read of
    /// one of `reads` from `read` on but the last, or one that tells of a busy item port: it has not read yet what comes of its own
    /// [`BridgeLink::undisturbed`]. One that does not go on is not waited for.
    fn let_others_finish(
        &mut self,
        (read, reads): (u32, usize),
        (write, writes): (u32, usize),
        until: Instant,
    ) -> Result<(), TransportError> {
        let (read, write) = (self.on_bus(read)?, self.on_bus(write)?);
        let port = self.on_bus(address::ITEM_RESULT)?;
        let within = |address: u32, start: u32, registers: usize| {
            let register = address.wrapping_sub(start) / 4;
            (register as usize) < registers
        };
        let mut seen = None;
        let mut give_up = until;
        // However slowly answers come, half of the time is left for the access itself.
        let half = self.carrier.now() + until.saturating_duration_since(self.carrier.now()) / 2;
        loop {
            let asked = self.carrier.now();
            if asked >= give_up.min(until) {
                self.others = None;
                return Ok(());
            }
            let record = match self.record(None, until) {
                Ok(record) => record,
                // Without the record nobody knows whether another host is in a sequence. If none comes in time, the access itself fails.
                Err(Lost::Silence) => continue,
                Err(Lost::Line(error)) => return Err(line_failed(read, error)),
            };
            self.count = Some(record.count);
            // An access of this host does not end another's sequence: the last access of another host decides.
            let last = match self.own == Some(record.count) {
                true => self.others.as_ref(),
                false => Some(&record),
            };
            let unfinished = last.is_some_and(|last| {
                let in_sequence = match last.write {
                    true => within(last.address, write, writes),
                    false if last.address == port && last.data >> field::ITEM_BUSY & 1 == 1 => true,
                    false => within(last.address, read, reads.saturating_sub(1)),
                };
                // A host reads AUTH as it opens the bridge, which hides the access before it.
                let hides = last.address == mailbox::AUTH && !last.write;
                in_sequence && last.response == RESPONSE_OKAY || hides
            });
            if !unfinished {
                return Ok(());
            }
            self.losses = self.losses.max(1);
            if seen.replace(record.count) != Some(record.count) {
                let now = self.carrier.now();
                let took = now.saturating_duration_since(asked);
                give_up = half.min(now + (ANSWERS_TO_A_RESULT * took).max(LEAST_TO_A_RESULT));
            }
        }
    }

    /// The end of an access of a sequence: its own time from now on, within that of the whole.
    fn at_most(&self, each: Within, whole: Instant) -> Instant {
        whole.min(deadline(self.carrier.now(), each))
    }

    /// Begins an access.
    fn until(&mut self, address: u32, within: Within) -> Result<Instant, TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        self.carrier.begin();
        self.losses = 0;
        Ok(deadline(self.carrier.now(), within))
    }
}

impl<C: Carrier> Transport for BridgeLink<C> {
    fn checking(&self) -> Option<Checking> {
        Some(self.checking)
    }

    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        let mut value = [0];
        self.burst(address, &mut value, within)?;
        let [value] = value;
        Ok(value)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        let until = self.until(address, within)?;
        match self.checking {
            Checking::Mailbox => self
                .through_mailbox(address, Some(value), false, until, within)
                .map(|_| self.losses = 0),
            Checking::Agree | Checking::None => self.plain_write(address, value, until, within),
        }
    }

    fn write_burst(
        &mut self,
        address: u32,
        values: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let until = self.until(address, within)?;
        let addresses = (0u32..).map(|place| address.wrapping_add(4 * place));
        match (self.checking, values) {
            // One message carries them all, as nothing is read back.
            (Checking::None, [first, _, ..]) if values.len() <= LONGEST_MESSAGE => {
                let on_bus = self.on_bus(address)?;
                let write = Some((on_bus, values));
                let carried = self
                    .carrier
                    .carry(write, self.base, &mut [0], Wait::Whole, until);
                carried.map_err(|lost| TransportError::Unknown {
                    address,
                    value: *first,
                    why: match lost {
                        Lost::Silence => "no answer came after it".to_owned(),
                        Lost::Line(error) => line_failed(address, error).to_string(),
                    },
                })
            }
            (Checking::Mailbox, _) => {
                for (&value, address) in values.iter().zip(addresses) {
                    self.through_mailbox(address, Some(value), false, until, within)?;
                }
                Ok(())
            }
            _ => {
                for (&value, address) in values.iter().zip(addresses) {
                    self.plain_write(address, value, until, within)?;
                }
                Ok(())
            }
        }
    }

    fn read_then_write(
        &mut self,
        read: u32,
        values: &mut [u32],
        write: u32,
        words: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        if self.checking == Checking::Mailbox {
            let until = self.until(read, within)?;
            return self.undisturbed((read, values), (write, words), until, within);
        }
        self.burst(read, values, within)?;
        self.write_burst(write, words, within)
    }

    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let until = self.until(address, within)?;
        if self.checking == Checking::Mailbox {
            return self.burst_through_mailbox(address, values, until, within);
        }
        let starts = (0u32..).map(|chunk| address.wrapping_add(chunk * 4 * LONGEST_MESSAGE as u32));
        for (values, start) in values.chunks_mut(LONGEST_MESSAGE).zip(starts) {
            match self.checking {
                Checking::Agree => self.agreeing(start, values, until, within)?,
                Checking::Mailbox | Checking::None => {
                    self.unchecked(start, values, until, within)?
                }
            }
        }
        Ok(())
    }
}

/// The time of one of so many accesses.
fn share(within: Within, accesses: usize) -> Within {
    within / u32::try_from(accesses.max(1)).unwrap_or(u32::MAX)
}

fn line_failed(address: u32, error: io::Error) -> TransportError {
    TransportError::Link {
        address,
        what: error.to_string(),
        source: Some(error),
    }
}

/// Differs from one host to the next, so that they tell their accesses apart.
fn starting_tag() -> u16 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailbox::AUTH;

    /// A host port that asks for tags and has a secret.
    #[derive(Debug)]
    struct Locked;

    impl Carrier for Locked {
        fn now(&self) -> Instant {
            Instant::now()
        }

        fn pause(&mut self, _: Instant) -> io::Result<()> {
            Ok(())
        }

        fn carry(
            &mut self,
            _: Option<(u32, &[u32])>,
            from: u32,
            values: &mut [u32],
            _: Wait,
            _: Instant,
        ) -> Result<(), Lost> {
            match from {
                AUTH => values.fill(HOST_AUTH_TAGGED | 1 << HOST_AUTH_LOADED),
                _ => values.copy_from_slice(&Record::default().encode()),
            }
            Ok(())
        }
    }

    #[test]
    fn a_link_that_is_printed_hides_its_secret() {
        let mut link = BridgeLink::new(Locked, 0, Checking::Mailbox);
        link.authorise(Some(1_234_567), Duration::from_secs(1))
            .expect("the secret is taken");
        let printed = format!("{link:?}");
        assert!(!printed.contains("1234567"), "{printed}");
        assert!(printed.contains("Secret(..)"), "{printed}");
    }
}
