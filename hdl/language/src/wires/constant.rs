//! Constants whose width and value are known only at run time.

use super::describe::Description;
use super::uint::{BitIndex, UInt};
use super::value::Value;
use super::wide::Wide;
use rust_hdl::prelude::{
    Atom, AtomKind, Block, Logic, PinConstraint, Probe, TypeDescriptor, VCDValue, VerilogLiteral,
};
use rust_hdl::signal::get_signal_id;

/// A named constant; use it as [`Const`] or [`WideConst`]. Printed as a `localparam` where the text mentions it.
///
/// Numbers a kernel uses as operands are constants of the block: a plain field (`self._n`) is invisible to the kernel's
/// syntax tree except as a width in `bits_to` and as a loop bound. As a shift amount or bit index write `self.n.val()`, as the index
/// of a `Vec` write `self.n.position()`.
#[derive(Clone, Debug)]
pub struct Constant<V: Value> {
    value: V,
    id: usize,
    doc: String,
}

/// A constant of 1 to 128 bits.
pub type Const = Constant<UInt>;
/// A constant of 1 to 1024 bits.
pub type WideConst = Constant<Wide>;

impl Constant<UInt> {
    /// The constant `value` of `width` bits.
    pub fn new(value: u128, width: usize) -> Self {
        Self::from_value(UInt::new(value, width))
    }

    /// A number used as index or shift amount only, of the least width that holds it.
    pub fn number(value: usize) -> Self {
        Self::new(
            value as u128,
            (usize::BITS - value.leading_zeros()).max(1) as usize,
        )
    }

    /// The value as the index of a `Vec` of signals or blocks: `self.words[self.last.position()]`.
    #[inline(always)]
    pub fn position(&self) -> usize {
        BitIndex::position(self.value)
    }
}

impl<V: Value> Constant<V> {
    /// The constant `value`.
    pub fn from_value(value: V) -> Self {
        Constant {
            value,
            id: get_signal_id(),
            doc: String::new(),
        }
    }

    /// Documents the constant: the text becomes a comment beside its declaration.
    pub fn doc(mut self, text: impl Into<String>) -> Self {
        self.doc = text.into();
        self
    }

    /// The value.
    #[inline(always)]
    pub fn val(&self) -> V {
        self.value
    }
}

impl<V: Value> Logic for Constant<V> {
    fn update(&mut self) {}
}

impl<V: Value> Block for Constant<V> {
    fn connect_all(&mut self) {}

    #[inline(always)]
    fn update_all(&mut self) {}

    #[inline(always)]
    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

impl<V: Value> Atom for Constant<V> {
    fn bits(&self) -> usize {
        self.value.bits()
    }

    fn connected(&self) -> bool {
        true
    }

    fn changed(&self) -> bool {
        false
    }

    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }

    fn descriptor(&self) -> TypeDescriptor {
        Description {
            type_name: V::TYPE.into(),
            doc: self.doc.clone(),
            value: self.value.hex(),
        }
        .pack()
    }

    fn vcd(&self) -> VCDValue {
        self.value.vcd()
    }

    fn id(&self) -> usize {
        self.id
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
