//! The register map as a page of Markdown.

use super::register::{Access, Register, RegisterMap};

impl RegisterMap {
    /// The register map as Markdown: one table of registers a block, then one of fields for each register that has any.
    pub fn to_markdown(&self) -> String {
        let mut page = format!(
            "# Registers of `{}`\n\n\
             32-bit registers in a space of {} bytes; the two lowest bits of an address do not count. An address without \
             a register answers DECERR (response 3) and reads as 0. A write to a register that cannot be written, of a \
             value wider than the register, or without all four byte strobes answers SLVERR (2) and changes nothing. \
             Bits that belong to no field read as 0, and below a register's highest field are ignored when written. A write behind \
             a command of CONTROL, a new threshold or a word of the array is taken when that is done: for a clear that erases \
             every row of the memory, in as many clock cycles as it has rows.\n",
            self.name,
            1 << self.address_bits,
        );
        for block in &self.blocks {
            page.push_str(&format!(
                "\n## Block `{}` at 0x{:03X}\n\n{}\n\n",
                block.name, block.offset, block.doc
            ));
            page.push_str("| address | register | access | bits | reset | meaning |\n|---|---|---|---|---|---|\n");
            for register in &block.registers {
                let reset = register
                    .reset
                    .map_or("-".to_owned(), |value| format!("0x{value:X}"));
                let Register {
                    name,
                    offset,
                    width,
                    doc,
                    ..
                } = register;
                let access = access_text(register.access);
                page.push_str(&format!(
                    "| 0x{offset:03X} | {name} | {access} | {width} | {reset} | {doc} |\n"
                ));
            }
            for register in block
                .registers
                .iter()
                .filter(|register| !register.fields.is_empty())
            {
                page.push_str(&format!(
                    "\n### {}\n\n| bits | field | meaning |\n|---|---|---|\n",
                    register.name
                ));
                for field in &register.fields {
                    let highest_bit = field.lowest_bit + field.width - 1;
                    let bits = match field.width {
                        1 => format!("{highest_bit}"),
                        _ => format!("{highest_bit}:{}", field.lowest_bit),
                    };
                    page.push_str(&format!("| {bits} | {} | {} |\n", field.name, field.doc));
                }
            }
        }
        page
    }
}

fn access_text(access: Access) -> &'static str {
    match access {
        Access::Constant => "constant",
        Access::ReadOnly => "read",
        Access::ReadWrite => "read, write",
        Access::WritePulse => "write 1 to act",
        Access::WriteOnly => "write only",
    }
}
