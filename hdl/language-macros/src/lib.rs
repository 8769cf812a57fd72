//! The two macros of the gateware language, in the place of rust-hdl's own of the same names.
//!
//! [`macro@LogicBlock`] implements rust-hdl's `Block` for a struct whose fields are signals, blocks, bundles and plain numbers.
//! [`macro@hdl_gen`] turns a kernel, `fn update(&mut self)`, into rust-hdl's syntax tree. `hdl/docs/language.md` is the reference.
//!
//! Both emit calls of small functions of `bloomline_language::wires`, few for many statements: rust-hdl's macros build every node of the tree in
//! place, which takes several times as long to compile.

mod block;
mod kernel;
mod text;

use proc_macro::TokenStream;

/// Implements `Block` and `Clocked` for a struct.
///
/// - A field of type `usize`, `u32`, `u64`, `u128` or `bool`, or a `Vec` of one of them, is a parameter: a number known when the block is
///   built, which the kernel may use as an operand, a width, an index, a loop bound or a condition.
/// - A field `shape` or `places` is a struct of numbers, `self.shape.hashes`: the kernel may use them as a width, an index, a loop bound or a
///   condition, not as an operand.
/// - A field that begins with `_` is not part of the hardware.
/// - Every other field is a signal, a bundle or a sub-block.
///
/// A struct with a field `clock` drives the `clock` of every sub-block with it; a kernel that assigns one overrides that.
#[proc_macro_derive(LogicBlock)]
pub fn logic_block(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    block::derive(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Keeps the kernel `fn update(&mut self)` for simulation, and writes `connect` and `hdl` from it.
#[proc_macro_attribute]
pub fn hdl_gen(_: TokenStream, item: TokenStream) -> TokenStream {
    let kernel = syn::parse_macro_input!(item as syn::ItemFn);
    kernel::expand(&kernel)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
