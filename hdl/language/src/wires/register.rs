//! Registers. The back end prints them inside the module that holds them, not as modules of their own.

use super::port::Port;
use super::uint::UInt;
use super::value::Value;
use super::wide::Wide;
use rust_hdl::prelude::{Block, Clock, In, Logic, Out, Probe, Signal, Verilog, Wrapper};

/// How a register behaves beside its clock; the back end reads it from the block's `hdl()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterShape {
    /// Value at power-up, and after a reset, in hexadecimal digits.
    pub initial: String,
    /// Has a port `reset`: while high, a clock edge loads the initial value.
    pub reset: bool,
    /// Has a port `enable`: while low, a clock edge changes nothing.
    pub enable: bool,
}

const MARK: &str = "bloomline register";

impl RegisterShape {
    fn hdl(initial: &impl Value, reset: bool, enable: bool) -> Verilog {
        let cores = format!("{} {reset} {enable}", initial.hex());
        Verilog::Wrapper(Wrapper {
            code: MARK.into(),
            cores,
        })
    }

    /// The shape when `hdl` belongs to a register.
    pub fn of(hdl: &Verilog) -> Option<Self> {
        let Verilog::Wrapper(wrapper) = hdl else {
            return None;
        };
        let mut words = wrapper.cores.split(' ');
        if wrapper.code != MARK {
            return None;
        }
        let initial = words.next()?.to_string();
        Some(RegisterShape {
            initial,
            reset: words.next()? == "true",
            enable: words.next()? == "true",
        })
    }
}

/// Writes a register type: `$field` are the control inputs, `$load` is what a rising edge does.
macro_rules! register {
    ($(#[$doc:meta])* $name:ident, $($field:ident)?, $reset:literal, $enable:literal, |$me:ident| $load:block,
     $bus:ident $flag:ident $wide:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<V: Value> {
            /// The clock; the register loads on its rising edge.
            pub clock: Signal<In, Clock>,
            $(
                /// The control input of this kind of register.
                pub $field: Port<In, bool>,
            )?
            /// What the next rising edge loads.
            pub d: Port<In, V>,
            /// The value held.
            pub q: Port<Out, V>,
            initial: V,
        }

        #[doc = concat!("A [`", stringify!($name), "`] of 1 to 128 bits.")]
        pub type $bus = $name<UInt>;
        #[doc = concat!("A [`", stringify!($name), "`] of one bit.")]
        pub type $flag = $name<bool>;
        #[doc = concat!("A [`", stringify!($name), "`] of 1 to 1024 bits.")]
        pub type $wide = $name<Wide>;

        impl<V: Value> $name<V> {
            /// A register that holds `initial` at power-up and has its width.
            pub fn starting_at(initial: V) -> Self {
                $name {
                    clock: Signal::default(),
                    $($field: Port::starting_at(false),)?
                    d: Port::starting_at(initial),
                    q: Port::starting_at(initial),
                    initial,
                }
            }

            /// Documents the register: the text becomes a comment beside its declaration.
            pub fn doc(mut self, text: impl Into<String>) -> Self {
                self.q = self.q.doc(text);
                self
            }

            /// Marks a register of a chain that takes data of another clock, or of none: the attribute `ASYNC_REG`, by which Vivado places
            /// the chain together and keeps it.
            pub fn asynchronous(mut self) -> Self {
                self.q = self.q.asynchronous();
                self
            }
        }

        impl $name<UInt> {
            /// A register of `width` bits that powers up as zero.
            pub fn new(width: usize) -> Self {
                Self::starting_at(UInt::new(0, width))
            }

            /// A register of `width` bits that powers up as `value`.
            pub fn with_init(width: usize, value: u128) -> Self {
                Self::starting_at(UInt::new(value, width))
            }
        }

        impl $name<Wide> {
            /// A register of `width` bits that powers up as zero.
            pub fn new(width: usize) -> Self {
                Self::starting_at(Wide::zero(width))
            }

            /// A register that powers up as `value` and has its width.
            pub fn with_init(value: Wide) -> Self {
                Self::starting_at(value)
            }
        }

        impl $name<bool> {
            /// A flag that powers up low.
            pub fn new() -> Self {
                Self::starting_at(false)
            }

            /// A flag that powers up as `value`.
            pub fn with_init(value: bool) -> Self {
                Self::starting_at(value)
            }
        }

        impl Default for $name<bool> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<V: Value> Logic for $name<V> {
            #[inline(always)]
            fn update(&mut self) {
                if self.clock.pos_edge() {
                    let $me = self;
                    $load
                }
            }

            fn connect(&mut self) {
                self.q.connect();
            }

            fn hdl(&self) -> Verilog {
                RegisterShape::hdl(&self.initial, $reset, $enable)
            }
        }

        impl<V: Value> Block for $name<V> {
            fn connect_all(&mut self) {
                self.connect();
            }

            #[inline(always)]
            fn update_all(&mut self) {
                self.update();
                self.clock.update_all();
                $(self.$field.update_all();)?
                self.d.update_all();
                self.q.update_all();
            }

            #[inline(always)]
            fn has_changed(&self) -> bool {
                self.clock.has_changed() || $(self.$field.has_changed() ||)? self.d.has_changed() || self.q.has_changed()
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                probe.visit_start_scope(name, self);
                self.clock.accept("clock", probe);
                $(self.$field.accept(stringify!($field), probe);)?
                self.d.accept("d", probe);
                self.q.accept("q", probe);
                probe.visit_end_scope(name, self);
            }
        }
    };
}

register! {
    /// A register: every rising edge loads `d`.
    Register, , false, false, |r| { r.q.next = r.d.val(); },
    Reg Flag WideReg
}

register! {
    /// A register with synchronous reset: a rising edge loads the initial value while `reset` is high, else `d`.
    ResetRegister, reset, true, false, |r| { r.q.next = if r.reset.val() { r.initial } else { r.d.val() }; },
    ResetReg ResetFlag ResetWideReg
}

register! {
    /// A register with enable: a rising edge loads `d` while `enable` is high and changes nothing while it is low.
    EnableRegister, enable, false, true, |r| { if r.enable.val() { r.q.next = r.d.val(); } },
    EnableReg EnableFlag EnableWideReg
}
