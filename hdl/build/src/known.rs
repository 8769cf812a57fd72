//! The boards that come with Bloomline.

use super::board::Board;
use super::opennic::OpenNicBoard;
use super::BuildError;
use bloomline_spec::files;
use serde::Deserialize;
use std::path::Path;

/// Every board of `constraints/`: its name and its `board.toml`.
const BOARDS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// A board of any flow. The key `flow` of its file says which: `"opennic"`, `"gowin"`, or nothing for an ECP5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownBoard {
    /// From a specification to a bitstream, by yosys, nextpnr and the packer of the part's family.
    Fpga(Box<Board>),
    /// From a specification to a plugin for AMD's OpenNIC shell, which Vivado builds, with an estimate by yosys.
    OpenNic(Box<OpenNicBoard>),
}

/// What of a board file says how to read the rest.
#[derive(Deserialize)]
struct Head {
    flow: Option<String>,
}

impl KnownBoard {
    /// Names of the boards that are built in, sorted.
    pub fn names() -> Vec<&'static str> {
        BOARDS.iter().map(|(name, _)| *name).collect()
    }

    /// The board of this name, or in this file: a name that ends in `.toml` or holds a `/` is a path.
    ///
    /// # Errors
    /// That there is no such board (with those there are), that the file cannot be read, or what is wrong with it.
    pub fn load(name: &str) -> Result<KnownBoard, BuildError> {
        if name.ends_with(".toml") || name.contains('/') {
            let text = files::text(Path::new(name), files::MOST_TEXT_BYTES)
                .map_err(BuildError::io("read", name))?;
            return KnownBoard::from_toml(&text, Path::new(name));
        }
        let Some((_, text)) = BOARDS.iter().find(|(known, _)| *known == name) else {
            return Err(BuildError::UnknownBoard {
                name: name.to_owned(),
                known: KnownBoard::names(),
            });
        };
        let file = Path::new("constraints").join(name).join("board.toml");
        KnownBoard::from_toml(text, &file)
    }

    /// A board from the text of its file; `file` is what errors call it.
    ///
    /// # Errors
    /// [`BuildError::Board`], [`BuildError::PinUsedTwice`].
    pub fn from_toml(text: &str, file: &Path) -> Result<KnownBoard, BuildError> {
        let refused = |problem: String| BuildError::Board {
            file: file.display().to_string(),
            problem,
        };
        let head: Head =
            toml::from_str(text).map_err(|error| refused(error.to_string().trim_end().into()))?;
        match head.flow.as_deref() {
            None | Some("ecp5" | "gowin") => {
                Ok(KnownBoard::Fpga(Box::new(Board::from_toml(text, file)?)))
            }
            Some("opennic") => Ok(KnownBoard::OpenNic(Box::new(OpenNicBoard::from_toml(
                text, file,
            )?))),
            Some(other) => Err(refused(format!(
                "flow = {other:?}: \"gowin\", \"opennic\", or left out for an ECP5"
            ))),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            KnownBoard::Fpga(board) => &board.name,
            KnownBoard::OpenNic(board) => &board.name,
        }
    }
}
