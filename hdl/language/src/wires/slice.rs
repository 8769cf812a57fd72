//! Bit slice of a bus as a block, for use in loops.

use super::port::{Bus, Port};
use super::uint::UInt;
use super::value::Value;
use super::wide::Wide;
use rust_hdl::prelude::{Block, In, Logic, Out, Probe, Verilog, Wrapper};

/// What a slice takes out; the back end reads it from the block's `hdl()` and prints `input[low +: width]` in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceShape {
    /// Lowest bit taken.
    pub low: usize,
    /// Width of the output in bits; positions beyond the input's width read as zero.
    pub width: usize,
}

const MARK: &str = "bloomline slice";

impl SliceShape {
    /// The shape when `hdl` belongs to a slice.
    pub fn of(hdl: &Verilog) -> Option<Self> {
        let Verilog::Wrapper(wrapper) = hdl else {
            return None;
        };
        let (low, width) = wrapper.cores.split_once(' ')?;
        let shape = SliceShape {
            low: low.parse().ok()?,
            width: width.parse().ok()?,
        };
        (wrapper.code == MARK).then_some(shape)
    }
}

/// Bits `low .. low + width` of a bus: `output = bits_to(input >> low, width)`. Use it as [`Slice`] or [`WideSlice`].
///
/// Inside a loop the kernel macro cannot compile `bits_to(self.x[i].val(), w)`; a `Vec` of slices can:
/// `self.part[i].input.next = self.x[i].val(); self.y[i].next = self.part[i].output.val();`.
#[derive(Clone, Debug)]
pub struct SliceOf<V: Value> {
    /// The bus to take from.
    pub input: Port<In, V>,
    /// The part taken.
    pub output: Bus<Out>,
    shape: SliceShape,
}

/// A slice of a bus of at most 128 bits.
pub type Slice = SliceOf<UInt>;
/// A slice of a bus of at most 1024 bits.
pub type WideSlice = SliceOf<Wide>;

impl SliceOf<UInt> {
    /// Takes `width` bits from bit `low` on out of a bus of `input_width` bits.
    pub fn new(input_width: usize, low: usize, width: usize) -> Self {
        SliceOf {
            input: Port::<In, UInt>::new(input_width),
            output: Bus::new(width),
            shape: SliceShape { low, width },
        }
    }
}

impl SliceOf<Wide> {
    /// Takes `width` bits from bit `low` on out of a bus of `input_width` bits.
    pub fn new(input_width: usize, low: usize, width: usize) -> Self {
        SliceOf {
            input: Port::<In, Wide>::new(input_width),
            output: Bus::new(width),
            shape: SliceShape { low, width },
        }
    }
}

/// The values a slice can be taken of.
pub trait Sliceable: Value {
    /// Bits `shape.low ..` of the value.
    fn part(self, shape: SliceShape) -> UInt;
}

impl Sliceable for UInt {
    fn part(self, shape: SliceShape) -> UInt {
        super::bits_to(self >> shape.low, shape.width)
    }
}

impl Sliceable for Wide {
    fn part(self, shape: SliceShape) -> UInt {
        super::bits_to(self >> shape.low, shape.width)
    }
}

impl<V: Sliceable> Logic for SliceOf<V> {
    #[inline(always)]
    fn update(&mut self) {
        self.output.next = self.input.val().part(self.shape);
    }

    fn connect(&mut self) {
        self.output.connect();
    }

    fn hdl(&self) -> Verilog {
        let cores = format!("{} {}", self.shape.low, self.shape.width);
        Verilog::Wrapper(Wrapper {
            code: MARK.into(),
            cores,
        })
    }
}

impl<V: Sliceable> Block for SliceOf<V> {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline(always)]
    fn update_all(&mut self) {
        self.update();
        self.input.update_all();
        self.output.update_all();
    }

    #[inline(always)]
    fn has_changed(&self) -> bool {
        self.input.has_changed() || self.output.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.input.accept("input", probe);
        self.output.accept("output", probe);
        probe.visit_end_scope(name, self);
    }
}
