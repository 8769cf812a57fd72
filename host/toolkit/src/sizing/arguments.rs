//! Options of `size` that give the arguments of theory's formulas.

use super::{SizeError, Wants};
use bloomline_theory::TheoryError;

/// An argument as theory calls it, the option that gives it, and its value.
pub(super) type Argument = (&'static str, &'static str, String);

impl Wants {
    /// The arguments that an option gives as they are; what is searched for is none.
    pub(super) fn arguments(&self) -> Vec<Argument> {
        let whole = |value: Option<u64>| value.map(|value| value.to_string());
        let number = |value: Option<f64>| value.map(|value| format!("{value:?}"));
        let all = match self {
            Wants::Recycling(wants) => vec![
                ("capacity", "--messages", number(wants.messages)),
                ("phases", "--phases", whole(wants.phases.map(u64::from))),
                ("hashes", "--hashes", whole(wants.hashes.map(u64::from))),
                ("sigma", "--threshold", whole(wants.threshold)),
                ("messages", "--threshold", whole(wants.threshold)),
            ],
            Wants::Static(wants) => vec![
                ("bits", "--bits", whole(wants.bits)),
                ("items", "--items", whole(wants.items)),
            ],
            Wants::Counting(wants) => vec![
                ("insertions", "--insertions", whole(Some(wants.insertions))),
                ("true count", "--true-count", whole(Some(wants.true_count))),
                ("hashes", "--hashes", whole(wants.hashes)),
            ],
            Wants::CountMin(wants, _) => vec![
                ("eps", "--error", number(Some(wants.error))),
                ("delta", "--failure", number(Some(wants.failure))),
            ],
            Wants::Sliding(wants) => vec![
                ("eps", "--rate", number(Some(wants.rate))),
                ("window", "--window", whole(Some(wants.window))),
                ("slack", "--slack", whole(wants.slack)),
                ("generations", "--generations", whole(wants.generations)),
            ],
        };
        all.into_iter()
            .filter_map(|(argument, option, value)| Some((argument, option, value?)))
            .collect()
    }
}

impl SizeError {
    /// The same, with the option and its value in the place of an argument outside the domain of a formula.
    pub(super) fn of_argument(self, given: &[Argument]) -> SizeError {
        let theory = match &self {
            SizeError::Theory(theory) => theory,
            SizeError::NoFilter {
                source: Some(source),
                ..
            } => match &**source {
                SizeError::Theory(theory) => theory,
                _ => return self,
            },
            _ => return self,
        };
        let TheoryError::OutOfDomain {
            argument, expected, ..
        } = theory
        else {
            return self;
        };
        let option = given.iter().find(|(name, ..)| name == argument);
        match option {
            None => self,
            Some((_, option, value)) => SizeError::Option {
                option,
                value: value.clone(),
                rule: format!("is outside the domain of the law, expected {expected}"),
                advice: format!("change {option}"),
            },
        }
    }
}
