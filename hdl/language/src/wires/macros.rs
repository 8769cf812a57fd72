//! The form in which blocks are written, and the statement macros of kernels: `hdl_gen` knows the latter by name and translates them itself; these
//! are the Rust halves that run in simulation.

/// A block: a struct with `#[derive(LogicBlock)]` whose fields are declared and made in one place, then its constructor.
///
/// A field is `name: Type = value`, or `name: Type` where the value is the type's default. The constructor's arguments and the variables
/// of its body are what the values are made of. Without a constructor, or with `fn default() { .. }`, the block implements `Default`.
///
/// ```
/// use bloomline_language::wires::prelude::*;
///
/// block! {
///     /// Adds up its input.
///     pub struct Counter {
///         pub clock: Signal<In, Clock>,
///         pub step: Bus<In> = Bus::new(4).doc("added in every clock"),
///         pub total: Bus<Out> = Bus::new(width),
///         sum: Reg = Reg::new(width),
///         width: usize = width,
///     }
///
///     /// With a sum of so many bits.
///     pub fn new(width: usize) {}
/// }
///
/// impl Logic for Counter {
///     #[hdl_gen]
///     fn update(&mut self) {
///         self.sum.d.next = self.sum.q.val() + bits_to(self.step.val(), self.width);
///         self.total.next = self.sum.q.val();
///     }
/// }
/// ```
#[macro_export]
macro_rules! block {
    ($($block:tt)+) => {
        $crate::made! { #[derive($crate::wires::prelude::LogicBlock)] $($block)+ }
    };
}

/// A struct whose fields are declared and made in one place, then its constructor: the same as [`block!`], but no block.
#[macro_export]
macro_rules! made {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$of_field:meta])* $field_vis:vis $field:ident: $type:ty $(= $value:expr)?,)+
        }

        $(fn default() { $($body:tt)* })?
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$of_field])* $field_vis $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                $($($body)*)?
                Self { $($field: $crate::made!(@value $($value)?),)+ }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$of_field:meta])* $field_vis:vis $field:ident: $type:ty $(= $value:expr)?,)+
        }

        $(#[$of_new:meta])*
        $new_vis:vis fn $new:ident($($argument:ident: $argument_type:ty),* $(,)?) { $($body:tt)* }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$of_field])* $field_vis $field: $type,)+
        }

        impl $name {
            $(#[$of_new])*
            $new_vis fn $new($($argument: $argument_type),*) -> Self {
                $($body)*
                Self { $($field: $crate::made!(@value $($value)?),)+ }
            }
        }
    };
    (@value) => {
        Default::default()
    };
    (@value $value:expr) => {
        $value
    };
}

/// Connects the clocks of sub-blocks: `clock!(self, clock, count, ram, banks[i]);`.
#[macro_export]
macro_rules! clock {
    ($self:ident, $clock:ident, $($sub:ident $([$index:expr])?),+ $(,)?) => {
        $( $self.$sub$([$index])?.clock.next = $self.$clock.val(); )+
    };
}

/// Connects the clocks of registers and makes them hold their value unless the kernel assigns `d` later:
/// `dff_setup!(self, clock, count, words[i]);`.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $clock:ident, $($sub:ident $([$index:expr])?),+ $(,)?) => {
        $(
            $self.$sub$([$index])?.clock.next = $self.$clock.val();
            $self.$sub$([$index])?.d.next = $self.$sub$([$index])?.q.val();
        )+
    };
}

/// A comment that appears in the emitted Verilog above the next statement: `comment!("Two items of one word.");`.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
