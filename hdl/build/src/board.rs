//! Description of a board: part, pins, clocks and defaults, read from TOML.

use super::pll::{OutOfReach, PllLimits, PllSetting};
use super::BuildError;
use bloomline_spec::mac::MAX_DELAY_STEPS;
use bloomline_spec::LINECARD_CLOCK_HZ;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Family of a part, which decides the tools and the primitives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Lattice ECP5: nextpnr-ecp5 and ecppack.
    #[default]
    Ecp5,
    /// Gowin LittleBee and Arora: nextpnr-himbaechel-gowin and gowin_pack.
    Gowin,
}

/// A board whose bitstream is built here: its part, and what a card needs of it. `constraints/README.md` explains every key of the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Family of its part.
    #[serde(default, rename = "flow")]
    pub family: Family,
    /// Name of its folder; with `_` for `-`, part of a module's name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The FPGA.
    pub part: Part,
    /// Where its clock comes from.
    pub oscillator: Oscillator,
    /// What its PLL can do.
    pub pll: PllLimits,
    /// What a card on it gets unless its specification says otherwise.
    pub card: CardDefaults,
    /// A reset button.
    pub reset: Option<Button>,
    /// The host's UART, as seen from the FPGA.
    pub uart: UartPins,
    /// LEDs.
    pub leds: Option<Leds>,
    /// Ethernet PHYs on RGMII.
    #[serde(default)]
    pub rgmii: Vec<Rgmii>,
    /// Delays at the pins of all PHYs.
    #[serde(default)]
    pub rgmii_delay: RgmiiDelay,
    /// Pins that all PHYs have in common.
    pub rgmii_shared: Option<RgmiiShared>,
    /// Arguments with which openFPGALoader reaches the board; none where it does not.
    #[serde(default)]
    pub openfpgaloader: Vec<String>,
}

/// An FPGA, and how the tools call it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Ordering code; that of a Gowin part ends in package and speed grade.
    pub name: String,
    /// nextpnr-ecp5's option for the device, without dashes: `um5g-45k`; of a Gowin part the name of its die: `GW2A-18C`.
    pub device: String,
    /// Package; that of an ECP5 as nextpnr-ecp5 calls it.
    pub package: String,
    /// Speed grade.
    pub speed: String,
    /// Four-input lookup tables.
    pub lut4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 18 kbit (DP16KD of an ECP5, BSRAM of a Gowin part).
    pub bram: u64,
}

/// An oscillator on a pin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oscillator {
    /// Pin; the positive one of a differential pair.
    pub pin: String,
    /// Negative pin of a differential pair. The part pairs them by itself; it is here to be taken.
    pub pin_n: Option<String>,
    /// I/O standard.
    pub io_type: String,
    /// Frequency in hertz.
    pub frequency_hz: u64,
}

/// What a card gets where its specification says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardDefaults {
    /// Clock of the card in hertz.
    pub clock_hz: u64,
    /// Bits a second on the UART.
    pub uart_baud: u64,
    /// Percent by which the clock that nextpnr works towards is faster than the card's.
    pub margin_percent: u64,
}

/// A pull resistor within the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Pull {
    /// To the supply.
    Up,
    /// To ground.
    Down,
    /// None.
    None,
}

/// One pin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Name on the package.
    pub pin: String,
    /// I/O standard.
    pub io_type: String,
    /// Pull resistor; the part's own choice unless given.
    pub pull: Option<Pull>,
}

impl Pin {
    /// I/O standard and pull resistor, which constraint files call `pull_mode`.
    pub(crate) fn attributes(&self, pull_mode: &str) -> String {
        let pull = self.pull.map(|pull| format!(" {pull_mode}={pull}"));
        format!("IO_TYPE={}{}", self.io_type, pull.unwrap_or_default())
    }
}

/// A button.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Button {
    /// Name on the package.
    pub pin: String,
    /// I/O standard.
    pub io_type: String,
    /// Pull resistor; the part's own choice unless given.
    pub pull: Option<Pull>,
    /// Whether the pin is low while it is pressed.
    pub active_low: bool,
}

/// A UART.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UartPins {
    /// Into the FPGA.
    pub rx: Pin,
    /// Out of the FPGA.
    pub tx: Pin,
}

/// LEDs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leds {
    /// Whether a low pin lights one.
    pub active_low: bool,
    /// One pin an LED.
    pub pins: Vec<String>,
    /// I/O standard.
    pub io_type: String,
}

