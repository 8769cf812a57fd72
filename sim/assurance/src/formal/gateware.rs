//! What is proved, of any kind.

use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::{card_verilog, cell_verilog, design_verilog, filter_verilog, sliding_verilog};
use bloomline_spec::mac::{MAC_FIFO_WORDS, MAC_WORD_BITS};
use bloomline_spec::{CellGeometry, Common, FilterKind, Geometry, Layout, Parity, SlidingGeometry};

/// Which pipeline a filter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pipeline {
    /// Recycling, a bank a hash.
    Banks,
    /// Recycling, on one array.
    Array,
    /// Cells: static, counting, Count-Min.
    Cells,
    /// Sliding windows.
    Windows,
}

impl Pipeline {
    /// Its name, as checkers and their observers have it.
    pub fn name(self) -> &'static str {
        match self {
            Pipeline::Banks => "BANKS",
            Pipeline::Array => "ARRAY",
            Pipeline::Cells => "CELLS",
            Pipeline::Windows => "WINDOWS",
        }
    }

    /// Most words of a memory that a proof with memory takes: those of the smallest legal one.
    pub fn most_words(self) -> u64 {
        match self {
            Pipeline::Banks => 4,
            Pipeline::Array | Pipeline::Cells => 8,
            Pipeline::Windows => 16,
        }
    }
}

/// The filter whose gateware is proved.
#[derive(Debug, Clone)]
pub enum Gateware {
    /// A recycling filter, in either layout.
    Recycling(Geometry),
    /// A static filter, a counting filter or a Count-Min sketch.
    Cells(CellGeometry),
    /// A sliding-window filter.
    Sliding(SlidingGeometry),
}

impl From<Geometry> for Gateware {
    fn from(geometry: Geometry) -> Gateware {
        Gateware::Recycling(geometry)
    }
}

impl From<CellGeometry> for Gateware {
    fn from(geometry: CellGeometry) -> Gateware {
        Gateware::Cells(geometry)
    }
}

impl From<SlidingGeometry> for Gateware {
    fn from(geometry: SlidingGeometry) -> Gateware {
        Gateware::Sliding(geometry)
    }
}

impl Gateware {
    /// What all kinds have.
    pub fn common(&self) -> &Common {
        match self {
            Gateware::Recycling(geometry) => geometry,
            Gateware::Cells(geometry) => geometry,
            Gateware::Sliding(geometry) => geometry,
        }
    }

    /// Words of one of its memories: of a bank, an array's half, or the buckets of the front table.
    pub fn words(&self) -> u64 {
        match self {
            Gateware::Recycling(geometry) => geometry.words_per_bank(),
            Gateware::Cells(geometry) => geometry.words_per_bank(),
            Gateware::Sliding(geometry) => geometry.front_buckets(),
        }
    }

    pub(super) fn pipeline(&self) -> Pipeline {
        match (self, self.common().layout()) {
            (Gateware::Recycling(_), Layout::Partitioned) => Pipeline::Banks,
            (Gateware::Recycling(_), Layout::Shared) => Pipeline::Array,
            (Gateware::Cells(_), _) => Pipeline::Cells,
            (Gateware::Sliding(_), _) => Pipeline::Windows,
        }
    }

    /// Its Verilog.
    pub(super) fn filter_verilog(&self) -> Result<Emitted, EmitError> {
        match self {
            Gateware::Recycling(geometry) => filter_verilog(geometry, ""),
            Gateware::Cells(geometry) => cell_verilog(geometry, ""),
            Gateware::Sliding(geometry) => sliding_verilog(geometry, ""),
        }
    }

    /// That of the card around it.
    pub(super) fn card_verilog(&self) -> Result<Emitted, EmitError> {
        match self {
            Gateware::Recycling(geometry) => card_verilog(geometry, ""),
            Gateware::Cells(geometry) => card_verilog(geometry, ""),
            Gateware::Sliding(geometry) => card_verilog(geometry, ""),
        }
    }

    /// All that is emitted for its specification.
    pub(super) fn design_verilog(&self) -> Result<Emitted, EmitError> {
        match self {
            Gateware::Recycling(geometry) => design_verilog(geometry, ""),
            Gateware::Cells(geometry) => design_verilog(geometry, ""),
            Gateware::Sliding(geometry) => design_verilog(geometry, ""),
        }
    }

    /// Clock edges from acceptance until an item stands in stage 0.
    pub(super) fn front_clocks(&self) -> u32 {
        match self {
            Gateware::Recycling(geometry) => geometry.timing().front_clocks,
            Gateware::Cells(geometry) => geometry.timing().front_clocks,
            Gateware::Sliding(geometry) => geometry.timing().front_clocks,
        }
    }

    /// Clocks from acceptance to the decision.
    fn latency(&self) -> u32 {
        match self {
            Gateware::Recycling(geometry) => {
                let timing = geometry.timing();
                timing.front_clocks + timing.decision_stage
            }
            Gateware::Cells(geometry) => {
                let timing = geometry.timing();
                timing.front_clocks + timing.fold_clocks + timing.decision_stage
            }
            Gateware::Sliding(geometry) => {
                let timing = geometry.timing();
                timing.front_clocks + timing.decision_stage
            }
        }
    }

    fn retire_clocks(&self) -> u32 {
        match self {
            Gateware::Recycling(geometry) => geometry.timing().retire_clocks,
            Gateware::Cells(geometry) => geometry.timing().retire_clocks,
            Gateware::Sliding(geometry) => geometry.timing().retire_clocks,
        }
    }

