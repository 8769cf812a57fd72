//! `#[derive(LogicBlock)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, GenericArgument, Ident, PathArguments, Result, Type};

const NUMBERS: [&str; 5] = ["usize", "u32", "u64", "u128", "bool"];
/// Fields of a block that are structs of numbers.
pub(crate) const SIZES: [&str; 2] = ["shape", "places"];

/// What a field is to the hardware.
enum Field {
    /// A signal, a bundle or a block.
    Block,
    /// A number.
    Parameter,
    /// A list of numbers.
    Parameters,
}

/// The type itself of one that a declarative macro has passed on.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        ty => ty,
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if NUMBERS.iter().any(|name| path.path.is_ident(name)))
}

fn kind(ty: &Type) -> Field {
    if is_number(ty) {
        return Field::Parameter;
    }
    let Type::Path(path) = bare(ty) else {
        return Field::Block;
    };
    let Some(last) = path.path.segments.last() else {
        return Field::Block;
    };
    if let PathArguments::AngleBracketed(arguments) = &last.arguments {
        let of_numbers = arguments
            .args
            .iter()
            .all(|argument| matches!(argument, GenericArgument::Type(ty) if is_number(ty)));
        if last.ident == "Vec" && of_numbers {
            return Field::Parameters;
        }
    }
    Field::Block
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        let message = "a block is a struct";
        return Err(Error::new_spanned(&input.ident, message));
    };
    let mut blocks: Vec<&Ident> = vec![];
    let mut visits = vec![];
    let mut clocked = false;
    for field in &data.fields {
        let Some(name) = &field.ident else {
            return Err(Error::new_spanned(field, "a block's fields have names"));
        };
        let text = name.to_string();
        if text.starts_with('_') || SIZES.contains(&text.as_str()) {
            continue;
        }
        visits.push(match kind(&field.ty) {
            Field::Block => {
                clocked |= text == "clock";
                blocks.push(name);
                quote!(block::Block::accept(&self.#name, #text, probe);)
            }
            Field::Parameter => quote!(parameter(probe, #text, Number::from(self.#name));),
            Field::Parameters => quote! {
                parameters(probe, #text, self.#name.iter().map(|number| Number::from(*number)));
            },
        });
    }
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let (claim, drive, own) = if clocked {
        (
            quote!(#(Clocked::claim_clock(&mut self.#blocks);)*),
            quote! {
                let clock = self.clock.val();
                #(Clocked::drive_clock(&mut self.#blocks, clock);)*
            },
            quote! {
                #[inline(always)]
                fn drive_clock(&mut self, clock: Clock) {
                    self.clock.next = clock;
                }

                fn claim_clock(&mut self) {
                    logic::Logic::connect(&mut self.clock);
                }
            },
        )
    } else {
        Default::default()
    };
    let changed = if blocks.is_empty() {
        quote!(false)
    } else {
        quote!(#(block::Block::has_changed(&self.#blocks))||*)
    };
    Ok(quote! {
        #[automatically_derived]
        const _: () = {
            use ::bloomline_language::wires::derived::{block, logic, parameter, parameters, probe, Clock, Clocked, Number};

            impl #generics block::Block for #name #arguments #bounds {
                fn connect_all(&mut self) {
                    #claim
                    logic::Logic::connect(self);
                    #(block::Block::connect_all(&mut self.#blocks);)*
                }

                fn update_all(&mut self) {
                    #drive
                    logic::Logic::update(self);
                    #(block::Block::update_all(&mut self.#blocks);)*
                }

                fn has_changed(&self) -> bool {
                    #changed
                }

                fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
                    probe.visit_start_scope(name, self);
                    #(#visits)*
                    probe.visit_end_scope(name, self);
                }
            }

            impl #generics Clocked for #name #arguments #bounds {
                #own
            }
        };
    })
}