/// The pins of an Ethernet PHY on RGMII.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rgmii {
    /// I/O standard.
    pub io_type: String,
    /// Clock from the PHY, 125 MHz at a gigabit.
    pub rx_clock: String,
    /// Control from the PHY.
    pub rx_control: String,
    /// Data from the PHY, bit 0 first.
    pub rx_data: [String; 4],
    /// Clock to the PHY.
    pub tx_clock: String,
    /// Control to the PHY.
    pub tx_control: String,
    /// Data to the PHY, bit 0 first.
    pub tx_data: [String; 4],
    /// Reset of the PHY, active low.
    pub reset_n: Option<String>,
    /// Management data.
    pub mdio: Option<String>,
    /// Management clock.
    pub mdc: Option<String>,
    /// 125 MHz from the PHY, always there.
    pub reference_clock: Option<String>,
}

/// Delays between clock and data of RGMII within the part, in steps of about 25 ps: what the board's PHYs and wires do not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RgmiiDelay {
    /// Of data and control that come in, 0 to [`MAX_DELAY_STEPS`].
    pub rx_steps: u32,
    /// Of the clock that goes out, 0 to [`MAX_DELAY_STEPS`].
    pub tx_steps: u32,
}

/// Pins that all PHYs of a board have in common.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RgmiiShared {
    /// I/O standard.
    pub io_type: String,
    /// Reset of the PHYs, active low.
    pub reset_n: String,
    /// Management data.
    pub mdio: String,
    /// Management clock.
    pub mdc: String,
}

/// A port of the board's top module on its pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Name in Verilog, with its index where it is one bit of a vector.
    pub name: String,
    /// Where it is and how it is driven.
    pub pin: Pin,
    /// Frequency in hertz if it is a clock that comes in.
    pub clock_hz: Option<u64>,
    /// Whether a card's top module has it; else it is there for gateware to come.
    pub used: bool,
}

const MAX_MARGIN_PERCENT: u64 = 100;

impl Board {
    /// A board from the text of its file; `file` is what errors call it.
    ///
    /// # Errors
    /// [`BuildError::Board`], [`BuildError::PinUsedTwice`].
    pub fn from_toml(text: &str, file: &Path) -> Result<Board, BuildError> {
        let file = file.display().to_string();
        let board: Board = toml::from_str(text).map_err(|error| BuildError::Board {
            file: file.clone(),
            problem: error.to_string().trim_end().to_owned(),
        })?;
        board.check().map_err(|problem| BuildError::Board {
            file: file.clone(),
            problem,
        })?;
        board.no_pin_twice(&file)?;
        Ok(board)
    }

