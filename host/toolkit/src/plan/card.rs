//! Plan section about the card around a filter.

use crate::forecast::{short, whole, Line as Number, PathForecast};
use bloomline_spec::{Common, Design, Uart};
use serde_json::{json, Value};

/// Bits of a byte on the line: start, eight, stop.
const FRAME_BITS: f64 = 10.0;
/// Bytes of a command before its data.
const HEADER_BYTES: u32 = 6;
/// Bytes of an access through the mailbox: a request of six words written, a record of five read.
const MAILBOX_BYTES: u32 = 2 * HEADER_BYTES + 4 * (6 + 5);

/// Of a card with a UART.
struct Line {
    uart: Uart,
    /// Bits a second, by the clock.
    baud: f64,
    /// Of that, against what the host is told.
    baud_error: f64,
    /// Bytes of an item in one burst, with its result.
    item_bytes: u32,
    /// Bytes of an item, register for register through the mailbox.
    checked_item_bytes: u32,
}

impl Line {
    fn of(common: &Common) -> Option<Line> {
        let uart = common.card()?.uart?;
        let baud = common.clock_hz() as f64 / f64::from(uart.clocks_per_bit);
        let written = 1 + common.key_words();
        Some(Line {
            uart,
            baud,
            baud_error: baud / f64::from(uart.baud) - 1.0,
            item_bytes: 2 * HEADER_BYTES + 4 * (written + 1),
            checked_item_bytes: MAILBOX_BYTES * (written + 1),
        })
    }

    /// Milliseconds that so many bytes take on the line.
    fn milliseconds(&self, bytes: u32) -> f64 {
        1000.0 * FRAME_BITS * f64::from(bytes) / self.baud
    }
}

/// A paragraph on the card, if there is one, and on the packet path around it; `numbers` are those of the filter.
pub fn text(design: &Design, numbers: &[Number]) -> Option<String> {
    let common: &Common = design;
    common.card()?;
    let mut card = match Line::of(common) {
        None => "Card: item port, reached over AXI4-Lite".to_owned(),
        Some(line) => format!(
            "Card: item port, reached over a UART of {} baud: {} clocks a bit ({:+.2}%); an item and its verdict take {} bytes, {} ms on the \
             line, or {} bytes, {} ms, checked through the mailbox",
            whole(line.uart.baud.into()),
            whole(line.uart.clocks_per_bit.into()),
            100.0 * line.baud_error,
            line.item_bytes,
            short(line.milliseconds(line.item_bytes)),
            line.checked_item_bytes,
            short(line.milliseconds(line.checked_item_bytes)),
        ),
    };
    if let Some(path) = PathForecast::of(design, numbers) {
        card = format!("{card}\n\n{}", path.text());
    }
    Some(match tunnels(common)[..] {
        [] => card,
        ref words => format!(
            "{card}\n\nTunnels: a packet in one of packet.tunnels ({}) has the key of the packet inside, which must be IP; what cannot be opened, \
             fragments of the outer packet among it, has the key of its outer header",
            words.join(", ")
        ),
    })
}

/// Words of the tunnels that a packet path opens.
fn tunnels(common: &Common) -> Vec<&'static str> {
    let tunnels = common.packet().map(|packet| packet.tunnels());
    let tunnels = tunnels.unwrap_or_default().iter();
    tunnels.map(|tunnel| tunnel.word()).collect()
}

/// The card as `--json` has it.
pub fn json(design: &Design, numbers: &[Number]) -> Option<Value> {
    let common: &Common = design;
    common.card()?;
    let mut card = match Line::of(common) {
        None => json!({ "uart": null }),
        Some(line) => json!({ "uart": {
            "baud": line.uart.baud,
            "clocks_per_bit": line.uart.clocks_per_bit,
            "baud_error": line.baud_error,
            "item_bytes": line.item_bytes,
            "item_ms": line.milliseconds(line.item_bytes),
            "checked_item_bytes": line.checked_item_bytes,
            "checked_item_ms": line.milliseconds(line.checked_item_bytes),
        } }),
    };
    if let Some(path) = PathForecast::of(design, numbers) {
        card["path"] = json!(path);
    }
    let tunnels = tunnels(common);
    if !tunnels.is_empty() {
        card["tunnels"] = tunnels.into();
    }
    Some(card)
}
