//! Readers of the generated documents. They know the formats, not the map.

use bloomline_spec::{Access, RegisterMap};
use bloomline_toolchain::{Package, Toolchain};
use std::process::Command;

/// Bits of a register that mean one thing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldRow {
    pub name: String,
    pub lowest_bit: u32,
    pub width: u32,
}

/// A register, as every writing of the map says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub block: String,
    pub name: String,
    pub address: u32,
    /// "constant", "read", "read, write" or "write 1 to act".
    pub access: String,
    pub width: u32,
    pub reset: Option<u32>,
    pub fields: Vec<FieldRow>,
}

/// The description itself.
pub fn described(map: &RegisterMap) -> Vec<Row> {
    let of_block = |block: &bloomline_spec::RegisterBlock| {
        let name = block.name.to_owned();
        let rows: Vec<Row> = block
            .registers
            .iter()
            .map(|register| Row {
                block: name.clone(),
                name: register.name.into(),
                address: register.offset,
                access: match register.access {
                    Access::Constant => "constant",
                    Access::ReadOnly => "read",
                    Access::ReadWrite => "read, write",
                    Access::WritePulse => "write 1 to act",
                    Access::WriteOnly => "write",
                }
                .into(),
                width: register.width,
                reset: register.reset,
                fields: register
                    .fields
                    .iter()
                    .map(|field| FieldRow {
                        name: field.name.into(),
                        lowest_bit: field.lowest_bit,
                        width: field.width,
                    })
                    .collect(),
            })
            .collect();
        rows
    };
    map.blocks.iter().flat_map(of_block).collect()
}

fn number(text: &str) -> u32 {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    }
    .unwrap_or_else(|error| panic!("{text:?} is no number: {error}"))
}

/// The tables of the Markdown page.
pub fn markdown(page: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let (mut block, mut register) = (String::new(), String::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## Block `") {
            block = heading.split('`').next().unwrap_or_default().into();
            register.clear();
        } else if let Some(heading) = line.strip_prefix("### ") {
            register = heading.into();
        } else if line.starts_with("| ")
            && !line.starts_with("| address")
            && !line.starts_with("| bits |")
        {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            if register.is_empty() {
                rows.push(Row {
                    block: block.clone(),
                    name: cells[1].into(),
                    address: number(cells[0]),
                    access: cells[2].into(),
                    width: number(cells[3]),
                    reset: (cells[4] != "-").then(|| number(cells[4])),
                    fields: Vec::new(),
                });
            } else {
                let (high, low) = cells[0].split_once(':').unwrap_or((cells[0], cells[0]));
                let row = rows
                    .iter_mut()
                    .find(|row| row.block == block && row.name == register);
                row.expect("a register of the table above")
                    .fields
                    .push(FieldRow {
                        name: cells[1].into(),
                        lowest_bit: number(low),
                        width: number(high) - number(low) + 1,
                    });
            }
        }
    }
    rows
}

/// Walks the address map that the SystemRDL compiler makes of a file; prints a register a line.
const WALK: &str = r#"
import json, sys
from systemrdl import RDLCompiler, RDLListener, RDLWalker
from systemrdl.node import RegNode

compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
top = compiler.elaborate()
rows = []

class Registers(RDLListener):
    def enter_Reg(self, node):
        fields = [{
            "name": f.inst_name, "low": f.low, "width": f.width, "sw": f.get_property("sw").name, "hw": f.get_property("hw").name,
            "pulse": f.get_property("singlepulse"), "reset": f.get_property("reset"),
        } for f in node.fields()]
        rows.append({"block": node.parent.inst_name, "name": node.inst_name, "address": node.absolute_address,
                     "regwidth": node.get_property("regwidth"), "fields": fields})

RDLWalker().walk(top, Registers())
print(json.dumps(rows))
"#;

/// The SystemRDL text, read by the SystemRDL compiler.
///
/// Beside each register: whether the hardware changes it.
pub fn systemrdl(text: &str) -> Vec<(Row, bool)> {
    let toolchain = Toolchain::discover().expect("a tools folder");
    toolchain
        .install(&[Package::SystemRdl], &|progress| eprintln!("{progress}"))
        .expect("systemrdl-compiler from PyPI");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("map.rdl");
    std::fs::write(&file, text).expect("the file");
    let output = Command::new(toolchain.python_of(Package::SystemRdl))
        .args(["-c", WALK])
        .arg(&file)
        .output()
        .expect("python starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && complaints.is_empty(),
        "the SystemRDL compiler says: {complaints}"
    );
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = rows.as_array().expect("a list").iter();
    rows.map(rdl_row).collect()
}

fn rdl_row(row: &serde_json::Value) -> (Row, bool) {
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let int = |value: &serde_json::Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
    assert_eq!(row["regwidth"], 32, "{row}");
    let fields = row["fields"].as_array().expect("a list");
    let access = |field: &serde_json::Value| {
        let words = (
            text(&field["sw"]),
            text(&field["hw"]),
            field["pulse"].as_bool(),
        );
        match (words.0.as_str(), words.1.as_str(), words.2) {
            ("r", "na", Some(false)) => ("constant", false),
            ("r", "w", Some(false)) => ("read", true),
            ("rw", "r", Some(false)) => ("read, write", false),
            ("rw", "rw", Some(false)) => ("read, write", true),
            ("w", "r", Some(true)) => ("write 1 to act", false),
            other => panic!("{other:?} is no access of the map: {row}"),
        }
    };
    let accesses: Vec<(&str, bool)> = fields.iter().map(access).collect();
    assert!(accesses.windows(2).all(|pair| pair[0] == pair[1]), "{row}");
    let rows: Vec<FieldRow> = fields
        .iter()
        .map(|field| FieldRow {
            name: text(&field["name"]),
            lowest_bit: int(&field["low"]).expect("a place"),
            width: int(&field["width"]).expect("a width"),
        })
        .collect();
    // a register without a reset value has none in any field
    let reset = fields.iter().try_fold(0, |sum, field| {
        Some(sum | int(&field["reset"])? << int(&field["low"])?)
    });
    let (access, is_volatile) = accesses[0];
    let row = Row {
        block: text(&row["block"]),
        name: text(&row["name"]),
        address: int(&row["address"]).expect("an address"),
        access: access.into(),
        width: rows
            .iter()
            .map(|field| field.lowest_bit + field.width)
            .max()
            .expect("a field"),
        reset,
        fields: if rows.len() == 1 && rows[0].name == "value" {
            Vec::new()
        } else {
            rows
        },
    };
    (row, is_volatile)
}
