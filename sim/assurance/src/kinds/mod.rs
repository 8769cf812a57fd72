//! Parameters of formal proofs: [`Proved`] for each kind of filter, [`Gateware`] for a design of any kind.

mod cells;
mod cuckoo;
mod recycling;
mod sliding;

use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::{card_verilog, design_verilog, filter_verilog};
use bloomline_spec::mac::{MAC_FIFO_WORDS, MAC_WORD_BITS};
use bloomline_spec::{by_kind, Design, Erase, FilterSpec, SpecError};

/// The pipeline of a filter, which decides what checkers apply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipeline {
    /// Recycling, a bank a hash.
    Banks,
    /// Recycling, a bank a hash of single bits, with a spare half.
    Halves,
    /// Recycling, on one array.
    Array,
    /// Cells: static, counting, Count-Min.
    Cells,
    /// Static, a bank a hash of single bits.
    Bits,
    /// Counting and Count-Min, a bank a hash of single counters.
    Counters,
    /// Sliding windows.
    Windows,
    /// Sliding windows on cuckoo tables.
    Tables,
}

impl Pipeline {
    /// Name of the macro by which checkers and observers know it.
    pub fn name(self) -> &'static str {
        match self {
            Pipeline::Banks => "BANKS",
            Pipeline::Halves => "HALVES",
            Pipeline::Array => "ARRAY",
            Pipeline::Cells => "CELLS",
            Pipeline::Bits => "BITS",
            Pipeline::Counters => "SINGLE_COUNTERS",
            Pipeline::Windows => "WINDOWS",
            Pipeline::Tables => "TABLES",
        }
    }

    /// Largest memory, in words, that a proof with memory can manage: that of the smallest legal filter.
    pub fn most_words(self) -> u64 {
        match self {
            Pipeline::Banks | Pipeline::Halves | Pipeline::Bits => 4,
            Pipeline::Array | Pipeline::Cells | Pipeline::Counters => 8,
            Pipeline::Windows | Pipeline::Tables => 16,
        }
    }
}

/// What a proof needs to know of a geometry of one kind.
trait Proved {
    /// Pipeline of the filter.
    fn pipeline(&self) -> Pipeline;

    /// Upper bound of the clocks from power-up until the sequencer runs, where the pipeline is empty `settled` clocks after the last item.
    fn start_clocks(&self, settled: u32) -> u32;

