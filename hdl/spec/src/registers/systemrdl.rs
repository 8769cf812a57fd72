//! The register map as SystemRDL 2.0.

use super::{Access, Field, Register, RegisterMap};

impl RegisterMap {
    /// The register map as a SystemRDL 2.0 address map called `<name>_registers`, one register file a block.
    ///
    /// A register without fields is one field called `value`.
    pub fn to_systemrdl(&self) -> String {
        let mut text = format!("addrmap {}_registers {{\n", self.name);
        text.push_str(&format!(
            "    name = {};\n",
            string(&format!("Registers of {}", self.name))
        ));
        text.push_str("    default regwidth = 32;\n    default accesswidth = 32;\n    littleendian;\n    lsb0;\n");
        for block in &self.blocks {
            text.push_str(&format!(
                "\n    regfile {{\n        desc = {};\n",
                string(block.doc)
            ));
            for register in &block.registers {
                push_register(&mut text, register, block.offset);
            }
            text.push_str(&format!("    }} {} @ 0x{:X};\n", block.name, block.offset));
        }
        text.push_str("};\n");
        text
    }
}

fn push_register(text: &mut String, register: &Register, block_offset: u32) {
    text.push_str(&format!(
        "        reg {{\n            desc = {};\n",
        string(register.doc)
    ));
    if register.fields.is_empty() {
        let whole = Field {
            name: "value",
            lowest_bit: 0,
            width: register.width,
            doc: register.doc,
        };
        push_field(text, &whole, register);
    }
    for field in &register.fields {
        push_field(text, field, register);
    }
    text.push_str(&format!(
        "        }} {} @ 0x{:X};\n",
        register.name,
        register.offset - block_offset
    ));
}

fn push_field(text: &mut String, field: &Field, register: &Register) {
    let access = match register.access {
        Access::Constant => "sw = r; hw = na;",
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::WritePulse => "sw = w; hw = r; singlepulse;",
    };
    let reset = register.reset.map_or(String::new(), |value| {
        let mask = u32::MAX >> (32 - field.width);
        format!(" = {}'h{:X}", field.width, value >> field.lowest_bit & mask)
    });
    let Field {
        name,
        lowest_bit,
        width,
        doc,
    } = field;
    let highest_bit = lowest_bit + width - 1;
    let desc = string(doc);
    text.push_str(&format!(
        "            field {{ desc = {desc}; {access} }} {name}[{highest_bit}:{lowest_bit}]{reset};\n"
    ));
}

/// A SystemRDL string literal.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
