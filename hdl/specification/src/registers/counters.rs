//! Tables of event counters.

/// Names of a counter's two halves, and what the low one says.
pub(crate) type CounterText = (&'static str, &'static str, &'static str);

/// A 64-bit counter of a block, by its place in it: one table gives the enum, its names, and its texts for the register map and the
/// documentation. With `at`, the address of the first counter, it gives addresses, too.
macro_rules! counters {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident = $word:literal: $text:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = concat!(" ", $text, ".")]
                $(#[$variant_meta])*
                $variant,
            )+
        }

        impl $name {
            /// Every counter, in the order of its place.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Name without `_LO` and `_HI`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            pub(crate) fn text(self) -> crate::registers::counters::CounterText {
                match self {
                    $($name::$variant => (
                        concat!($word, "_LO"),
                        concat!($word, "_HI"),
                        concat!($text, ", low half."),
                    ),)+
                }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident at $first:ident { $($table:tt)+ }) => {
        $crate::registers::counters::counters! { $(#[$meta])* $name { $($table)+ } }

        impl $name {
            /// Byte address of the low half. Reading it captures the high half, so low then high is one value.
            pub fn address_lo(self) -> u32 {
                $crate::registers::address::$first + 8 * self as u32
            }

            /// Byte address of the high half as captured by the last read of the low half.
            pub fn address_hi(self) -> u32 {
                self.address_lo() + 4
            }
        }
    };
}
pub(crate) use counters;

/// A list of counters of a filter whose memory words bear nothing to check them by, a parity bit, or an error-correcting code.
macro_rules! with_errors {
    ($parity:expr, $ecc:expr, $($counter:ident)+) => {
        match ($parity, $ecc) {
            (_, true) => &[$($counter,)+ EccCorrected, EccUncorrectable],
            (Parity::None, false) => &[$($counter),+],
            (Parity::Count | Parity::Empty, false) => &[$($counter,)+ ParityErrors],
        }
    };
}
pub(crate) use with_errors;
