//! Waveform of a window of the run.

use anyhow::bail;
use bloomline_verify::{Verification, Window};
use std::path::PathBuf;

/// Clocks of a window without an end: some 10 MB of a filter of the examples' size.
const DEFAULT_CLOCKS: u64 = 1000;

/// Which clocks go to which file.
#[derive(Debug, clap::Args)]
pub struct Waves {
    /// File for the waveform of the run, good or bad, in GTKWave's and Surfer's format VCD: all signals but memories, with their hierarchy
    #[arg(long, value_name = "FILE")]
    waves: Option<PathBuf>,
    /// First clock cycle of the waveform
    #[arg(long, value_name = "N", requires = "waves", value_parser = crate::numbers::whole, default_value = "0")]
    from: u64,
    /// Last clock cycle of the waveform [default: 1000 clock cycles]
    #[arg(long, value_name = "M", requires = "waves", value_parser = crate::numbers::whole)]
    to: Option<u64>,
}

impl Waves {
    /// Whether a waveform was asked for.
    pub fn is_given(&self) -> bool {
        self.waves.is_some()
    }

    /// The window, if one was asked for.
    pub fn window(&self) -> anyhow::Result<Option<Window>> {
        let Some(path) = &self.waves else {
            return Ok(None);
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        if let Some(other @ ("fst" | "ghw" | "lxt" | "fsdb" | "wlf")) = extension {
            bail!(
                "--waves {}: the waveform is a VCD, not {other}; name the file .vcd",
                path.display()
            );
        }
        let to = self
            .to
            .unwrap_or(self.from.saturating_add(DEFAULT_CLOCKS - 1));
        if to < self.from {
            bail!(
                "--from {} --to {to}: the waveform ends before it begins; give --to {} or more",
                self.from,
                self.from
            );
        }
        Ok(Some(Window {
            path: path.clone(),
            from: self.from,
            to,
        }))
    }

    /// What was written, in a line.
    pub fn written(&self, result: &Verification) -> Option<String> {
        let window = self.window().ok()??;
        // A run that failed has no count of clocks.
        let clocks = result.value("cycles")?.as_u64()?;
        let last = match clocks {
            0 => window.to,
            _ => window.to.min(clocks - 1),
        };
        Some(format!(
            "waves: clock cycles {} to {last} of {}",
            window.from,
            window.path.display()
        ))
    }
}
