//! Register accesses over a bus bridge that a host reaches by messages: the common part of uartbone and Etherbone.

mod carrier;
mod mailbox_access;
mod plain_access;

pub use carrier::{Carrier, Lost, Wait};

use crate::checking::Checking;
use crate::error::{TagProblem, TransportError};
use crate::line::deadline;
use crate::mailbox::{self, Record};
use crate::transport::{Transport, Within};
use bloomline_spec::host_port::{HOST_AUTH_LOADED, HOST_AUTH_TAGGED};
use bloomline_spec::registers::address;
use bloomline_spec::SplitMix64;
use std::io;
use std::time::Instant;

/// How many reads in a row must give the same values for [`Checking::Agree`].
pub const AGREEING_READS: u32 = 3;
/// Reads after which [`Checking::Agree`] gives up on values that keep changing.
pub const READS_TO_AGREE: u32 = 12;
/// Words that one message can ask for or carry.
const LONGEST_MESSAGE: usize = 255;
/// Damaged or missing answers at the mailbox's address after which [`BridgeLink::probe`] asks whether the bridge answers at all, and answers without an access after
/// which a secret is taken for wrong.
const MAILBOX_TRIES: u32 = 3;

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
    /// The bridge's count of accesses, where it is known.
    count: Option<u32>,
    /// The count that this host's last access made.
    own: Option<u32>,
    /// The last access of another host that was seen: what stood before this host's own.
    others: Option<Record>,
    /// Consecutive accesses that were not made because another host's came first.
    collisions: u32,
    /// For the length of the back-off after a collision.
    random: SplitMix64,
    /// Key of the requests' tags.
    secret: Option<Secret>,
    /// The device's magic as read before, for [`Checking::Agree`].
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
            collisions: 0,
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

    /// Begins an access.
    fn until(&mut self, address: u32, within: Within) -> Result<Instant, TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        self.carrier.begin();
        self.collisions = 0;
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
                .mailbox_access(address, Some(value), false, until, within)
                .map(|_| self.collisions = 0),
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
            (Checking::None, [_, _, ..]) if values.len() <= LONGEST_MESSAGE => self
                .write_message(address, values, self.base, until)
                .map(drop),
            (Checking::Mailbox, _) => {
                for (&value, address) in values.iter().zip(addresses) {
                    self.mailbox_access(address, Some(value), false, until, within)?;
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
            return self.mailbox_sequence((read, values), (write, words), until, within);
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
            return self.mailbox_burst(address, values, until, within);
        }
        let starts = (0u32..).map(|chunk| address.wrapping_add(chunk * 4 * LONGEST_MESSAGE as u32));
        for (values, start) in values.chunks_mut(LONGEST_MESSAGE).zip(starts) {
            match self.checking {
                Checking::Agree => self.read_until_agreed(start, values, until, within)?,
                Checking::Mailbox | Checking::None => {
                    self.read_until_answered(start, values, until, within)?
                }
            }
        }
        Ok(())
    }
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
    use std::time::Duration;

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
