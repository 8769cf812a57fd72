//! Text of the comments in the Verilog of a filter of cells.

use crate::shape::CellShape;
use bloomline_spec::{counted, CellGeometry, CellKind};

/// The text above the module: kind, source, size, speed.
pub(super) fn about(geometry: &CellGeometry, shape: &CellShape) -> String {
    let title = match geometry.cell_kind() {
        CellKind::Counting if shape.conserves == 1 => {
            "Counting Bloom filter, updated conservatively. Sources: CBF; Estan and Varghese, SIGCOMM 2002"
        }
        CellKind::Counting if shape.windows() > 0 => {
            "Counting Bloom filter over a window, of two panes. Source: CBF"
        }
        CellKind::Counting => "Counting Bloom filter. Source: CBF",
        CellKind::CountMin if shape.conserves == 1 => {
            "Count-Min sketch, updated conservatively. Sources: KM section 9; Estan and Varghese, SIGCOMM 2002"
        }
        CellKind::CountMin => "Count-Min sketch. Source: KM section 9",
        CellKind::Static => {
            "Static Bloom filter. Source: OCC"
        }
    };
    let k = shape.hashes;
    let speed = match shape.fold {
        0 => "One item a clock".to_owned(),
        _ if shape.conserves == 1 => format!(
            "A query in {k} clocks, a probe in each; an insertion in {}: {k} probes look, {k} raise",
            geometry.timing().initiation_interval()
        ),
        _ => format!("One item in {k} clocks, a probe in each"),
    };
    format!(
        "{title}: {} bits in {} of cells of {}.\n{speed}. Timing: cells.md.",
        geometry.memory_bits(),
        counted(shape.banks, "bank"),
        counted(shape.cell_bits, "bit"),
    )
}

/// The text above the module of single cells.
pub(crate) fn about_in_place(geometry: &CellGeometry) -> String {
    let (title, cells) = match geometry.cell_kind() {
        CellKind::Counting => ("Counting Bloom filter", "counters"),
        CellKind::CountMin => ("Count-Min sketch", "counters"),
        CellKind::Static => ("Static Bloom filter", "bits"),
    };
    let (source, size) = match geometry.cell_kind() {
        CellKind::Counting => ("CBF", format!(" of {} bits", geometry.cell_bits())),
        CellKind::CountMin => ("KM section 9", format!(" of {} bits", geometry.cell_bits())),
        CellKind::Static => ("OCC", String::new()),
    };
    format!(
        "{title}: {} single {cells}{size} in {}. Source: {source}.\nOne item a clock. Timing: single-bits.md.",
        geometry.cells_per_bank() * u64::from(geometry.banks()),
        counted(geometry.banks() as usize, "bank"),
    )
}

/// What `s_item_tuser` carries.
pub(crate) fn operations(geometry: &CellGeometry) -> &'static str {
    match geometry.cell_kind() {
        CellKind::Counting if geometry.removes() => {
            "0 query, 1 insert, 2 test-and-insert, 3 remove"
        }
        CellKind::Counting => "0 query, 1 insert, 2 and 3 test-and-insert",
        CellKind::CountMin => {
            "bits 1:0 operation: 0 query, 1 insert, 2 test-and-insert; above them the amount"
        }
        CellKind::Static => "0 query, 1 insert, 2 test-and-insert",
    }
}
