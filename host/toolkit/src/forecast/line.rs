//! A predicted number, and how it is shown.

use bloomline_spec::Common;
use bloomline_theory::{Accuracy, AccuracyKind, Figure};

/// What a linear hash does, for every kind of filter.
pub(super) const LINEAR_HASH: &str =
    "hash.family = \"h3\" is linear: structured keys (consecutive addresses, ports) see a rate that varies \
     widely with the seed; \"h3-sbox\" costs the same logic and does not";

/// What a keyed hash does not do by itself, for every kind of filter.
pub(super) const PUBLIC_SECRET: &str =
    "the hash is keyed, but its secret is the specification's, as public as hash.seed, until the host loads another one: whoever \
     knows it can compute keys that are taken for seen, so load one with `bloomline device URL rekey SPEC` at each start";

/// What whoever sends frames can do to a filter without a keyed hash, for every kind of filter.
pub(super) fn chosen_keys(common: &Common) -> Option<String> {
    common.packet()?;
    let family = common.hash().family;
    (!family.is_keyed()).then(|| {
        format!(
            "whoever sends frames can compute keys that are taken for seen at once, since hash.family = \"{family}\" has no secret: \
             packet.trusted_keys says that all senders of frames are trusted"
        )
    })
}

/// Warns of a filter for more keys than `key.bits` can tell apart; `what` names their number, `count`.
pub(super) fn few_keys(common: &Common, what: &str, count: f64) -> Option<String> {
    let bits = common.key_bits();
    let keys = 2f64.powi(bits as i32);
    (count > keys).then(|| {
        format!(
            "key.bits = {bits} gives {} different keys, fewer than {what}, and the rates hold for keys that all differ: \
             size the filter for fewer keys, or widen key.bits",
            super::whole(keys)
        )
    })
}

/// A predicted number.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its key in JSON.
    pub key: &'static str,
    /// The number, in `unit`.
    pub value: f64,
    /// Unit of the number; empty for a ratio.
    pub unit: &'static str,
    /// Where it comes from.
    pub formula: String,
    /// How good it is.
    pub accuracy: Accuracy,
    /// Its natural logarithm where doubles end.
    pub ln: Option<f64>,
}

/// A number that theory gives.
pub(super) fn line(key: &'static str, unit: &'static str, figure: &Figure) -> Line {
    Line {
        key,
        value: figure.value,
        unit,
        formula: figure.formula.clone(),
        accuracy: figure.accuracy,
        ln: figure.ln,
    }
}

/// A number that is exact but for rounding.
pub(super) fn exact(key: &'static str, value: f64, unit: &'static str, formula: &str) -> Line {
    line(
        key,
        unit,
        &Figure::new(value, formula, Accuracy::exact(1e-12)),
    )
}

/// An accuracy in a few words.
pub fn stated(accuracy: Accuracy) -> String {
    match accuracy.kind {
        AccuracyKind::Exact => "exact".to_owned(),
        AccuracyKind::Bound => "bound".to_owned(),
        AccuracyKind::LowerBound => "lower bound".to_owned(),
        AccuracyKind::Approximation if accuracy.relative_error.abs() < 1e-15 => "exact".to_owned(),
        AccuracyKind::Approximation if accuracy.relative_error == f64::MAX => {
            "an estimate, see its formula".to_owned()
        }
        AccuracyKind::Approximation if accuracy.relative_error > 10.0 => {
            "an estimate, error not bounded".to_owned()
        }
        AccuracyKind::Approximation => {
            format!("within {}", percent(accuracy.relative_error))
        }
    }
}

/// A relative error as a percentage.
fn percent(share: f64) -> String {
    let percentage = 100.0 * share;
    if percentage >= 0.1 {
        format!("{percentage:.1}%")
    } else if percentage >= 0.001 {
        format!("{percentage:.3}%")
    } else {
        format!("{percentage:.0e}%")
    }
}
