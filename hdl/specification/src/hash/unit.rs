use super::h3_function::H3Function;
use super::sbox_unit::SboxUnit;
use super::sip_unit::SipUnit;
use std::ops::Range;

/// One piece of hash hardware, giving one or more functions of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HashUnit {
    /// Unit of family `h3-sbox`.
    Sbox(SboxUnit),
    /// Unit of family `h3`.
    H3(H3Function),
    /// Unit of the families `siphash` and `siphash-2-4`.
    Sip(SipUnit),
}

impl HashUnit {
    /// The functions this unit gives.
    pub fn functions(&self) -> Range<usize> {
        match self {
            HashUnit::Sbox(unit) => unit.functions.clone(),
            HashUnit::H3(unit) => unit.function..unit.function + 1,
            HashUnit::Sip(unit) => unit.functions.clone(),
        }
    }
}
