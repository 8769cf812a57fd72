//! Block RAM of single bits that returns noise where hardware promises nothing.

use bloomline_bench::verilator::Design;

/// The text with block RAM that returns noise where nothing is promised: for the bit that is set in the clock of the read, and for a row that is erased.
///
/// # Panics
/// When the text has no such memory of single bits, or several.
pub fn noisy(design: &Design, row_bits: u32) -> Design {
    let mut noisy = design.clone();
    let (_, text) = &mut noisy.sources[0];
    let noise = "reg [63:0] noise;\nalways @(posedge clock) noise <= {noise[62:0], noise[63] ^ noise[62] ^ noise[60] ^ noise[59]};\n";
    let leaf = "(* no_rw_check *)\n  reg cells [";
    assert_eq!(text.matches(leaf).count(), 1, "one leaf");
    *text = text.replace(leaf, &format!("{noise}{leaf}"));
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