    fn queue_depth(&self) -> u32 {
        match self {
            Gateware::Recycling(geometry) => geometry.timing().verdict_queue_depth,
            Gateware::Cells(geometry) => geometry.timing().verdict_queue_depth,
            Gateware::Sliding(geometry) => geometry.timing().verdict_queue_depth,
        }
    }

    /// Clocks from power-up until the sequencer runs, at most.
    pub(super) fn start_clocks(&self) -> u32 {
        let settled = self.retire_clocks() + 1;
        match self {
            Gateware::Recycling(geometry) => settled * (geometry.phases() + 1) + 10,
            Gateware::Cells(_) => 2 * settled,
            Gateware::Sliding(geometry) => settled + (1 << geometry.front_bits()) + 1,
        }
    }

    /// Clocks from power-up until the verdict of the first item is offered, at most.
    pub(super) fn first_verdict_clocks(&self) -> u32 {
        self.start_clocks() + self.latency() + 8
    }

    /// The sizes that checkers are written in.
    pub(super) fn sizes(&self) -> Vec<(&'static str, u32)> {
        let common = self.common();
        let retire = self.retire_clocks();
        let mut sizes = vec![
            ("KEY_BITS", common.key_bits()),
            ("USER_BITS", common.operation_bits()),
            ("FLAG_BITS", common.verdict_bits()),
            ("TAG_BITS", common.tag_bits()),
            ("STREAM_TAG_BITS", common.stream_tag_bits()),
            ("INDEX_BITS", common.index_bits()),
            ("FRONT", self.front_clocks()),
            ("LATENCY", self.latency()),
            ("RETIRE", retire),
            ("WAIT_BITS", u32::BITS - retire.leading_zeros()),
            ("DEPTH", self.queue_depth()),
            ("DEPTH_BITS", self.queue_depth().ilog2()),
            ("FIFO_BITS", MAC_FIFO_WORDS.ilog2()),
            ("WORD_BITS", MAC_WORD_BITS as u32),
        ];
        if let Some(packet) = common.packet() {
            let bytes = packet.beat_bytes();
            sizes.extend([
                ("DATA_BITS", packet.data_bits()),
                ("BYTES", bytes),
                ("MOST_BITS", bytes.ilog2().max(1)),
                ("PLACE_BITS", packet.buffer_beats().ilog2() + 1),
                ("QUEUE_BITS", packet.frame_queue_frames().ilog2()),
            ]);
        }
        sizes.extend(match self {
            Gateware::Recycling(geometry) => {
                let timing = geometry.timing();
                vec![
                    ("ARRAY_BITS", geometry.array_address_bits()),
                    ("COUNT_BITS", geometry.count_bits()),
                    ("FETCH", timing.fetch_stage),
                    ("WRITE", timing.write_stage),
                    ("DECISION", timing.decision_stage),
                    ("PHASES", geometry.phases()),
                    ("RETAIN", geometry.retain().into()),
                    ("FOLD", 0),
                    ("INTERVAL", timing.initiation_interval),
                    ("HASHES", geometry.hashes()),
                    ("DISTINCT", geometry.distinct().into()),
                    (
                        "MEMORY_BITS",
                        36 + u32::from(geometry.parity() != Parity::None),
                    ),
                ]
            }
            Gateware::Cells(geometry) => {
                let timing = geometry.timing();
                vec![
                    ("ARRAY_BITS", geometry.array_address_bits()),
                    ("WORDS", geometry.words_per_bank() as u32),
                    ("CELL_BITS", geometry.cell_bits()),
                    ("AMOUNT_BITS", geometry.amount_bits()),
                    ("CAN_REMOVE", geometry.removes().into()),
                    ("DECISION", timing.decision_stage),
                    ("FOLD", timing.fold_clocks),
                    ("RAISE", timing.raise_clocks),
                ]
            }
            Gateware::Sliding(geometry) => vec![
                ("FOLD", 0),
                ("FRONT_BITS", geometry.front_bits()),
                ("BACK_BITS", geometry.back_bits()),
                ("FINGERPRINT_BITS", geometry.fingerprint_bits()),
                ("GENERATION_BITS", geometry.generation_bits()),
                ("GENERATIONS", geometry.generations()),
                ("GENERATION_ITEMS", geometry.generation_items() as u32),
                ("INTERVAL", geometry.scan_interval()),
                ("BUCKET_CELLS", geometry.bucket_cells()),
                ("STORE_CELLS", geometry.store_cells()),
            ],
        });
        sizes
    }

    /// What checkers are told of by name alone.
    pub(super) fn flags(&self) -> Vec<&'static str> {
        let mut flags = vec![self.pipeline().name()];
        let mut flag = |is: bool, name| {
            if is {
                flags.push(name);
            }
        };
        match self {
            Gateware::Recycling(geometry) => {
                flag(true, "RECYCLES");
                flag(geometry.parity() != Parity::None, "PARITY");
                flag(geometry.phases() == 2, "TWO_PHASES");
            }
            Gateware::Cells(geometry) => {
                flag(geometry.kind() != FilterKind::Static, "COUNTERS");
                flag(geometry.removes(), "REMOVES");
                flag(geometry.timing().fold_clocks > 0, "FOLDED");
                flag(geometry.conservative(), "CONSERVATIVE");
                let takes_amounts = geometry.amount_bits() > 0 || geometry.conservative();
                flag(takes_amounts, "AMOUNTS");
            }
            Gateware::Sliding(_) => {}
        }
        flags
    }
}
