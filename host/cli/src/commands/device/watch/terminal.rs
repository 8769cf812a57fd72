//! The terminal while `watch` has it: another screen, no echo, keys without a line's end.

use super::screen::Screen;
use nix::errno::Errno;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::termios::{tcgetattr, tcsetattr, LocalFlags, SetArg, Termios};
use nix::unistd::read;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";
const CONTROL_C: u8 = 3;
const ESCAPE: u8 = 27;

/// Gives the terminal back as it was when it is dropped.
pub struct Terminal {
    before: Termios,
    console: console::Term,
    size: (u16, u16),
}

impl Terminal {
    /// Takes the terminal of standard input and output.
    pub fn enter() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut settings = before.clone();
        settings
            .local_flags
            .remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
        tcsetattr(io::stdin(), SetArg::TCSANOW, &settings)?;
        let terminal = Self {
            before,
            console: console::Term::stdout(),
            size: (0, 0),
        };
        send(ENTER)?;
        Ok(terminal)
    }

    /// Shows what is drawn on a screen of the terminal's size.
    pub fn show(&mut self, draw: impl FnOnce(&mut Screen)) -> io::Result<()> {
        let size = self.console.size();
        if size != self.size {
            send("\x1b[2J")?;
            self.size = size;
        }
        let (rows, columns) = size;
        let mut screen = Screen::new(rows.into(), columns.into());
        draw(&mut screen);
        send(&screen.escapes())
    }

    /// Whether q, Escape or Control-C is pressed before a time; other keys are read over.
    pub fn told_to_end(&self, due: Option<Instant>) -> io::Result<bool> {
        let stdin = io::stdin();
        loop {
            let left = due.map_or(Duration::ZERO, |due| {
                due.saturating_duration_since(Instant::now())
            });
            let left = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
            match poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)], left) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let mut keys = [0; 64];
            let count = read(&stdin, &mut keys)?;
            // An arrow and its like is Escape and more in one go. No bytes: the terminal is gone.
            if matches!(keys[..count], [] | [b'q' | ESCAPE | CONTROL_C]) {
                return Ok(true);
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // There is nobody left to tell if the terminal is gone.
        let _ = send(LEAVE);
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.before);
    }
}

fn send(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
