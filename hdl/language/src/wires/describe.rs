//! Descriptions that wires give the Verilog back end beyond rust-hdl's `Atom`: documentation, values, module names.

use rust_hdl::prelude::{TypeDescriptor, TypeField, TypeKind};

/// The extra facts of an atom, carried through rust-hdl's `TypeDescriptor` (an atom cannot be downcast).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// `"bool"`, `"UInt"`, `"Wide"`, `"about"`; rust-hdl's own name (`"clock"`, `"Bit"`) for its signals.
    pub type_name: String,
    /// Documentation of a port or signal, or the header comment of a module.
    pub doc: String,
    /// A constant's value in hexadecimal digits, or a module's name.
    pub value: String,
}

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
}
