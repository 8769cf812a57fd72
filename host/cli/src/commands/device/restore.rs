use super::link::identified;
use super::progress::Progress;
use super::snapshot::Summary;
use crate::output::{Output, INTERRUPTED};
use anyhow::Context;
use bloomline_driver::Snapshot;
use bloomline_spec::RecycleOn;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// A word of the array may have been written, which Ctrl-C tells.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// Arguments of `restore`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// Snapshot to write into the array; with a keyed hash, of a card that had the secret which this one has
    file: PathBuf,
}

impl Cmd {
    /// Writes the array and reads it back.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let snapshot = Snapshot::load(&self.file)?;
        ctrlc::set_handler(|| {
            match BEGUN.load(Ordering::SeqCst) {
                true => note!("interrupted: the array may hold a part of the snapshot only, and the maximum age of a recycling filter may be off: restore again, or clear the filter and `configure` its maximum age"),
                false => note!("interrupted: nothing was written"),
            }
            std::process::exit(INTERRUPTED);
        })
        .context("cannot listen for Ctrl-C")?;
        let device = identified(url, &self.spec)?;
        if snapshot.shape().keyed {
            note!("warning: the hash is keyed: only keys that were inserted under the secret which the card has now will be found, and no file tells which secret that was; load it first (`rekey --from FILE --clear`)");
        }
        let mut progress = Progress::new("words", 2 * snapshot.words().len() as u64);
        BEGUN.store(true, Ordering::SeqCst);
        let restored = device.restore(&snapshot, |done| progress.at(done));
        restored.with_context(|| self.file.display().to_string())?;
        drop(progress);
        if let Some(cycle) = snapshot.cycle() {
            let more = snapshot.messages_restored() - u64::from(cycle.messages);
            if cycle.on == RecycleOn::Messages && more > 0 {
                note!("the restore counted {more} messages more than the snapshot's cycle had: this cycle ends that many messages earlier");
            }
        }
        let summary = Summary::of(&snapshot, &self.file);
        output.result(&summary, || {
            format!("restored and read back\n{}", summary.as_text())
        })
    }
}
