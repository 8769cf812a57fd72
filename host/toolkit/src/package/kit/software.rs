//! The registers for software: a C header, and LiteX's `csr.json` and `csr.csv`.

use bloomline_spec::{Access, Design, Register};
use serde_json::{json, Map, Value};

/// A C header: byte offsets, masks of the fields and of what a register holds, reset values.
pub fn header(design: &Design) -> String {
    let name = design.name().to_uppercase();
    let map = design.register_map();
    let mut text = format!(
        "/* Registers of {}, geometry hash 0x{:016x}: byte offsets from its base address, 32 bits each. */\n\
         #ifndef {name}_REGISTERS_H\n#define {name}_REGISTERS_H\n\n#define {name}_BYTES 0x{:x}u\n",
        design.name(),
        design.geometry_hash(),
        1u64 << map.address_bits,
    );
    for block in &map.blocks {
        text += &format!("\n/* {}: {} */\n", block.name, comment(block.doc));
        for register in &block.registers {
            let of = format!("{name}_{}_{}", block.name.to_uppercase(), register.name);
            text += &format!(
                "/* {}{} */\n#define {of} 0x{:03x}u\n",
                access(register),
                comment(register.doc),
                register.offset
            );
            if let Some(reset) = register.reset {
                text += &format!("#define {of}_RESET 0x{reset:08x}u\n");
            }
            if register.access.is_writable() && register.fields.is_empty() && register.width < 32 {
                let mask = register.max_value();
                text +=
                    &format!("#define {of}_MASK 0x{mask:08x}u /* a wider value is refused */\n");
            }
            for field in &register.fields {
                let mask = (u32::MAX >> (32 - field.width)) << field.lowest_bit;
                let of = format!("{of}_{}", field.name.to_uppercase());
                text += &format!(
                    "#define {of}_SHIFT {}u\n#define {of}_MASK 0x{mask:08x}u /* {} */\n",
                    field.lowest_bit,
                    comment(field.doc)
                );
            }
        }
    }
    text + &format!("\n#endif /* {name}_REGISTERS_H */\n")
}

fn comment(doc: &str) -> String {
    doc.replace("*/", "* /")
}

fn access(register: &Register) -> &'static str {
    match register.access {
        Access::Constant => "Constant. ",
        Access::ReadOnly => "Read only. ",
        Access::ReadWrite => "",
        Access::WritePulse => "Write a 1 to act; reads as 0. ",
        Access::WriteOnly => "Write only; reads as 0. ",
    }
}

/// LiteX's name, type and address of every register, at base 0.
fn csrs(design: &Design) -> Vec<(String, u32, &'static str)> {
    let map = design.register_map();
    let of_block = map.blocks.iter().flat_map(|block| {
        block.registers.iter().map(move |register| {
            let name = format!("{}_{}_{}", design.name(), block.name, register.name);
            let kind = match register.access.is_writable() {
                true => "rw",
                false => "ro",
            };
            (name.to_lowercase(), register.offset, kind)
        })
    });
    of_block.collect()
}

/// `csr.json`, as LiteX writes it for a system on chip; the base is 0.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn csr_json(design: &Design) -> Result<String, serde_json::Error> {
    let registers: Map<String, Value> = csrs(design)
        .into_iter()
        .map(|(name, address, kind)| (name, json!({ "addr": address, "size": 1, "type": kind })))
        .collect();
    let bases: Map<String, Value> = [(design.name().to_owned(), json!(0))].into_iter().collect();
    let text = serde_json::to_string_pretty(&json!({
        "csr_bases": bases,
        "csr_registers": registers,
        "constants": {
            "config_csr_data_width": 32,
            "config_csr_alignment": 32,
            "config_bus_address_width": 32,
            "config_clock_frequency": design.clock_hz(),
        },
        "memories": {},
    }))?;
    Ok(text + "\n")
}

/// The same as `csr.csv`, which LiteX's `RemoteClient` takes.
pub fn csr_csv(design: &Design) -> String {
    let mut text = format!("csr_base,{},0x00000000,,\n", design.name());
    for (name, address, kind) in csrs(design) {
        text += &format!("csr_register,{name},0x{address:08x},1,{kind}\n");
    }
    text + &format!(
        "constant,config_csr_data_width,32,,\nconstant,config_csr_alignment,32,,\nconstant,config_bus_address_width,32,,\nconstant,config_clock_frequency,{},,\n",
        design.clock_hz()
    )
}

#[cfg(test)]
mod tests {
    use crate::Filter;
    use bloomline_spec::EXAMPLES;
    use std::path::Path;

    #[test]
    fn the_header_tells_how_wide_a_value_may_be() {
        let (name, text) = EXAMPLES[0];
        let filter = Filter::from_text(Path::new(name), text.to_owned()).expect("an example");
        let (header, map) = (
            super::header(filter.design()),
            filter.design().register_map(),
        );
        let threshold = map.register("filter", "THRESHOLD").expect("it has one");
        let mask = format!("_FILTER_THRESHOLD_MASK 0x{:08x}u", threshold.max_value());
        assert!(header.contains(&mask), "{header}");
        // of 32 bits, with fields, or not to be written
        for none in ["ARRAY_DATA_MASK", "CONTROL_MASK", "MESSAGES_MASK"] {
            assert!(!header.contains(none), "{none}");
        }
    }
}
