//! What is proved, by kind of filter: [`Proved`] for each, and [`Gateware`] for any.

mod cells;
mod recycling;
mod sliding;

use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::{card_verilog, design_verilog, filter_verilog};
use bloomline_spec::mac::{MAC_FIFO_WORDS, MAC_WORD_BITS};
use bloomline_spec::{by_kind, Design, FilterSpec, SpecError};

/// Which pipeline a filter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipeline {
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

/// A geometry of one kind, as proofs know it.
trait Proved {
    /// Which pipeline it has.
    fn pipeline(&self) -> Pipeline;

    /// Clocks from power-up until the sequencer runs, at most; `settled` clocks after the last item nothing is under way.
    fn start_clocks(&self, settled: u32) -> u32;

    /// The sizes that only checkers of this kind are written in.
    fn sizes(&self) -> Vec<(&'static str, u32)>;

    /// What checkers of this kind are told of by name alone, and whether it is so.
    fn flags(&self) -> Vec<(bool, &'static str)>;

    /// What is not as a proof for words of 32 bits full of cells asks for.
    fn not_full_words(&self) -> Option<String> {
        None
    }

    /// What is not as a proof for buckets and a store of two cells asks for.
    fn not_two_cells(&self) -> Option<String> {
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
        "name = \"{}\"\n{}[key]\nbits = 8\ntag_bits = 1\n[hash]\nfamily = \"{}\"\nseed = {}\n{}",
        full.name(),
        proved(full).smallest(),
        full.family(),
        full.seed(),
        full.card().map_or("", |_| "[card]\n")
    );
    FilterSpec::from_toml(&text, full.file())?.design()
}

/// A design, as proofs of every kind know it.
pub(crate) trait Gateware {
    /// Which pipeline it has.
    fn pipeline(&self) -> Pipeline;
    /// The Verilog of the filter.
    fn filter_verilog(&self) -> Result<Emitted, EmitError>;
    /// That of the card around it.
    fn card_verilog(&self) -> Result<Emitted, EmitError>;
    /// All that is emitted for its specification.
    fn design_verilog(&self) -> Result<Emitted, EmitError>;
    /// Clocks from power-up until the sequencer runs, at most.
    fn start_clocks(&self) -> u32;
    /// Clocks from power-up until the verdict of the first item is offered, at most.
    fn first_verdict_clocks(&self) -> u32;
    /// What is not as a proof for words of 32 bits full of cells asks for.
    fn not_full_words(&self) -> Option<String>;
    /// What is not as a proof for buckets and a store of two cells asks for.
    fn not_two_cells(&self) -> Option<String>;
    /// The sizes that checkers are written in.
    fn sizes(&self) -> Vec<(&'static str, u32)>;
    /// What checkers are told of by name alone.
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
            ("DEPTH_BITS", depth.ilog2()),
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
        [self.pipeline().name()]
            .into_iter()
            .chain(of_kind)
            .collect()
    }
}
