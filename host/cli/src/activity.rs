//! Progress of work that says nothing while it runs: elapsed time on a terminal, a line now and then in a log.

use bloomline_toolchain::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two lines in a log.
pub const LOGGED: Duration = Duration::from_secs(30);

/// Work that has begun. Its end is told by [`Activity::end`]; dropped, it ends without a word.
pub struct Activity {
    what: String,
    since: Instant,
    bar: ProgressBar,
    logger: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Activity {
    /// Shows that `what` has begun.
    pub fn begin(what: impl Into<String>) -> Activity {
        let what = what.into();
        let style = ProgressStyle::with_template("{spinner} {msg}: {elapsed} so far");
        let bar = ProgressBar::new_spinner()
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
            .with_message(what.clone());
        bar.enable_steady_tick(Duration::from_millis(200));
        let logger = bar.is_hidden().then(|| logger(what.clone()));
        Activity {
            what,
            since: Instant::now(),
            bar,
            logger,
        }
    }

    /// Prints how it ended; [`Activity::seconds`] says when.
    pub fn end(self, how: &str) {
        self.bar.finish_and_clear();
        note!("{}: {how}", self.what);
    }

    /// The time since it began, in whole seconds with their unit.
    pub fn seconds(&self) -> String {
        format!("{:.0} s", self.since.elapsed().as_secs_f64())
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some((ended, thread)) = self.logger.take() {
            drop(ended);
            // The thread does nothing but print.
            let _ = thread.join();
        }
    }
}

fn logger(what: String) -> (Sender<()>, JoinHandle<()>) {
    let (ended, end) = channel();
    let thread = std::thread::spawn(move || {
        let since = Instant::now();
        while end.recv_timeout(LOGGED) == Err(RecvTimeoutError::Timeout) {
            note!("{what}: {:.0} s so far", since.elapsed().as_secs_f64());
        }
    });
    (ended, thread)
}

/// Installation of tools, step by step.
#[derive(Default)]
pub struct Installing(RefCell<Option<Activity>>);

impl Installing {
    /// Shows a step; the one before it has ended.
    pub fn show(&self, progress: &Progress) {
        let before = self.0.borrow_mut().take();
        if let Some(before) = before {
            let seconds = before.seconds();
            before.end(&seconds);
        }
        match progress {
            Progress::Done { .. } => note!("{progress}"),
            _ => *self.0.borrow_mut() = Some(Activity::begin(progress.to_string())),
        }
    }
}
