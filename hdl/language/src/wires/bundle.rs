//! Bundles: the signals of an interface as one field, connected by one line.
//!
//! [`bundle!`] writes an interface once, for both sides: `Axil<Master>` drives what `Axil<Slave>` receives. Widths are run-time values, and an
//! instance may lack members. A kernel connects bundles with
//!
//! | Statement | From | To |
//! |---|---|---|
//! | `self.s.link(&mut self.block.s)` | a bundle of the block | the same side of a sub-block |
//! | `self.a.m.join(&mut self.b.s)` | the master of one sub-block | the slave of another |
//! | `link_part`, `join_part` | the same, | but for the members named only |
//!
//! Members that one of the two lacks are left out.

use super::describe::Fact;
use super::port::Port;
use super::value::Value;
use rust_hdl::prelude::{AtomKind, Direction, In, Logic, Out, Probe};

/// A side of an interface.
pub trait Side: std::fmt::Debug + 'static {
    /// Direction of what the master sends, seen from this side.
    type Ahead: Direction;
    /// Direction of what the slave sends.
    type Back: Direction;
}

/// The side that begins: a source of a stream, a master of a bus.
#[derive(Clone, Copy, Debug)]
pub struct Master;

/// The side that answers: a sink of a stream, a slave of a bus.
#[derive(Clone, Copy, Debug)]
pub struct Slave;

impl Side for Master {
    type Ahead = Out;
    type Back = In;
}

impl Side for Slave {
    type Ahead = In;
    type Back = Out;
}

/// Members of a bundle, a bit each in the order of their declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members(u32);

impl Members {
    /// All of them.
    pub const ALL: Members = Members(u32::MAX);

    /// Those at the places `names` have in `all`.
    ///
    /// # Panics
    /// When a name is not among them; at compile time in a `const`.
    pub const fn of(all: &[&str], names: &[&str]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < names.len() {
            let mut place = 0;
            while !same(all[place].as_bytes(), names[at].as_bytes()) {
                place += 1;
            }
            bits |= 1 << place;
            at += 1;
        }
        Members(bits)
    }

    /// Those that both have.
    #[inline(always)]
    pub const fn and(self, other: Members) -> Self {
        Members(self.0 & other.0)
    }

    /// All but those of `other`.
    pub const fn but(self, other: Members) -> Self {
        Members(self.0 & !other.0)
    }

