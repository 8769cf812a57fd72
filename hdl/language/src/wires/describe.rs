//! Descriptions that wires give the Verilog back end beyond rust-hdl's `Atom`: documentation, values, module names.

use rust_hdl::prelude::{
    Atom, AtomKind, PinConstraint, TypeDescriptor, TypeField, TypeKind, VCDValue, VerilogLiteral,
};

/// The extra facts of an atom, carried through rust-hdl's `TypeDescriptor` (an atom cannot be downcast).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// `"bool"`, `"UInt"`, `"Wide"`, `"about"`; rust-hdl's own name (`"clock"`, `"Bit"`) for its signals.
    pub type_name: String,
    /// Documentation of a port or signal, or the header comment of a module.
    pub doc: String,
    /// A constant's value in hexadecimal digits, a module's name, or `asynchronous` of a register that takes data of another clock.
    pub value: String,
}

/// Value of a register that takes data of another clock.
pub(crate) const ASYNCHRONOUS: &str = "asynchronous";
/// Type name of a list of numbers.
pub(super) const NUMBERS: &str = "numbers";
/// Separates them in the value.
pub(super) const SEPARATOR: char = ',';

impl Description {
    /// Packs the description into rust-hdl's type.
    pub fn pack(self) -> TypeDescriptor {
        let field = |name: &str, text: String| {
            let kind = TypeDescriptor {
                name: text,
                kind: TypeKind::Bits(0),
            };
            Box::new(TypeField {
                fieldname: name.into(),
                kind,
            })
        };
        let fields = vec![field("doc", self.doc), field("value", self.value)];
        TypeDescriptor {
            name: self.type_name,
            kind: TypeKind::Composite(fields),
        }
    }

    /// Unpacks what [`Description::pack`] packed; a foreign atom yields its type name alone.
    pub fn unpack(descriptor: &TypeDescriptor) -> Self {
        let mut description = Description {
            type_name: descriptor.name.clone(),
            ..Default::default()
        };
        if let TypeKind::Composite(fields) = &descriptor.kind {
            for field in fields {
                match field.fieldname.as_str() {
                    "doc" => description.doc.clone_from(&field.kind.name),
                    "value" => description.value.clone_from(&field.kind.name),
                    _ => {}
                }
            }
        }
        description
    }

    /// The numbers of a list, each in hexadecimal digits; `None` of anything else.
    pub fn numbers(&self) -> Option<impl Iterator<Item = &str>> {
        (self.type_name == NUMBERS).then(|| self.value.split(SEPARATOR))
    }
}

/// A fact about a block that is no signal, shown to a probe as a constant of so many bits.
pub struct Fact {
    /// Width; 0 where it has none.
    pub bits: usize,
    /// What it is.
    pub description: Description,
}

impl Fact {
    /// One without a width.
    pub fn new(type_name: &str, doc: &str, value: &str) -> Self {
        Fact {
            bits: 0,
            description: Description {
                type_name: type_name.into(),
                doc: doc.into(),
                value: value.into(),
            },
        }
    }
}

impl Atom for Fact {
    fn bits(&self) -> usize {
        self.bits
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
        self.description.clone().pack()
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::Vector(vec![])
    }

    fn id(&self) -> usize {
        0
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
