use crate::output::{Ending, Output};
use anyhow::{bail, Context};
use bloomline_spec::files;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The summary that `build` lays beside the bitstream.
pub const SUMMARY: &str = "build.json";

/// Arguments of `program`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The bitstream goes into the part and is gone when power is; --flash writes it into the board's flash memory. openFPGALoader does the work: \
                  it is looked for on PATH, or where BLOOMLINE_OPENFPGALOADER says."
)]
pub struct Cmd {
    /// Folder of a build
    folder: PathBuf,
    /// Write the board's flash memory, from which the part starts at power-up
    #[arg(long)]
    flash: bool,
    /// Print the command line, run nothing
    #[arg(long)]
    print: bool,
}

const LOADER: &str = "openFPGALoader";
const VARIABLE: &str = "BLOOMLINE_OPENFPGALOADER";

/// What of a build's summary is needed.
#[derive(Deserialize)]
struct Built {
    board: String,
    timing_met: bool,
    bitstream: PathBuf,
    openfpgaloader: Vec<String>,
}

impl Cmd {
    /// Runs the loader on the bitstream of the folder.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let summary = self.folder.join(SUMMARY);
        let text = files::text(&summary, files::MOST_TEXT_BYTES).with_context(|| {
            format!(
                "{}: cannot be read, so this is no folder of a build for a board; make one with `bloomline build SPEC --board NAME`",
                summary.display()
            )
        })?;
        let built: Built = serde_json::from_str(&text).with_context(|| {
            format!(
                "{}: is no summary of a build with a bitstream of this version; build again",
                summary.display()
            )
        })?;
        let name = built.bitstream.file_name().unwrap_or_default();
        let bitstream = self.folder.join(name);
        if !bitstream.is_file() {
            bail!("{}: is not there; build again", bitstream.display());
        }
        if built.openfpgaloader.is_empty() {
            bail!(
                "{}: its board.toml does not say how openFPGALoader reaches it; add a line openfpgaloader = [\"--board\", \"NAME\"] and build again, or load {} with the board's own tool",
                built.board,
                bitstream.display()
            );
        }
        let mut arguments = built.openfpgaloader;
        if self.flash {
            arguments.push("--write-flash".to_owned());
        }
        let line = line(&arguments, &bitstream);
        if self.print {
            output.result(&json!({ "command": line }), || line.clone())?;
            return Ok(Ending::Good);
        }
        if !built.timing_met {
            note!(
                "warning: {}: the clock of this build is too fast for it; it may go wrong",
                bitstream.display()
            );
        }
        let loader = loader().with_context(|| {
            format!("{LOADER} is not on PATH; install it (Debian and Ubuntu: apt-get install openfpgaloader), or run elsewhere: {line}")
        })?;
        note!("{line}");
        let status = Command::new(&loader)
            .args(&arguments)
            .arg(&bitstream)
            .stdout(Stdio::inherit())
            .status()
            .with_context(|| format!("{} cannot be started", loader.display()))?;
        if !status.success() {
            bail!("{LOADER} ended with {status}; is the board plugged in and on, and may this user open its USB device? (udev rules: {LOADER}'s guide)");
        }
        output.result(
            &json!({ "board": built.board, "bitstream": bitstream, "flash": self.flash }),
            || format!("{}: loaded into {}", bitstream.display(), built.board),
        )?;
        Ok(Ending::Good)
    }
}

/// The command line that loads a bitstream, as one types it.
pub fn line(arguments: &[String], bitstream: &Path) -> String {
    format!("{LOADER} {} {}", arguments.join(" "), bitstream.display())
}

/// The loader: of its environment variable, or on `PATH`.
fn loader() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(LOADER));
    places.find(|place| place.is_file())
}
