//! Functions that differ by kind of filter: [`Planned`] and its dispatch.

mod cells;
mod cuckoo;
mod recycling;
mod sliding;
mod windows;

use crate::forecast::Line;
use crate::plan::{Plan, Summary};
use crate::Error;
use bloomline_spec::{by_kind, Design};
use bloomline_theory::sizing::Prediction;
use serde_json::Value;
use std::fmt;
use std::path::Path;

/// A filter of one kind with its forecast.
pub(crate) trait Planned: fmt::Debug + Send + Sync {
    /// The predicted numbers, in the order to show them.
    fn lines(&self) -> &[Line];

    /// What the user should know before building this.
    fn warnings(&self) -> &[String];

    /// Everything that is predicted.
    ///
    /// # Errors
    /// That theory does not cover it.
    fn plan(&self) -> Result<Plan, Error>;

    /// The six lines that the plan begins with.
    ///
    /// # Errors
    /// As [`Planned::plan`], which takes longer.
    fn summary(&self) -> Result<Summary, Error>;

    /// The rates and cycles of a recycling filter; `None` of other kinds.
    ///
    /// # Errors
    /// As [`Planned::plan`], which takes longer.
    fn prediction(&self) -> Result<Option<&Prediction>, Error> {
        Ok(None)
    }

    /// Whether theory has rates of it.
    ///
    /// # Errors
    /// As [`Planned::plan`], which takes longer.
    fn check_rates(&self) -> Result<(), Error> {
        self.prediction().map(drop)
    }

    /// The kind as a noun, without article: `recycling Bloom filter`.
    fn noun(&self) -> &'static str;

    /// What stands behind the geometry hash at the head of the Verilog: `threshold 5`.
    fn facts(&self) -> String;

    /// Its sizes in a line, for the core description.
    fn description(&self) -> String;

    /// The geometry in the manifest.
    fn geometry_values(&self) -> Value;

    /// What happens when, in the manifest.
    fn timing_values(&self) -> Value;

    /// The predicted rates, for a verification; `None` where it makes its own prediction, or there is none.
    fn rates(&self) -> Option<&Prediction> {
        None
    }

    /// What a report of a verification says of its predictions: name and value.
    fn provenance(&self) -> (&'static str, String);
}

/// A geometry that a forecast is made of.
trait Plannable {
    /// The forecast; `file` is the name that errors show.
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error>;
}

/// The forecast of a design; `file` is the name that errors show.
pub(crate) fn planned(design: &Design, file: &Path) -> Result<Box<dyn Planned>, Error> {
    by_kind!(design, geometry => geometry.planned(file))
}