    /// Whether one of `other` is among them.
    #[inline(always)]
    pub const fn has(self, other: Members) -> bool {
        self.0 & other.0 != 0
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

impl<D: Direction, V: Value> Port<D, V> {
    /// Whether a block that has the port reads it.
    #[doc(hidden)]
    pub const IS_INPUT: bool = matches!(D::KIND, AtomKind::InputParameter);

    /// Connects the port of a block with the port of the same direction of a sub-block.
    #[inline(always)]
    #[doc(hidden)]
    pub fn link_port(&mut self, inner: &mut Self) {
        if Self::IS_INPUT {
            inner.next = self.carried();
        } else {
            self.next = inner.carried();
        }
    }

    /// Notes which of the two [`Port::link_port`] drives.
    #[doc(hidden)]
    pub fn link_port_connect(&mut self, inner: &mut Self) {
        if Self::IS_INPUT {
            inner.connect();
        } else {
            self.connect();
        }
    }
}

/// The name that the members of a bundle begin with in Verilog, where it is not that of the field.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Prefix(pub String);

/// Shows a bundle's prefix, if it has one, to `probe`.
#[doc(hidden)]
pub fn show_prefix(prefix: Option<&Prefix>, probe: &mut dyn Probe) {
    if let Some(prefix) = prefix {
        probe.visit_atom("prefix", &Fact::new("prefix", "", &prefix.0));
    }
}

/// Writes a bundle: `ahead` members go from master to slave, `back` members the other way.
#[macro_export]
macro_rules! bundle {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $way:ident $member:ident: $value:ty,)+ }) => {
        $(#[$doc])*
        #[allow(missing_docs)] // a member's documentation is its `.doc()`, which reaches the Verilog
        pub struct $name<S: $crate::wires::Side> {
            prefix: Option<$crate::wires::Prefix>,
            present: $crate::wires::Members,
            $($(#[$member_doc])* pub $member: $crate::bundle!(@port $way S $value),)+
        }

        impl<S: $crate::wires::Side> $name<S> {
            /// Names of all members, in order.
            pub const MEMBERS: &'static [&'static str] = &[$(stringify!($member)),+];

            /// The bundle with members of such widths in bits; those without one are missing.
            fn of_widths(width: impl Fn(&str) -> Option<usize>) -> Self {
                let mut missing = vec![];
                let mut wide = |member: &'static str| {
                    width(member).unwrap_or_else(|| {
                        missing.push(member);
                        1
                    })
                };
                let mut bundle = Self {
                    prefix: None,
                    present: $crate::wires::Members::ALL,
                    $($member: $crate::wires::Port::starting_at($crate::wires::Value::zero(wide(stringify!($member)))),)+
                };
                bundle.present = bundle.present.but(Self::part(&missing));
                bundle
            }

            /// These members.
            pub const fn part(names: &[&str]) -> $crate::wires::Members {
                $crate::wires::Members::of(Self::MEMBERS, names)
            }

            /// The bundle with these members only.
            #[must_use]
            pub fn only(mut self, members: $crate::wires::Members) -> Self {
                self.present = self.present.and(members);
                self
            }

            /// The same without these members.
            #[must_use]
            pub fn without(mut self, members: $crate::wires::Members) -> Self {
                self.present = self.present.but(members);
                self
            }

            /// The same whose members have such a prefix in Verilog, in place of the field's name; none if it is empty.
            #[must_use]
            pub fn named(mut self, prefix: &str) -> Self {
                self.prefix = Some($crate::wires::Prefix(prefix.into()));
                self
            }

            /// Documents a member: the text becomes a comment beside its declaration. A name that is no member is ignored.
            #[must_use]
            pub fn doc(mut self, member: &str, text: &str) -> Self {
                $(if member == stringify!($member) {
                    self.$member = self.$member.doc(text);
                })+
                self
            }

            /// Connects the bundle of a block with the same side of a sub-block.
            #[inline(always)]
            pub fn link(&mut self, inner: &mut Self) {
                self.link_part(inner, $crate::wires::Members::ALL);
            }

            /// Connects some members of the bundle with the same side of a sub-block.
            pub fn link_part(&mut self, inner: &mut Self, part: $crate::wires::Members) {
                let part = part.and(self.present).and(inner.present);
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    self.$member.link_port(&mut inner.$member);
                })+
            }

            #[doc(hidden)]
            pub fn link_connect(&mut self, inner: &mut Self) {
                self.link_part_connect(inner, $crate::wires::Members::ALL);
            }

            #[doc(hidden)]
            pub fn link_part_connect(&mut self, inner: &mut Self, part: $crate::wires::Members) {
                let part = part.and(self.present).and(inner.present);
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    self.$member.link_port_connect(&mut inner.$member);
                })+
            }

            #[doc(hidden)]
            pub fn link_ties(&self, inner: &Self) -> Vec<$crate::wires::Tie> {
                self.link_part_ties(inner, $crate::wires::Members::ALL)
            }

            #[doc(hidden)]
            pub fn link_part_ties(&self, inner: &Self, part: $crate::wires::Members) -> Vec<$crate::wires::Tie> {
                let part = part.and(self.present).and(inner.present);
                let mut ties = vec![];
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    let ahead = <$crate::bundle!(@port $way S $value)>::IS_INPUT;
                    ties.push($crate::wires::Tie { member: stringify!($member), ahead });
                })+
                ties
            }
        }

        impl $name<$crate::wires::Master> {
            /// Connects the master of one block with the slave of another.
            #[inline(always)]
            pub fn join(&mut self, slave: &mut $name<$crate::wires::Slave>) {
                self.join_part(slave, $crate::wires::Members::ALL);
            }

            /// Connects some members of the master with the slave.
            pub fn join_part(&mut self, slave: &mut $name<$crate::wires::Slave>, part: $crate::wires::Members) {
                let part = part.and(self.present).and(slave.present);
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    $crate::bundle!(@join $way self slave $member);
                })+
            }

            #[doc(hidden)]
            pub fn join_connect(&mut self, slave: &mut $name<$crate::wires::Slave>) {
                self.join_part_connect(slave, $crate::wires::Members::ALL);
            }

            #[doc(hidden)]
            pub fn join_part_connect(&mut self, slave: &mut $name<$crate::wires::Slave>, part: $crate::wires::Members) {
                use $crate::wires::derived::logic::Logic;
                let part = part.and(self.present).and(slave.present);
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    $crate::bundle!(@driven $way self slave $member).connect();
                })+
            }

            #[doc(hidden)]
            pub fn join_ties(&self, slave: &$name<$crate::wires::Slave>) -> Vec<$crate::wires::Tie> {
                self.join_part_ties(slave, $crate::wires::Members::ALL)
            }

            #[doc(hidden)]
            pub fn join_part_ties(&self, slave: &$name<$crate::wires::Slave>, part: $crate::wires::Members) -> Vec<$crate::wires::Tie> {
                let part = part.and(self.present).and(slave.present);
                let mut ties = vec![];
                $(if part.has(const { Self::part(&[stringify!($member)]) }) {
                    let ahead = stringify!($way).len() == "ahead".len();
                    ties.push($crate::wires::Tie { member: stringify!($member), ahead });
                })+
                ties
            }
        }

        const _: () = {
            use $crate::wires::derived::{block, logic, probe, Clocked};

            impl<S: $crate::wires::Side> logic::Logic for $name<S> {
                fn update(&mut self) {}
            }

            impl<S: $crate::wires::Side> Clocked for $name<S> {}

            impl<S: $crate::wires::Side> block::Block for $name<S> {
                fn connect_all(&mut self) {}

                #[inline]
                fn update_all(&mut self) {
                    $(block::Block::update_all(&mut self.$member);)+
                }

                #[inline]
                fn has_changed(&self) -> bool {
                    $(block::Block::has_changed(&self.$member))||+
                }

                fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
                    probe.visit_start_namespace(name, self);
                    $crate::wires::derived::show_prefix(self.prefix.as_ref(), probe);
                    $(if self.present.has(const { Self::part(&[stringify!($member)]) }) {
                        block::Block::accept(&self.$member, stringify!($member), probe);
                    })+
                    probe.visit_end_namespace(name, self);
                }
            }
        };
    };
    (@port ahead $side:ident $value:ty) => { $crate::wires::Port<$side::Ahead, $value> };
    (@port back $side:ident $value:ty) => { $crate::wires::Port<$side::Back, $value> };
    (@join ahead $me:ident $slave:ident $member:ident) => { $slave.$member.next = $me.$member.carried() };
    (@join back $me:ident $slave:ident $member:ident) => { $me.$member.next = $slave.$member.carried() };
    (@driven ahead $me:ident $slave:ident $member:ident) => { $slave.$member };
    (@driven back $me:ident $slave:ident $member:ident) => { $me.$member };
}
