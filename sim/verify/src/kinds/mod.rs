//! Verification of each kind of filter, and the dispatch between kinds.

pub mod cells;
pub mod recycling;
pub mod sliding;

use crate::plan::{Plan, Watch};
use crate::report::{Fact, ReportData};
use crate::stats::Verdict;
use crate::VerifyError;
use bloomline_bench::filter::ContractPorts;
use bloomline_bench::lockstep::Reference;
use bloomline_spec::{by_kind, Design};
use serde_json::Value;

/// A geometry whose gateware can be verified.
pub trait Verified {
    /// What a verification of its kind finds.
    type Found: Found + 'static;

    /// Runs the gateware on the plan's keys, and tells how far it is.
    ///
    /// # Errors
    /// [`VerifyError`] when it cannot be run. A mismatch is no error: it is in the result.
    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<Self::Found, VerifyError>;
}

/// What a verification of one kind found.
pub trait Found {
    /// Pass or fail, over all that was tested.
    fn verdict(&self) -> Verdict;

    /// Every number by its key.
    ///
    /// # Errors
    /// Only if JSON cannot be made of it, which no value here causes.
    fn values(&self) -> Result<Value, serde_json::Error>;

    /// The result in lines, for people: a name and what there is to say of it.
    fn lines(&self) -> Vec<Fact>;

    /// The report, but for title, specification and predictions, which the caller knows. Its results are the claims.
    fn report(&self) -> &ReportData;
}

/// Runs the gateware of `geometry` on the plan's keys: what [`crate::verify`] finds, number by number.
///
/// # Errors
/// As [`Verified::run`].
pub fn run<G: Verified>(
    geometry: &G,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<G::Found, VerifyError> {
    geometry.run(plan, watch)
}

/// Runs the gateware of a design of any kind on the plan's keys.
pub(crate) fn run_design(
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<Box<dyn Found>, VerifyError> {
    Ok(by_kind!(design, geometry => Box::new(geometry.run(plan, watch)?)))
}

/// A result is what was found: its own verdict and report, its numbers by serde, and its lines by the function `lines` beside it.
macro_rules! found {
    ($result:ty) => {
        impl $crate::kinds::Found for $result {
            fn verdict(&self) -> $crate::stats::Verdict {
                self.verdict
            }

            fn values(&self) -> Result<serde_json::Value, serde_json::Error> {
                serde_json::to_value(self)
            }

            fn lines(&self) -> Vec<$crate::report::Fact> {
                lines(self)
            }

            fn report(&self) -> &$crate::report::ReportData {
                &self.report
            }
        }
    };
}
use found;

/// A line of a result's text form.
fn line(name: &str, text: String) -> Fact {
    Fact::new(name, text)
}

/// Where the values of the gateware's ports are predicted from.
#[derive(Clone)]
enum Source<M> {
    /// The cycle-accurate model.
    Model(Box<M>),
    /// The functional model's verdicts in the clocks of the contract.
    Contract(ContractPorts),
}

impl<M: Reference> Source<M> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        match self {
            Source::Model(model) => model.outputs(outputs, care),
            Source::Contract(ports) => ports.outputs(outputs, care),
        }
    }
}
