//! The top module of a board as a wire between its two PHYs.

use super::board::{Board, RGMII_CLOCK_HZ};
use super::top::card_clock;
use super::BuildError;
use bloomline_hdl::emit::Emitted;
use bloomline_hdl::mac::ecp5_rgmii_leaves;
use std::fmt::Write;

/// A top module and all that makes it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireTop {
    /// Name of the module.
    pub name: String,
    /// File names and texts.
    pub sources: Vec<(String, String)>,
    /// Clock of the net `card_clock` in hertz, with which frames are sent.
    pub clock_hz: u64,
}

/// PHYs of a wire.
const PHYS: usize = 2;

/// The top module `wire_<board>`: what comes in at one PHY goes out at the other, in both directions, through two `mac_port`s.
///
/// `port` is the emitted `mac_port`; its leaves at the pins are replaced by those of the part. The PHYs are out of reset when the
/// PLL is locked and the button is not pressed. LEDs, as far as there are: PLL locked, link of the first PHY, link of the second.
///
/// # Errors
/// [`BuildError::Phys`] with fewer than two PHYs, [`BuildError::Clock`] where the PLL cannot make 125 MHz.
pub fn wire_top(board: &Board, port: &Emitted) -> Result<WireTop, BuildError> {
    let found = board.rgmii.len();
    if found < PHYS {
        return Err(BuildError::Phys {
            board: board.name.clone(),
            found,
            needed: PHYS,
        });
    }
    let clock_hz = RGMII_CLOCK_HZ;
    let pll = board.pll_setting(clock_hz)?;
    let name = format!("wire_{}", board.identifier());
    let delay = board.rgmii_delay;
    let leaves = ecp5_rgmii_leaves(delay.rx_steps, delay.tx_steps)
        .expect("the board's delays were checked when it was read");
    let replaced = |text: &str| leaves.contains(&format!("module {text} ("));
    let mut sources: Vec<(String, String)> = port
        .modules
        .iter()
        .filter(|module| !replaced(&module.name))
        .map(|module| (format!("{}.v", module.name), module.text.clone()))
        .collect();
    sources.push(("leaves.v".into(), leaves));
    sources.push((format!("{name}.v"), text(board, &name, clock_hz, &pll)));
    Ok(WireTop {
        name,
        sources,
        clock_hz,
    })
}

fn text(board: &Board, name: &str, clock_hz: u64, pll: &super::PllSetting) -> String {
    let mut ports = vec!["  input  wire oscillator".to_owned()];
    if board.reset.is_some() {
        ports.push("  input  wire reset_button".into());
    }
    let mut body = String::new();
    if let Some(leds) = &board.leds {
        let top = leds.pins.len() - 1;
        ports.push(format!("  output wire [{top}:0] led"));
        let shown = ["locked", "link_0", "link_1"];
        let lit: Vec<String> = (0..leds.pins.len())
            .rev()
            .map(|led| (*shown.get(led).unwrap_or(&"1'b0")).to_owned())
            .collect();
        let not = if leds.active_low { "~" } else { "" };
        writeln!(body, "  assign led = {not}{{{}}};", lit.join(", ")).expect(TAKES_TEXT);
    }
    if board.rgmii_shared.is_some() {
        ports.push("  output wire rgmii_reset_n".into());
        body += "  assign rgmii_reset_n = !hold;\n";
    }
    for (i, phy) in board.rgmii.iter().take(PHYS).enumerate() {
        let phy_ports = [
            "input  wire rgmii#_rx_clock",
            "input  wire rgmii#_rx_control",
            "input  wire [3:0] rgmii#_rx_data",
            "output wire rgmii#_tx_clock",
            "output wire rgmii#_tx_control",
            "output wire [3:0] rgmii#_tx_data",
        ];
        let number = i.to_string();
        ports.extend(phy_ports.map(|port| format!("  {}", port.replace('#', &number))));
        if phy.reset_n.is_some() {
            ports.push(format!("  output wire rgmii{i}_reset_n"));
            writeln!(body, "  assign rgmii{i}_reset_n = !hold;").expect(TAKES_TEXT);
        }
        body += &PORT
            .replace('#', &number)
            .replace('@', &(PHYS - 1 - i).to_string());
    }
    format!(
        "// {name}: a wire between the two Ethernet PHYs of the board {}.\n`default_nettype none\nmodule {name} (\n{}\n);\n{}\n{body}endmodule\n`default_nettype wire\n",
        board.title,
        ports.join(",\n"),
        card_clock(board, clock_hz, pll),
    )
}

const TAKES_TEXT: &str = "a String takes any text";

/// A port, `#`, whose frames go to the other one, `@`.
const PORT: &str = "
  wire link_#, from_#_valid, from_#_ready, from_#_last, from_#_bad;
  wire [7:0] from_#_data;
  mac_port port_# (
    .clock (card_clock),
    .hold (hold),
    .reset (),
    .rgmii_rx_clock (rgmii#_rx_clock),
    .rgmii_rx_control (rgmii#_rx_control),
    .rgmii_rx_data (rgmii#_rx_data),
    .rgmii_tx_clock (rgmii#_tx_clock),
    .rgmii_tx_control (rgmii#_tx_control),
    .rgmii_tx_data (rgmii#_tx_data),
    .m_frame_tvalid (from_#_valid),
    .m_frame_tready (from_#_ready),
    .m_frame_tdata (from_#_data),
    .m_frame_tlast (from_#_last),
    .m_frame_tuser (from_#_bad),
    .s_frame_tvalid (from_@_valid),
    .s_frame_tready (from_@_ready),
    .s_frame_tdata (from_@_data),
    .s_frame_tlast (from_@_last),
    .s_frame_tuser (from_@_bad),
    .link_up (link_#),
    .link_speed (),
    .link_full_duplex (),
    .frames_good (),
    .frames_bad_fcs (),
    .frames_runt (),
    .frames_error (),
    .overflows (),
    .frames_sent (),
    .frames_broken (),
    .underruns ()
  );
";
