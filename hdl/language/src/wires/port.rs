//! Ports and local signals.

use super::describe::{Description, ASYNCHRONOUS};
use super::fault::{record, Fault};
use super::uint::{BitIndex, UInt};
use super::value::Value;
use super::wide::Wide;
use rust_hdl::prelude::{
    Atom, AtomKind, Block, Direction, In, Local, Logic, Out, PinConstraint, Probe, TypeDescriptor,
    VCDValue, VerilogLiteral,
};
use rust_hdl::signal::get_signal_id;
use std::marker::PhantomData;

/// A port or local signal that carries a `V`; use it as [`Bus`], [`Wire`] or [`WideBus`].
///
/// Kernels assign `next` and read `val()`. Outputs and locals read back what the kernel last assigned; an input shows
/// what its driver had assigned when the simulation last updated it.
#[derive(Clone, Debug)]
pub struct Port<D: Direction, V: Value> {
    /// What the kernel (or, for inputs, the block above) assigns.
    pub next: V,
    settled: V,
    changed: bool,
    facts: Box<Facts>,
    direction: PhantomData<D>,
}

/// What simulation does not touch.
#[derive(Clone, Debug)]
struct Facts {
    claimed: bool,
    id: usize,
    doc: String,
    asynchronous: bool,
}

/// An unsigned signal of 1 to 128 bits: `Bus::<In>::new(width)`.
pub type Bus<D> = Port<D, UInt>;
/// A one-bit, bool-valued signal: `Wire::<In>::default()`.
pub type Wire<D> = Port<D, bool>;
/// A signal of 1 to 1024 bits: `WideBus::<In>::new(width)`.
pub type WideBus<D> = Port<D, Wide>;

impl<D: Direction, V: Value> Port<D, V> {
    /// A signal that starts as, and has the width of, `value`.
    pub fn starting_at(value: V) -> Self {
        let facts = Facts {
            claimed: false,
            id: get_signal_id(),
            doc: String::new(),
            asynchronous: false,
        };
        Port {
            next: value,
            settled: value,
            changed: false,
            facts: Box::new(facts),
            direction: PhantomData,
        }
    }

    /// Documents the signal: the text becomes a comment beside its declaration.
    pub fn doc(mut self, text: impl Into<String>) -> Self {
        self.facts.doc = text.into();
        self
    }

    /// Marks the value of a register that takes data of another clock.
    pub(super) fn asynchronous(mut self) -> Self {
        self.facts.asynchronous = true;
        self
    }
}

impl<D: Direction> Port<D, UInt> {
    /// A signal of `width` bits, 1..=128.
    pub fn new(width: usize) -> Self {
        Self::starting_at(UInt::new(0, width))
    }
}

impl<D: Direction> Port<D, Wide> {
    /// A signal of `width` bits, 1..=1024.
    pub fn new(width: usize) -> Self {
        Self::starting_at(Wide::zero(width))
    }
}

impl<D: Direction> Port<D, UInt> {
    /// Assigns one bit and leaves the others as they were assigned; a statement of kernels. Nothing changes when `index` is beyond the width.
    #[inline(always)]
    pub fn set_bit(&mut self, index: impl BitIndex, bit: bool) {
        self.next = self.next.replace_bit(index, bit);
    }
}

impl<D: Direction> Port<D, Wide> {
    /// Assigns one bit, as that of a [`Bus`].
    #[inline(always)]
    pub fn set_bit(&mut self, index: impl BitIndex, bit: bool) {
        self.next = self.next.replace_bit(index, bit);
    }
}

impl<D: Direction> Port<D, bool> {
    /// A one-bit signal.
    pub fn new() -> Self {
        Self::starting_at(false)
    }
}

impl<D: Direction> Default for Port<D, bool> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Value> Port<In, V> {
    /// The value the driver had assigned at the last update.
    #[inline(always)]
    pub fn val(&self) -> V {
        self.settled
    }
}

impl<V: Value> Port<Out, V> {
    /// The value last assigned.
    #[inline(always)]
    pub fn val(&self) -> V {
        self.next
    }
}

impl<V: Value> Port<Local, V> {
    /// The value last assigned.
    #[inline(always)]
    pub fn val(&self) -> V {
        self.next
    }
}

impl<D: Direction, V: Value> Port<D, V> {
    /// The value it shows to the kernel of the block that has it, whatever its direction.
    #[inline(always)]
    pub fn carried(&self) -> V {
        if matches!(D::KIND, AtomKind::InputParameter) {
            self.settled
        } else {
            self.next
        }
    }
}

impl<D: Direction, V: Value> Logic for Port<D, V> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.facts.claimed = true;
    }
}

impl<D: Direction, V: Value> Block for Port<D, V> {
    fn connect_all(&mut self) {}

    #[inline(always)]
    fn update_all(&mut self) {
        if self.next.bits() != self.settled.bits() {
            record(Fault::AssignmentWidth {
                signal: self.settled.bits(),
                value: self.next.bits(),
            });
            self.next = self.settled;
        }
        self.changed = self.settled != self.next;
        if self.changed {
            self.settled = self.next;
        }
    }

    #[inline(always)]
    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

impl<D: Direction, V: Value> Atom for Port<D, V> {
    fn bits(&self) -> usize {
        self.settled.bits()
    }

    fn connected(&self) -> bool {
        self.facts.claimed
    }

    fn changed(&self) -> bool {
        self.changed
    }

    fn kind(&self) -> AtomKind {
        D::KIND
    }

    fn descriptor(&self) -> TypeDescriptor {
        Description {
            type_name: V::TYPE.into(),
            doc: self.facts.doc.clone(),
            value: match self.facts.asynchronous {
                true => ASYNCHRONOUS.into(),
                false => String::new(),
            },
        }
        .pack()
    }

    fn vcd(&self) -> VCDValue {
        self.settled.vcd()
    }

    fn id(&self) -> usize {
        self.facts.id
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
