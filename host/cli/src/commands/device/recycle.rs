use super::link::identified;
use crate::numbers;
use crate::output::Output;
use anyhow::Context;
use bloomline_spec::registers::RecyclingCounter;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `recycle`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
}

#[derive(Serialize)]
struct Recycled {
    filter: String,
    recycles: u64,
    bits_active: u64,
    bits_frozen: u64,
}

impl Cmd {
    /// Recycles, and waits until the filter runs again.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        device.recycle()?;
        let done = "the filter has recycled, but what its registers say could not be read";
        let recycled = Recycled {
            filter: device.design().common().name().to_owned(),
            recycles: device.counter(RecyclingCounter::Recycles).context(done)?,
            bits_active: device.bits_active().context(done)?,
            bits_frozen: device.bits_frozen().context(done)?,
        };
        output.result(&recycled, || {
            format!(
                "{}: recycled ({} so far), {} bits in the frozen half",
                recycled.filter,
                numbers::times(recycled.recycles),
                recycled.bits_frozen
            )
        })
    }
}
