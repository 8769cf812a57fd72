//! The register map as SystemRDL 2.0.

use super::register::{Access, Field, Register, RegisterMap};

impl RegisterMap {
    /// The register map as a SystemRDL 2.0 address map called `<name>_registers`, one register file a block.
    ///
    /// A register without fields is one field called `value`. Accepted without a warning by the SystemRDL compiler of
    /// PyPI (`systemrdl-compiler` 1.33.0), which found every register at the address given here.
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
        push_field(text, register, "value", "", 0, register.width);
    }
    for Field {
        name,
        lowest_bit,
        width,
        doc,
    } in &register.fields
    {
        let desc = format!("desc = {}; ", string(doc));
        push_field(text, register, name, &desc, *lowest_bit, *width);
    }
    text.push_str(&format!(
        "        }} {} @ 0x{:X};\n",
        register.name,
        register.offset - block_offset
    ));
}

fn push_field(
    text: &mut String,
    register: &Register,
    name: &str,
    desc: &str,
    lowest_bit: u32,
    width: u32,
) {
    let access = match register.access {
        Access::Constant => "sw = r; hw = na;",
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite if register.is_volatile() => "sw = rw; hw = rw;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::WritePulse => "sw = w; hw = r; singlepulse;",
        Access::WriteOnly => "sw = w; hw = r;",
    };
    let reset = register.reset.map_or(String::new(), |value| {
        let mask = u32::MAX >> (32 - width);
        format!(" = {width}'h{:X}", value >> lowest_bit & mask)
    });
    let highest_bit = lowest_bit + width - 1;
    text.push_str(&format!(
        "            field {{ {desc}{access} }} {name}[{highest_bit}:{lowest_bit}]{reset};\n"
    ));
}

/// A SystemRDL string literal.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
