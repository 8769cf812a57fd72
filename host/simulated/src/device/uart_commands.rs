//! Commands that a client sends to a card's UART bridge, followed byte by byte.

use bloomline_driver::mailbox::{RECORD, RECORD_WORDS, REQUEST, REQUEST_WORDS};
use bloomline_driver::uartbone::{
    self, HEADER, READ_FIXED, READ_INCREMENTING, WRITE_FIXED, WRITE_INCREMENTING,
};
use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};

/// The bridge's state as far as its input decides it: the incomplete command, and the bytes of an answer still to come. It is
/// exact while the bridge's queue does not overflow, which it cannot where each command waits for the answer before it.
#[derive(Debug)]
pub(super) struct Commands {
    timeout_clocks: u64,
    header: Vec<u8>,
    /// Bytes of data still to come, once the header is complete.
    data: usize,
    /// Clock in which the command's first byte was sent.
    began: u64,
    /// Synchronisation bytes that were sent last, in a row.
    run: usize,
    /// Bytes of answers still to come.
    owed: usize,
}

impl Commands {
    /// A bridge at rest that drops an incomplete command after `timeout_clocks`.
    pub fn new(timeout_clocks: u32) -> Commands {
        Commands {
            timeout_clocks: timeout_clocks.into(),
            header: Vec::with_capacity(HEADER),
            data: 0,
            began: 0,
            run: 0,
            owed: 0,
        }
    }

    /// Takes a byte whose start bit is sent in `clock`.
    pub fn sent(&mut self, byte: u8, clock: u64) {
        if clock.saturating_sub(self.began) > self.timeout_clocks {
            self.end_command();
        }
        self.run = match byte {
            UART_SYNC_BYTE => self.run + 1,
            _ => 0,
        };
        if self.run >= UART_SYNC_RUN {
            self.end_command();
            return;
        }
        if self.header.is_empty() {
            self.began = clock;
        }
        if self.header.len() == HEADER {
            self.data -= 1;
        } else {
            self.header.push(byte);
            let [command, words, _, _, _, _] = self.header[..] else {
                return;
            };
            let bytes = 4 * if words == 0 { 256 } else { usize::from(words) };
            match command {
                WRITE_INCREMENTING | WRITE_FIXED => self.data = bytes,
                READ_INCREMENTING | READ_FIXED => self.owed += bytes,
                _ => {}
            }
        }
        if self.data == 0 {
            self.end_command();
        }
    }

    /// Takes a byte of an answer.
    pub fn answered(&mut self) {
        self.owed = self.owed.saturating_sub(1);
    }

    /// Bytes of answers still to come.
    pub fn owed(&self) -> usize {
        self.owed
    }

    /// The answer ends here, whatever was asked for.
    pub fn expect_no_more(&mut self) {
        self.owed = 0;
    }

    /// The bridge is at rest: it was reset, or its time-out has passed.
    pub fn at_rest(&mut self) {
        self.end_command();
        self.run = 0;
        self.owed = 0;
    }

    /// Whether `bytes` may be sent at once after a silence, though the bridge's time-out has not passed: nothing is incomplete,
    /// or it does nothing before `bytes` end it: a message of the mailbox until it is complete, and what begins as no command.
    pub fn can_be_followed_by(&self, bytes: &[u8]) -> bool {
        let ends_it = bytes.starts_with(&[UART_SYNC_BYTE; UART_SYNC_RUN]);
        self.header.is_empty() || (ends_it && (self.is_for_mailbox() || self.is_no_command()))
    }

    /// Whether the incomplete command is none that the bridge knows.
    fn is_no_command(&self) -> bool {
        const KNOWN: [u8; 4] = [
            WRITE_INCREMENTING,
            READ_INCREMENTING,
            WRITE_FIXED,
            READ_FIXED,
        ];
        let first = self.header.first();
        first.is_some_and(|first| !KNOWN.contains(first))
    }

    /// Whether the incomplete command is one for the mailbox, as far as it has come.
    fn is_for_mailbox(&self) -> bool {
        let (mut request, mut record) = (Vec::new(), Vec::new());
        uartbone::write_command(REQUEST, &[0; REQUEST_WORDS], &mut request);
        uartbone::read_command(RECORD, RECORD_WORDS, &mut record);
        request.starts_with(&self.header) || record.starts_with(&self.header)
    }

    fn end_command(&mut self) {
        self.header.clear();
        self.data = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: u32 = 1000;

    fn after(bytes: &[u8]) -> Commands {
        let mut commands = Commands::new(TIMEOUT);
        for &byte in bytes {
            commands.sent(byte, 0);
        }
        commands
    }

    #[test]
    fn commands_end_with_their_last_byte_and_reads_are_owed_an_answer() {
        for (bytes, complete, owed) in [
            (&[2, 1, 0, 0, 0, 0][..], true, 4),
            (&[4, 0, 0, 0, 0, 0], true, 1024),
            (&[2, 1, 0, 0, 0], false, 0),
            (&[9, 1, 0, 0, 0, 0], true, 0),
            (&[1, 1, 0, 0, 0, 0], false, 0),
            (&[1, 1, 0, 0, 0, 0, 1, 2, 3], false, 0),
            (&[3, 1, 0, 0, 0, 0, 1, 2, 3, 4], true, 0),
        ] {
            let commands = after(bytes);
            assert_eq!(commands.header.is_empty(), complete, "{bytes:?}");
            assert_eq!(commands.owed(), owed, "{bytes:?}");
        }
    }

    #[test]
    fn a_run_of_synchronisation_bytes_ends_any_command() {
        let run = [UART_SYNC_BYTE; UART_SYNC_RUN];
        for cut in [&[][..], &[2, 1, 0], &[1, 9, 0, 0, 0, 0, 7], &[0x16; 3]] {
            let commands = after(&[cut, &run].concat());
            assert!(commands.header.is_empty(), "{cut:?}");
            let commands = after(&[cut, &run[1..], &[0x17]].concat());
            assert!(!commands.header.is_empty(), "{cut:?}");
        }
    }

    #[test]
    fn a_command_that_is_late_is_followed_by_another() {
        let mut commands = after(&[2, 1, 0]);
        for byte in [2, 1, 0, 0, 0, 0] {
            commands.sent(byte, u64::from(TIMEOUT) + 1);
        }
        assert!(commands.header.is_empty());
        assert_eq!(commands.owed(), 4);
    }

    #[test]
    fn only_a_cut_message_of_the_mailbox_and_what_is_no_command_may_be_ended_without_waiting() {
        let run = [UART_SYNC_BYTE; 2 * UART_SYNC_RUN];
        for (bytes, may) in [
            (&[][..], true),
            (&[1, 6, 0x29], true),
            (&[1, 6, 0x29, 0x69, 0x69, 0x40, 0x80], true),
            (&[2, 5, 0x29, 0x69], true),
            (&[0], true),
            (&[0xFF, 1, 0, 0, 0], true),
            (&[1, 6, 0], false),
            (&[1, 1, 0, 0, 0, 21, 0], false),
        ] {
            let commands = after(bytes);
            assert_eq!(commands.can_be_followed_by(&run), may, "{bytes:?}");
            let other = commands.can_be_followed_by(&[2, 1, 0]);
            assert_eq!(other, bytes.is_empty(), "{bytes:?}");
        }
    }
}
