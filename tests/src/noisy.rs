//! Block RAM of single cells that returns noise where hardware promises nothing.

use bloomline_bench::verilator::Design;

const NOISE: &str = "reg [63:0] noise;\nalways @(posedge clock) noise <= {noise[62:0], noise[63] ^ noise[62] ^ noise[60] ^ noise[59]};\n";

/// The text with block RAM that returns noise where nothing is promised: for the bit that is set in the clock of the read, and for a row that is erased.
///
/// # Panics
/// When the text has no such memory of single bits, or several.
pub fn noisy(design: &Design, row_bits: u32) -> Design {
    let mut noisy = design.clone();
    let (_, text) = &mut noisy.sources[0];
    let leaf = "(* no_rw_check *)\n  reg cells [";
    assert_eq!(text.matches(leaf).count(), 1, "one leaf");
    *text = text.replace(leaf, &format!("{NOISE}{leaf}"));
    for bit in 0..row_bits {
        let (place, address) = match row_bits {
            1 => (String::new(), "row".to_owned()),
            _ => (
                format!("[{bit}]"),
                format!("{{row, {}'d{bit}}}", row_bits.ilog2()),
            ),
        };
        let read = format!("array_out{place} <= cells[{address}];");
        let anything =
            format!("array_out{place} <= (erase || (set && set_address == {address})) ? noise[{bit}] : cells[{address}];");
        assert_eq!(text.matches(&read).count(), 1, "{read}");
        *text = text.replace(&read, &anything);
    }
    noisy
}

/// The same of counters of so many bits: noise for one that is written in the clock of the read.
///
/// # Panics
/// When the text has no such memory of counters, or several.
pub fn noisy_counters(design: &Design, counter_bits: u32) -> Design {
    let mut noisy = design.clone();
    let (_, text) = &mut noisy.sources[0];
    let top = counter_bits - 1;
    let leaf = format!("(* no_rw_check *)\n  reg [{top}:0] cells [");
    let read = "array_out <= cells[read_address];";
    let anything = format!(
        "array_out <= (write_enable && write_address == read_address) ? noise[{top}:0] : cells[read_address];"
    );
    for (part, with) in [(leaf.as_str(), format!("{NOISE}{leaf}")), (read, anything)] {
        assert_eq!(text.matches(part).count(), 1, "{part}");
        *text = text.replace(part, &with);
    }
    noisy
}