    /// Its name as a part of a Verilog identifier.
    pub fn identifier(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The dividers for a card clock of `clock_hz`.
    ///
    /// # Errors
    /// [`BuildError::Clock`], with the nearest clocks that can be made.
    pub fn pll_setting(&self, clock_hz: u64) -> Result<PllSetting, BuildError> {
        let oscillator_hz = self.oscillator.frequency_hz;
        self.pll
            .settle(oscillator_hz, clock_hz)
            .map_err(|OutOfReach { below_hz, above_hz }| BuildError::Clock {
                board: self.name.clone(),
                wanted_hz: clock_hz,
                oscillator_hz,
                below_hz,
                above_hz,
            })
    }

    /// The clock that placing and routing works towards for a card clock of `clock_hz`, in MHz.
    pub fn constraint_mhz(&self, clock_hz: u64) -> f64 {
        clock_hz as f64 / 1e6 * (1.0 + self.card.margin_percent as f64 / 100.0)
    }

    /// Every port and its pin: those of a card first, in the order of its top module.
    pub fn ports(&self) -> Vec<Port> {
        let mut ports = vec![Port {
            name: "oscillator".into(),
            pin: pin(&self.oscillator.pin, &self.oscillator.io_type),
            clock_hz: Some(self.oscillator.frequency_hz),
            used: true,
        }];
        let mut add = |name: String, pin: Pin, used| {
            ports.push(Port {
                name,
                pin,
                clock_hz: None,
                used,
            });
        };
        if let Some(button) = &self.reset {
            let pin = Pin {
                pull: button.pull,
                ..pin(&button.pin, &button.io_type)
            };
            add("reset_button".into(), pin, true);
        }
        add("uart_rx".into(), self.uart.rx.clone(), true);
        add("uart_tx".into(), self.uart.tx.clone(), true);
        if let Some(leds) = &self.leds {
            for (index, led) in leds.pins.iter().enumerate() {
                add(format!("led[{index}]"), pin(led, &leds.io_type), true);
            }
        }
        for (index, phy) in self.rgmii.iter().enumerate() {
            ports.extend(phy.ports(&format!("rgmii{index}")));
        }
        if let Some(shared) = &self.rgmii_shared {
            for (name, site) in [
                ("reset_n", &shared.reset_n),
                ("mdio", &shared.mdio),
                ("mdc", &shared.mdc),
            ] {
                ports.push(unused(format!("rgmii_{name}"), site, &shared.io_type));
            }
        }
        ports
    }

    /// The ports that the top module of a card has.
    pub fn card_ports(&self) -> Vec<Port> {
        let mut ports = self.ports();
        ports.retain(|port| port.used);
        ports
    }

    /// The ports that the top module of [`super::wire_top`] has: those of [`Board::line_card_ports`] without the UART.
    pub fn wire_ports(&self) -> Vec<Port> {
        let mut ports = self.line_card_ports();
        ports.retain(|port| !port.name.starts_with("uart_"));
        ports
    }

    /// The ports that the top module of [`super::linecard_top`] has: those of a card, and of two PHYs all but management and their reference clock.
    pub fn line_card_ports(&self) -> Vec<Port> {
        let mut ports = self.ports();
        let of_phy = |name: &str| {
            let two = name.starts_with("rgmii0_") || name.starts_with("rgmii1_");
            let more = ["_mdio", "_mdc", "_reference_clock"];
            name == "rgmii_reset_n" || two && !more.iter().any(|end| name.ends_with(end))
        };
        ports.retain(|port| port.used || of_phy(&port.name));
        ports
    }

    /// Key, value and rule of the first value that is none.
    fn check(&self) -> Result<(), String> {
        plain_name(&self.name, &self.title)?;
        // these reach command lines and constraint files; ordering codes of Gowin have a slash
        let slashless = [&self.part.name, &self.part.speed].map(|code| code.replacen('/', "-", 1));
        let words = [
            ("part.name", &slashless[0]),
            ("part.device", &self.part.device),
            ("part.package", &self.part.package),
            ("part.speed", &slashless[1]),
        ];
        self.check_family()?;
        let ports = self.ports();
        let pins = ports.iter().flat_map(|port| {
            [
                (port.name.as_str(), &port.pin.pin),
                (port.name.as_str(), &port.pin.io_type),
            ]
        });
        for word in &self.openfpgaloader {
            plain_word("openfpgaloader", word.trim_start_matches('-'))?;
        }
        for (key, word) in words.into_iter().chain(pins) {
            plain_word(key, word)?;
        }
        for (key, [least, most]) in [
            ("pll.input_hz", self.pll.input_hz),
            ("pll.phase_detector_hz", self.pll.phase_detector_hz),
            ("pll.vco_hz", self.pll.vco_hz),
            ("pll.output_hz", self.pll.output_hz),
        ] {
            if least == 0 || least > most {
                return Err(format!(
                    "{key} = [{least}, {most}]: the least, above 0, then the most"
                ));
            }
        }
        for (key, value, least, most) in [
            ("pll.divider_max", self.pll.divider_max, 1, 1024),
            (
                "pll.output_dividers",
                self.pll.output_dividers.iter().copied().min().unwrap_or(1),
                1,
                1024,
            ),
            (
                "card.margin_percent",
                self.card.margin_percent,
                0,
                MAX_MARGIN_PERCENT,
            ),
            (
                "oscillator.frequency_hz",
                self.oscillator.frequency_hz,
                1,
                u64::MAX,
            ),
            (
                "rgmii_delay.rx_steps",
                self.rgmii_delay.rx_steps.into(),
                0,
                MAX_DELAY_STEPS.into(),
            ),
            (
                "rgmii_delay.tx_steps",
                self.rgmii_delay.tx_steps.into(),
                0,
                MAX_DELAY_STEPS.into(),
            ),
            ("card.clock_hz", self.card.clock_hz, 1, u64::MAX),
            ("card.uart_baud", self.card.uart_baud, 1, u64::MAX),
        ] {
            if !(least..=most).contains(&value) {
                return Err(format!("{key} = {value}: from {least} to {most}"));
            }
        }
        match &self.leds {
            Some(leds) if leds.pins.is_empty() => {
                Err("leds.pins = []: at least one, or no [leds] at all".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// What a family has not, or wants of its part's name.
    fn check_family(&self) -> Result<(), String> {
        if self.family == Family::Ecp5 {
            return Ok(());
        }
        let Part {
            name,
            package,
            speed,
            ..
        } = &self.part;
        if !name.ends_with(&format!("{package}{speed}")) {
            return Err(format!(
                "part.name = {name:?}: the ordering code of a Gowin part ends in part.package and part.speed, {package}{speed}"
            ));
        }
        let series = super::family::series(&self.part);
        if !["gw1n", "gw2a", "gw5a"].contains(&series.as_str()) {
            return Err(format!(
                "part.device = {:?}: a die of the series GW1N, GW2A or GW5A",
                self.part.device
            ));
        }
        if self.rgmii.is_empty() && self.rgmii_shared.is_none() {
            return Ok(());
        }
        Err("rgmii: the flow \"gowin\" has no Ethernet; leave it out".to_owned())
    }

    fn no_pin_twice(&self, file: &str) -> Result<(), BuildError> {
        let mut taken = BTreeMap::new();
        let negative = self.oscillator.pin_n.as_ref();
        let ports = self.ports();
        let all = ports
            .iter()
            .map(|port| (&port.pin.pin, port.name.as_str()))
            .chain(negative.map(|pin| (pin, "oscillator (pin_n)")));
        for (pin, name) in all {
            if let Some(first) = taken.insert(pin, name) {
                return Err(BuildError::PinUsedTwice {
                    file: file.to_owned(),
                    pin: pin.clone(),
                    first: first.to_owned(),
                    second: name.to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// What the names of the modules around a filter end in, behind `_`.
const WRAPPERS: [&str; 3] = ["card", "path", "linecard"];

/// Refuses a board's name that cannot stand in file names and identifiers or is that of another module, and a title of more than a line.
pub(super) fn plain_name(name: &str, title: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
        return Err(format!(
            "name = {name:?}: lower-case letters, digits and '-', a letter first"
        ));
    }
    if WRAPPERS.contains(&name) {
        return Err(format!(
            "name = {name:?}: NAME_{name} is a module within the board's top module, which is NAME_BOARD; choose another name"
        ));
    }
    if title.chars().any(char::is_control) {
        return Err(format!("title = {title:?}: one line of text"));
    }
    Ok(())
}

/// Refuses a word that a tool could not take as a name.
pub(super) fn plain_word(key: &str, word: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if word.is_empty() || word.starts_with('-') || !word.chars().all(plain) {
        return Err(format!(
            "{key}: {word:?} is no name: letters, digits, '-' and '_'"
        ));
    }
    Ok(())
}

impl Rgmii {
    fn ports(&self, prefix: &str) -> Vec<Port> {
        let mut ports = vec![
            ("rx_clock".to_owned(), &self.rx_clock),
            ("rx_control".to_owned(), &self.rx_control),
            ("tx_clock".to_owned(), &self.tx_clock),
            ("tx_control".to_owned(), &self.tx_control),
        ];
        for (name, pins) in [("rx_data", &self.rx_data), ("tx_data", &self.tx_data)] {
            ports.extend(
                (0..)
                    .zip(pins)
                    .map(|(bit, pin)| (format!("{name}[{bit}]"), pin)),
            );
        }
        for (name, pin) in [
            ("reset_n", &self.reset_n),
            ("mdio", &self.mdio),
            ("mdc", &self.mdc),
            ("reference_clock", &self.reference_clock),
        ] {
            ports.extend(pin.as_ref().map(|pin| (name.to_owned(), pin)));
        }
        ports
            .into_iter()
            .map(|(name, pin)| {
                let clock = matches!(name.as_str(), "rx_clock" | "reference_clock");
                Port {
                    clock_hz: clock.then_some(LINECARD_CLOCK_HZ),
                    ..unused(format!("{prefix}_{name}"), pin, &self.io_type)
                }
            })
            .collect()
    }
}

impl fmt::Display for Pull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pull::Up => "UP",
            Pull::Down => "DOWN",
            Pull::None => "NONE",
        })
    }
}

fn pin(pin: &str, io_type: &str) -> Pin {
    Pin {
        pin: pin.to_owned(),
        io_type: io_type.to_owned(),
        pull: None,
    }
}

fn unused(name: String, site: &str, io_type: &str) -> Port {
    Port {
        name,
        pin: pin(site, io_type),
        clock_hz: None,
        used: false,
    }
}
