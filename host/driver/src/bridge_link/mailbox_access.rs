//! Accesses through the mailbox of a bridge: each is made exactly once or not at all, whatever is lost, and whoever else uses the bridge.

use super::{line_failed, BridgeLink, Carrier, Lost, Secret, Wait, MAILBOX_TRIES};
use crate::error::{TagProblem, TransportError};
use crate::line::deadline;
use crate::mailbox::{self, Record, Request};
use crate::transport::Within;
use bloomline_spec::registers::{address, field, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};
use std::time::{Duration, Instant};

/// Half the longest back-off after a first collision with another host's access.
const FIRST_BACK_OFF: Duration = Duration::from_micros(500);
/// How often the longest back-off doubles with further collisions.
const MOST_DOUBLINGS: u32 = 6;
/// How long another host is given to read the result of its write: a multiple of the time that an answer took, and the least time.
const ANSWERS_TO_A_RESULT: u32 = 16;
const LEAST_TO_A_RESULT: Duration = Duration::from_millis(200);
/// Collisions of a single read before it backs off.
const IMMEDIATE_RETRIES: u32 = 3;

impl<C: Carrier> BridgeLink<C> {
    /// Sends `request`, if there is one, and reads the bridge's record; a damaged one counts as none.
    pub(super) fn record(
        &mut self,
        request: Option<&Request>,
        until: Instant,
    ) -> Result<Record, Lost> {
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
    pub(super) fn mailbox_access(
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
        // Messages without an answer, and answers that report another host's access: on a bad line, that can be an earlier access of this host.
        let (mut lost, mut taken) = (0, 0);
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
                            self.back_off(address, until)?;
                            return Ok(None);
                        }
                    }
                    Err(Lost::Silence) => {
                        silent |= self.carrier.now() < until;
                        lost += 1;
                    }
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
                    lost += 1;
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
            taken += 1;
            // A read that stands alone first goes on at once: it may be that of a verdict, which another host's next item takes the place of.
            if follows || data.is_some() || self.collisions >= IMMEDIATE_RETRIES {
                self.back_off(address, until)?;
            } else {
                self.collisions += 1;
            }
            if follows {
                return Ok(None);
            }
        }
        let otherwise = match self.secret {
            Some(_) if not_taken >= MAILBOX_TRIES => TransportError::Tag {
                why: TagProblem::NotTaken,
            },
            _ if self.collisions > 0 && !silent && taken >= lost => {
                TransportError::Starved { address, within }
            }
            _ => TransportError::Timeout { address, within },
        };
        Err(ended(open, otherwise))
    }

    /// Random exponential back-off after a collision: two hosts that went on at once, in the same rhythm, would collide again, or each break
    /// the other's sequence, until the time is over.
    fn back_off(&mut self, address: u32, until: Instant) -> Result<(), TransportError> {
        self.collisions = (self.collisions + 1).min(MOST_DOUBLINGS);
        let longest = (FIRST_BACK_OFF * (1 << self.collisions)).as_nanos() as u64;
        let pause = Duration::from_nanos(self.random.next_word() % longest);
        let end = until.min(self.carrier.now() + pause);
        let paused = self.carrier.pause(end);
        // What it was before the pause it is no longer, if the other goes on.
        self.count = None;
        paused.map_err(|error| line_failed(address, error))
    }

    /// A burst through the mailbox. It begins again when another host's access interrupted it.
    pub(super) fn mailbox_burst(
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
                match self.mailbox_access(address, None, place > 0, until, each)? {
                    Some(read) => *value = read,
                    None => continue 'burst,
                }
            }
            self.collisions = 0;
            return Ok(());
        }
    }

    /// Reads, then writes, through the mailbox. The sequence begins again when another host's access interrupted it.
    pub(super) fn mailbox_sequence(
        &mut self,
        (read, values): (u32, &mut [u32]),
        (write, words): (u32, &[u32]),
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let each = share(within, values.len() + words.len());
        'whole: loop {
            // The first access follows the one that showed nobody unfinished, so none of another's came since.
            self.wait_for_others((read, values.len()), (write, words.len()), until)?;
            for (place, value) in (0u32..).zip(values.iter_mut()) {
                let address = read.wrapping_add(4 * place);
                let until = self.at_most(each, until);
                match self.mailbox_access(address, None, true, until, each)? {
                    Some(read) => *value = read,
                    None => continue 'whole,
                }
            }
            for (place, &word) in (0u32..).zip(words) {
                let address = write.wrapping_add(4 * place);
                let its = self.at_most(each, until);
                match self.mailbox_access(address, Some(word), true, its, each) {
                    Ok(Some(_)) => {}
                    Ok(None) => continue 'whole,
                    // Written or not, it is written again.
                    Err(TransportError::Unknown { .. })
                        if place as usize + 1 < words.len() && self.carrier.now() < until =>
                    {
                        self.back_off(address, until)?;
                        continue 'whole;
                    }
                    Err(error) => return Err(error),
                }
            }
            self.collisions = 0;
            return Ok(());
        }
    }

    /// Waits while the last access that the bridge made is another host's write to one of `writes` registers from `write` on, or its read of
    /// one of `reads` from `read` on but the last, or one that tells of a busy item port: it has not read yet what comes of its own
    /// [`BridgeLink::mailbox_sequence`]. One that does not go on is not waited for.
    fn wait_for_others(
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
            self.collisions = self.collisions.max(1);
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
}

/// The time of one of so many accesses.
fn share(within: Within, accesses: usize) -> Within {
    within / u32::try_from(accesses.max(1)).unwrap_or(u32::MAX)
}
