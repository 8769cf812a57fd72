//! Carriers of messages to a bridge, and of answers back.

use std::io;
use std::time::Instant;

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