    /// Widths and depths that only checkers of this kind use, by parameter name.
    fn sizes(&self) -> Vec<(&'static str, u32)>;

    /// Features that checkers of this kind test by macro name, and whether the filter has each.
    fn flags(&self) -> Vec<(bool, &'static str)>;

    /// Why a proof that needs cells to fill words of 32 bits does not apply, if it does not.
    fn not_full_words(&self) -> Option<String> {
        None
    }

    /// Why a proof that needs buckets and a store of two cells does not apply, if it does not.
    fn not_two_cells(&self) -> Option<String> {
        None
    }

    /// Why a proof that needs rows of three cells and a stash of 16 entries does not apply, if it does not.
    fn not_small_tables(&self) -> Option<String> {
        None
    }

    /// `[filter]` of the smallest filter with the same structure.
    fn smallest(&self) -> String;
}

fn proved(design: &Design) -> &dyn Proved {
    by_kind!(design, geometry => geometry)
}

/// The smallest filter with the structure of `full`, in a card if that has one.
///
/// # Errors
/// None that a legal design causes.
pub fn reduced(full: &Design) -> Result<Design, SpecError> {
    let text = format!(
        "name = \"{}\"\n{}{}[key]\nbits = 8\ntag_bits = 1\n[hash]\nfamily = \"{}\"\nseed = {}\n[target]\nlatency = \"{}\"\n{}{}",
        full.name(),
        proved(full).smallest(),
        match full.erase() {
            None | Some(Erase::Epoch) => String::new(),
            Some(other) => format!("[memory]\nerase = \"{other}\"\n"),
        },
        full.family(),
        full.seed(),
        full.latency(),
        full.card().map_or("", |_| "[card]\n"),
        features(full)
    );
    FilterSpec::from_toml(&text, full.file())?.design()
}

/// The features of a design that change its ports.
fn features(full: &Design) -> String {
    let queue = match full.has_verdict_queue() {
        true => "",
        false => "verdict_queue = 0\n",
    };
    format!(
        "[features]\nregisters = \"{}\"\n{queue}",
        full.register_set()
    )
}

/// What a proof needs to know of a design of any kind.
pub(crate) trait Gateware {
    /// Pipeline of the filter.
    fn pipeline(&self) -> Pipeline;
    /// The Verilog of the filter.
    fn filter_verilog(&self) -> Result<Emitted, EmitError>;
    /// The Verilog of the card around it.
    fn card_verilog(&self) -> Result<Emitted, EmitError>;
    /// All Verilog that is emitted for the specification.
    fn design_verilog(&self) -> Result<Emitted, EmitError>;
    /// Upper bound of the clocks from power-up until the sequencer runs.
    fn start_clocks(&self) -> u32;
    /// Upper bound of the clocks from power-up until the verdict of the first item is offered.
    fn first_verdict_clocks(&self) -> u32;
    /// Why a proof that needs cells to fill words of 32 bits does not apply, if it does not.
    fn not_full_words(&self) -> Option<String>;
    /// Why a proof that needs buckets and a store of two cells does not apply, if it does not.
    fn not_two_cells(&self) -> Option<String>;
    /// Why a proof that needs rows of three cells and a stash of 16 entries does not apply, if it does not.
    fn not_small_tables(&self) -> Option<String>;
    /// Widths and depths that checkers use, by parameter name.
    fn sizes(&self) -> Vec<(&'static str, u32)>;
    /// Macros of the features that the design has.
    fn flags(&self) -> Vec<&'static str>;
}

impl Gateware for Design {
    fn pipeline(&self) -> Pipeline {
        proved(self).pipeline()
    }

    fn filter_verilog(&self) -> Result<Emitted, EmitError> {
        filter_verilog(self, "")
    }

    fn card_verilog(&self) -> Result<Emitted, EmitError> {
        card_verilog(self, "")
    }

    fn design_verilog(&self) -> Result<Emitted, EmitError> {
        design_verilog(self, "")
    }

    fn start_clocks(&self) -> u32 {
        proved(self).start_clocks(self.timing().retire_clocks + 1)
    }

    fn first_verdict_clocks(&self) -> u32 {
        self.start_clocks() + self.timing().decision_clocks + 8
    }

    fn not_full_words(&self) -> Option<String> {
        proved(self).not_full_words()
    }

    fn not_two_cells(&self) -> Option<String> {
        proved(self).not_two_cells()
    }

    fn not_small_tables(&self) -> Option<String> {
        proved(self).not_small_tables()
    }

    fn sizes(&self) -> Vec<(&'static str, u32)> {
        let timing = self.timing();
        let retire = timing.retire_clocks;
        let depth = timing.verdict_queue_depth;
        let mut sizes = vec![
            ("KEY_BITS", self.key_bits()),
            ("USER_BITS", self.operation_bits()),
            ("FLAG_BITS", self.verdict_bits()),
            ("TAG_BITS", self.tag_bits()),
            ("STREAM_TAG_BITS", self.stream_tag_bits()),
            ("INDEX_BITS", self.index_bits()),
            ("FRONT", timing.front_clocks),
            ("LATENCY", timing.decision_clocks),
            ("RETIRE", retire),
            ("WAIT_BITS", u32::BITS - retire.leading_zeros()),
            ("DEPTH", depth),
            ("DEPTH_BITS", depth.max(1).ilog2()),
            ("FIFO_BITS", MAC_FIFO_WORDS.ilog2()),
            ("WORD_BITS", MAC_WORD_BITS as u32),
        ];
        if let Some(packet) = self.packet() {
            let bytes = packet.beat_bytes();
            sizes.extend([
                ("DATA_BITS", packet.data_bits()),
                ("BYTES", bytes),
                ("MOST_BITS", bytes.ilog2().max(1)),
                ("PLACE_BITS", packet.buffer_beats().ilog2() + 1),
                ("QUEUE_BITS", packet.frame_queue_frames().ilog2()),
            ]);
        }
        sizes.extend(proved(self).sizes());
        sizes
    }

    fn flags(&self) -> Vec<&'static str> {
        let of_kind = proved(self).flags().into_iter();
        let of_kind = of_kind.filter_map(|(is, name)| is.then_some(name));
        let pipeline = self.pipeline();
        let epochs = (self.erase() == Some(Erase::Epoch)).then_some("EPOCHS");
        let reached = self.has_registers().then_some("REACHED");
        let queued = self.has_verdict_queue().then_some("QUEUED");
        [pipeline.name()]
            .into_iter()
            .chain(epochs)
            .chain(queued)
            .chain(reached)
            .chain(of_kind)
            .collect()
    }
}
