//! Values, wires and registers whose width is known only at run time, for rust-hdl blocks.
//!
//! rust-hdl supplies the language (`#[derive(LogicBlock)]`, `#[hdl_gen]`, `Block`, `Atom`, `Probe`); its own signals
//! carry their width in the type, and a filter's widths come from a file. The types here take their place inside
//! kernels. [`prelude`] holds everything a block needs; `hdl/docs/language.md` is the reference of the kernel language.
//!
//! Depends on rust-hdl only. [`crate::emit`] prints what is written with it, [`sim`] runs it.

mod about;
mod bundle;
mod cast;
mod clocked;
mod constant;
mod delay;
mod describe;
mod fault;
mod kernel;
mod macros;
mod optional;
mod parameter;
mod port;
mod register;
pub mod sim;
mod slice;
mod uint;
mod value;
mod wide;

pub use about::About;
pub use bundle::{Master, Members, Prefix, Side, Slave};
pub use cast::{bits_of, bits_to, bits_wide, ToUInt, ToWide};
pub use clocked::Clocked;
pub use constant::{Const, Constant, WideConst};
pub use delay::{Delay, DelayLine, FlagDelay, WideDelay};
pub use describe::Description;
pub(crate) use describe::{Fact, ASYNCHRONOUS};
pub use fault::record as record_fault;
pub use fault::{take_fault, Fault};
pub use kernel::{Kernel, Number, Tie};
pub use optional::Optional;
pub use port::{Bus, Port, WideBus, Wire};
pub use register::{
    EnableFlag, EnableReg, EnableRegister, EnableWideReg, Flag, Reg, Register, RegisterShape,
    ResetFlag, ResetReg, ResetRegister, ResetWideReg, WideReg,
};
pub use slice::{Slice, SliceOf, SliceShape, Sliceable, WideSlice};
pub use uint::{BitIndex, UInt};
pub use value::Value;
pub use wide::Wide;

/// What a file that describes a block imports: `use crate::wires::prelude::*;`.
///
/// It replaces rust-hdl's own prelude (whose `clock!` and `bits` would clash with ours).
pub mod prelude {
    pub use super::{
        bits_of, bits_to, bits_wide, About, Bus, Const, Delay, EnableFlag, EnableReg,
        EnableWideReg, Flag, FlagDelay, Optional, Reg, ResetFlag, ResetReg, ResetWideReg, Slice,
        UInt, Wide, WideBus, WideConst, WideDelay, WideReg, WideSlice, Wire,
    };
    pub use super::{Master, Slave};
    pub use crate::{block, clock, comment, dff_setup};
    pub use bloomline_language_macros::{hdl_gen, LogicBlock};
    pub use rust_hdl::prelude::{
        block, clog2, logic, probe, Block, Clock, In, Local, Logic, Out, Signal, Verilog,
    };
}

/// What the two macros write.
#[doc(hidden)]
pub mod derived {
    pub use super::bundle::show_prefix;
    pub use super::clocked::Clocked;
    pub use super::kernel::{Kernel, Number};
    pub use super::parameter::{parameter, parameters};
    pub use rust_hdl::prelude::{ast::Verilog, block, logic, probe, Clock};
}
