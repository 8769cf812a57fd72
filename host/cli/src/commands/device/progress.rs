//! Progress on stderr of a command that takes longer than two seconds: a bar on a terminal, a line now and then in a log.

use crate::activity::LOGGED;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

const QUIET: Duration = Duration::from_secs(2);

/// A bar that shows itself when the work takes long.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    logged: Instant,
}

impl Progress {
    /// For `total` of `what`.
    pub fn new(what: &'static str, total: u64) -> Progress {
        let style = ProgressStyle::with_template(
            "{msg} {wide_bar} {human_pos} of {human_len}, {per_sec}, {eta} left",
        );
        let bar = ProgressBar::hidden();
        bar.set_length(total);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        Progress {
            bar,
            start: Instant::now(),
            shown: false,
            logged: Instant::now(),
        }
    }

    /// So many are done.
    pub fn at(&mut self, done: u64) {
        if !self.shown && self.start.elapsed() > QUIET {
            // draws nothing when stderr is no terminal
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        self.bar.set_position(done);
        if self.shown && self.bar.is_hidden() && self.logged.elapsed() > LOGGED {
            self.logged = Instant::now();
            let total = self.bar.length().unwrap_or_default();
            note!("{done} of {total} {}", self.bar.message());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
