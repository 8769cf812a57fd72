//! A bank's memory for Lattice ECP5.

use crate::prelude::*;
use std::fmt::Write;

/// Data pins of one of a block's two ports.
const PINS: usize = 18;
/// Address pins of a port.
const ADDRESS_PINS: usize = 14;

/// `bank_memory` for Lattice ECP5, to take the place of the module of that name: same ports, same timing, but the second clock of read latency is the block RAM's own
/// output register (`REGMODE` of DP16KD), which synthesis does not infer. `None` above 2048 words, where one block is less deep than a half.
///
/// ```text
/// words up to   blocks   bits a block
///     512         1          36
///    1024         2          18
///    2048         4           9
/// ```
///
/// Port A writes, port B reads; in 36 bits each also uses the other's data pins. What a read of the word written in the same clock gives is left open, as by
/// [`super::BankMemory`]. Source: evidence in `docs/decisions/002-output-register-of-block-ram.md`.
pub fn ecp5_bank_memory(words: usize) -> Option<String> {
    let width = match words {
        0..=512 => 36,
        513..=1024 => 18,
        1025..=2048 => 9,
        _ => return None,
    };
    let memory_width = WORD_BITS + EPOCH_BITS;
    let top = memory_width - 1;
    let address_bits = clog2(words);
    let low = clog2(width / 9) + 3; // address pins below the word
    let enables = if width == 9 { 0 } else { width / 9 }; // pins for byte enables
    let above = ADDRESS_PINS - low - address_bits;
    let address = |name: &str, low_bits: String| {
        let zeros = match above {
            0 => String::new(),
            above => format!("{above}'d0, "),
        };
        format!("{{{zeros}{name}, {low_bits}}}")
    };
    let write_low = match (low, enables) {
        (low, 0) => format!("{low}'d0"),
        (low, enables) => format!("{}'d0, {enables}'d{}", low - enables, ones(enables)),
    };
    let mut text = format!(
        "// {words} words of {WORD_BITS} data bits and {EPOCH_BITS} epoch bits in block RAM of a Lattice ECP5, two clocks of read latency: array, then the block's own output register.\n\
         // Takes the place of the module of this name that is written without a device.\n\
         module bank_memory (\n  input  wire        clock,\n  input  wire [{a}:0] read_address,\n  output wire [{top}:0] read_data,\n  input  wire        write_enable,\n  \
         input  wire [{a}:0] write_address,\n  input  wire [{top}:0] write_data\n);\n  \
         wire [13:0] write_pins = {}; // with every byte enabled\n  wire [13:0] read_pins  = {};\n",
        address("write_address", write_low),
        address("read_address", format!("{low}'d0")),
        a = address_bits - 1,
    );
    for block in 0..memory_width / width {
        let bit = |pin: usize| block * width + pin;
        let mut pins: Vec<String> = [
            "CLKA (clock)",
            "CLKB (clock)",
            "WEA (write_enable)",
            "WEB (1'b0)",
        ]
        .map(String::from)
        .into();
        for port in ["A", "B"] {
            pins.extend(["CE", "OCE"].map(|name| format!("{name}{port} (1'b1)")));
            pins.extend((0..3).map(|i| format!("CS{port}{i} (1'b0)")));
            pins.push(format!("RST{port} (1'b0)"));
        }
        for (port, wires) in [("A", "write_pins"), ("B", "read_pins")] {
            pins.extend((0..ADDRESS_PINS).map(|i| format!("AD{port}{i} ({wires}[{i}])")));
        }
        for (port, first) in [("A", 0), ("B", PINS)] {
            pins.extend((0..PINS).map(|i| {
                let wire = if first + i < width {
                    format!("write_data[{}]", bit(first + i))
                } else {
                    "1'b0".into()
                };
                format!("DI{port}{i} ({wire})")
            }));
        }
        // in 36 bits the lower half comes out of port A
        let outputs = if width > PINS {
            vec![("A", 0, PINS), ("B", PINS, PINS)]
        } else {
            vec![("B", 0, width)]
        };
        for (port, first, count) in outputs {
            pins.extend((0..count).map(|i| format!("DO{port}{i} (read_data[{}])", bit(first + i))));
        }
        writeln!(
            text,
            "  DP16KD #(\n    .DATA_WIDTH_A ({width}), .DATA_WIDTH_B ({width}), .REGMODE_A (\"OUTREG\"), .REGMODE_B (\"OUTREG\"), .GSR (\"DISABLED\")\n  ) block_{block} (\n{}\n  );",
            pins.chunks(6).map(|row| format!("    {}", row.iter().map(|pin| format!(".{pin}")).collect::<Vec<_>>().join(", "))).collect::<Vec<_>>().join(",\n")
        )
        .expect("a String takes any text");
    }
    text.push_str("endmodule\n");
    Some(text)
}
