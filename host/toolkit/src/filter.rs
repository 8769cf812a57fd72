//! Completion of a specification to a design with its forecast. This is the only place where theory solves `auto`.

use crate::forecast::{self, Line};
use crate::kinds::{planned, Planned};
use crate::plan::Plan;
use crate::Error;
use bloomline_driver::{connect, Device, Link};
use bloomline_spec::{is_manifest, Design, DesignError, FilterSpec};
use std::path::{Path, PathBuf};

/// A filter of any kind, with everything settled, and what theory says of it.
#[derive(Debug)]
pub struct Filter {
    file: PathBuf,
    text: String,
    design: Design,
    planned: Box<dyn Planned>,
}

impl Filter {
    /// Reads, validates and completes a specification, or that of a manifest that `emit` wrote (a name that ends in `.json`).
    ///
    /// # Errors
    /// Those of the specification; that no threshold reaches the target; that two hash functions put too high a floor under
    /// the rate and the specification does not accept it; [`Error::Design`] for the manifest of a release that makes another filter
    /// of its specification.
    pub fn read(file: &Path) -> Result<Filter, Error> {
        let filter = Filter::from_text(file, FilterSpec::text_of(file)?)?;
        if is_manifest(file) {
            let said = Design::load(file)?.geometry_hash();
            let made = filter.design.geometry_hash();
            if said != made {
                return Err(Error::Design(DesignError::Hash {
                    file: file.to_owned(),
                    said: format!("0x{said:x}"),
                    made,
                }));
            }
        }
        Ok(filter)
    }

    /// As [`Filter::read`], from a text that was read already; `file` is the name that errors show.
    ///
    /// # Errors
    /// As [`Filter::read`].
    pub fn from_text(file: &Path, text: String) -> Result<Filter, Error> {
        let spec = FilterSpec::from_toml(&text, file)?;
        let design = spec
            .design_with(|sizing, target| forecast::solve(file, sizing, target))
            .map_err(|error| match error {
                Error::Spec(error) => Error::Spec(error.within(&text)),
                other => other,
            })?;
        Ok(Filter {
            planned: planned(&design, file)?,
            file: file.to_owned(),
            text,
            design,
        })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Its text, as read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The complete design, as a driver or a simulated card takes it.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The predicted numbers, in the order to show them.
    pub fn lines(&self) -> &[Line] {
        self.planned.lines()
    }

    /// What the user should know before building this.
    pub fn warnings(&self) -> &[String] {
        self.planned.warnings()
    }

    /// Everything that is predicted, why the sizes are as they are, and what others would do.
    ///
    /// # Errors
    /// [`Error::NoRates`] for a legal filter that theory does not cover.
    pub fn plan(&self) -> Result<Plan, Error> {
        self.planned.plan()
    }

    /// Opens the device at `url` and identifies it as this filter.
    ///
    /// # Errors
    /// [`Error::Connect`].
    pub fn open(&self, url: &str) -> Result<Device<Link>, Error> {
        Ok(connect(url, &self.design)?)
    }

    pub(crate) fn planned(&self) -> &dyn Planned {
        &*self.planned
    }
}
