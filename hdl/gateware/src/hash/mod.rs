//! Hash units: from a key to one probe position a bank. Depends on `wires` only.
//!
//! | block | what |
//! |---|---|
//! | [`XorMatrix`] | leaf: every output an XOR of some inputs |
//! | [`SboxMix`], [`IndexMix`] | family `h3-sbox`: two sparse XOR layers around S-boxes |
//! | [`PlainH3`] | family `h3` |
//! | [`SipHash`] | family `siphash`: keyed, for hostile traffic |
//! | [`Scale`] | from a hash value to a range that is no power of two |
//! | [`Spread`] | double hashing on a power of two, KM section 3: `g_i = h1 + i h2`, and its extension |
//! | [`ChainSpread`] | the same on any other range |
//! | [`DistinctDraws`] | positions that differ from each other |
//! | [`HashUnit`] | all of it, for a specification |

mod chain;
mod draws;
mod partial_sums;
mod plain_h3;
mod sbox;
mod scale;
mod siphash;
mod spread;
mod unit;
mod xor_matrix;

pub use chain::{ChainSpread, ModuloOffset, ModuloSum};
pub use draws::{DistinctDraws, DrawCheck, DrawSettle};
pub use plain_h3::PlainH3;
pub use sbox::{IndexMix, SboxLayer, SboxMix};
pub use scale::{digits, Digit, Scale};
pub use siphash::{SipCompress, SipFinish, SipHalfRound, SipHash, SipRound};
pub(crate) use siphash::{START as SIP_START, STATE_BITS as SIP_STATE_BITS};
pub use spread::Spread;
pub use unit::HashUnit;
pub use xor_matrix::XorMatrix;
