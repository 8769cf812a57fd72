//! The 250 MHz user box of AMD's OpenNIC shell as a board.

use super::board::{plain_name, plain_word};
use super::BuildError;
use bloomline_spec::{CardSection, FilterSpec, TargetSection};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Bits of a beat of the shell's streams.
const BEAT_BITS: u64 = 512;
/// From the registers of one interface's path to those of the next, in bytes: `box_250mhz_address_map.v`.
const INTERFACE_STRIDE: u64 = 0x1000;
/// Interfaces that the shell has at most.
const MAX_INTERFACES: u64 = 2;

/// The user box of a shell, and the cards that it may be built for. `constraints/README.md` explains every key of the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenNicBoard {
    /// Always `opennic`.
    pub flow: String,
    /// Name of its folder.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What the plugin was written for.
    pub shell: Shell,
    /// What the box gives a card.
    pub card: ShellCard,
    /// Where the host finds the box.
    pub registers: Registers,
    /// The cards, the usual one first.
    pub part: Vec<XilinxPart>,
}

/// The shell whose sources the plugin was written for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shell {
    /// Where it is.
    pub repository: String,
    /// Its release.
    pub version: String,
    /// The commit that was read.
    pub commit: String,
    /// The way that goes through the filter, in the shell's words.
    pub filtered: String,
    /// The way that goes past it.
    pub passed: String,
}

/// What a card in the box gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellCard {
    /// Clock of the frames in hertz.
    pub clock_hz: u64,
}

/// Where the box's registers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// PCIe base address register.
    pub bar: u32,
    /// Byte offset in it.
    pub base: u64,
}

/// An FPGA of UltraScale+ on a card.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct XilinxPart {
    /// The card, as the shell calls it without `a`: `u280`.
    pub card: String,
    /// Ordering code.
    pub name: String,
    /// Six-input lookup tables.
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 36 kbit.
    pub bram36: u64,
}

impl OpenNicBoard {
    /// A board from the text of its file; `file` is what errors call it.
    ///
    /// # Errors
    /// [`BuildError::Board`].
    pub fn from_toml(text: &str, file: &Path) -> Result<OpenNicBoard, BuildError> {
        let refused = |problem: String| BuildError::Board {
            file: file.display().to_string(),
            problem,
        };
        let board: OpenNicBoard =
            toml::from_str(text).map_err(|error| refused(error.to_string().trim_end().into()))?;
        board.check().map_err(refused)?;
        Ok(board)
    }

    /// The part of this card; of the first where there is no name.
    ///
    /// # Errors
    /// [`BuildError::UnknownPart`], with those there are.
    pub fn part(&self, card: Option<&str>) -> Result<&XilinxPart, BuildError> {
        let wanted = |part: &&XilinxPart| card.is_none_or(|name| part.card == name);
        self.part
            .iter()
            .find(wanted)
            .ok_or_else(|| BuildError::UnknownPart {
                board: self.name.clone(),
                name: card.unwrap_or_default().to_owned(),
                known: self.part.iter().map(|part| part.card.clone()).collect(),
            })
    }

    /// Adds what the box decides and the specification does not say; says what it was.
    ///
    /// # Errors
    /// [`BuildError::Unfit`] for a specification that asks for what the box has not.
    pub fn complete(&self, spec: &mut FilterSpec) -> Result<Vec<String>, BuildError> {
        let unfit = |key, got: &dyn ToString, rule, advice| BuildError::Unfit {
            board: self.name.clone(),
            key,
            got: got.to_string(),
            rule,
            advice,
        };
        let mut notes = Vec::new();
        if spec.interface.take().is_some() {
            notes.push("interface is left out: the box connects clock and reset".to_owned());
        }
        let packet = spec.packet.as_ref().ok_or_else(|| {
            let rule = "the box filters frames, for which a specification has [packet]";
            unfit("packet", &"(missing)", rule, "add it, with data_bits = 512")
        })?;
        if packet.data_bits != BEAT_BITS {
            let rule = "a beat of the shell's streams has 512 bits";
            let advice = "take packet.data_bits = 512";
            return Err(unfit("packet.data_bits", &packet.data_bits, rule, advice));
        }
        let clock_hz = self.card.clock_hz;
        let target = spec.target.get_or_insert_with(|| {
            notes.push(format!(
                "target.clock_hz is not given: {clock_hz}, from the board"
            ));
            TargetSection {
                clock_hz,
                ..TargetSection::default()
            }
        });
        if target.clock_hz != clock_hz {
            let rule = "the box has the shell's clock of 250 MHz alone";
            let advice = "take 250_000_000, or leave it out";
            return Err(unfit("target.clock_hz", &target.clock_hz, rule, advice));
        }
        let card = spec.card.get_or_insert_with(|| {
            notes.push("[card] is not given: registers over PCIe".to_owned());
            CardSection { uart_baud: None }
        });
        if let Some(baud) = card.uart_baud {
            let rule = "a PCIe card has no UART: its registers are reached over PCIe";
            return Err(unfit("card.uart_baud", &baud, rule, "leave it out"));
        }
        Ok(notes)
    }

    /// How a host names the card, as an example of a bus address.
    pub fn host(&self) -> String {
        self.url(0)
    }

    fn url(&self, interface: u64) -> String {
        let offset = self.registers.base + interface * INTERFACE_STRIDE;
        format!(
            "pcie:0000:3b:00.0/{}?offset={offset:#x}",
            self.registers.bar
        )
    }

    /// The page on where the registers are; `registers` is the page on the registers of one path.
    pub fn address_page(&self, top: &str, registers: &str) -> String {
        let bar = self.registers.bar;
        let mut text = format!(
            "# Registers of {top} in the {title}\n\n\
             Offsets in BAR{bar} of a card's first PCIe function. Behind each path's first byte stand the registers of [`{registers}`]({registers}).\n\n\
             | from | to | | URL of `bloomline device` |\n|---|---|---|---|\n",
            title = self.title,
        );
        for interface in 0..MAX_INTERFACES {
            let from = self.registers.base + interface * INTERFACE_STRIDE;
            text += &format!(
                "| {from:#08x} | {:#08x} | path of interface {interface} (MAC port {interface}, PCIe function {interface}) | `{}` |\n",
                from + 0x3FF,
                self.url(interface),
            );
        }
        text + "\nInterface 1 is there if the shell was built with two. The rest of the box answers with an error; a read gives 0 or, on some hosts, all ones.\n"
    }

    /// Key, value and rule of the first value that is none.
    fn check(&self) -> Result<(), String> {
        plain_name(&self.name, &self.title)?;
        if self.part.is_empty() {
            return Err("part: at least one [[part]]".to_owned());
        }
        for part in &self.part {
            plain_word("part.card", &part.card)?;
            plain_word("part.name", &part.name)?;
        }
        match self.card.clock_hz {
            0 => Err("card.clock_hz = 0: above 0".to_owned()),
            _ => Ok(()),
        }
    }
}
