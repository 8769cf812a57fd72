use super::{Sheet, SizeError};
use bloomline_theory::count_min::Sizing;

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct CountMin {
    /// Error eps: an estimate is too high by at most eps times the sum of all counts.
    pub error: f64,
    /// Probability delta of a larger error.
    pub failure: f64,
    /// Independent copies of two functions each; of all numbers of copies the smallest unless given.
    pub copies: Option<u32>,
}

impl CountMin {
    /// Solves for width, depth and copies. Beside it stand one copy, where there are more, and the paper's numbers.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        SizeError::unless_share("error", Some(self.error))?;
        SizeError::unless_share("failure", Some(self.failure))?;
        let size = match self.copies {
            Some(copies) => Sizing::in_copies(self.error, self.failure, copies)?,
            None => Sizing::smallest(self.error, self.failure)?,
        };
        let paper = Sizing::by_copies(self.error, self.failure)?;
        let mut sheet = Sheet::new(
            "Count-Min sketch with rows g_j = h1 + j h2 mod w, w prime; copies with two functions each",
        )
        .given("error", self.error)
        .given("failure", self.failure)
        .whole(
            "width",
            size.sketch.width(),
            "counters",
            "smallest prime at that depth",
        )
        .whole(
            "depth",
            size.sketch.depth(),
            "rows",
            "of all depths the one with the fewest counters",
        )
        .whole(
            "copies",
            size.copies.into(),
            "",
            match self.copies {
                Some(_) => "given",
                None => "of all numbers of copies the one with the fewest counters",
            },
        )
        .whole("counters", size.counters(), "", "copies * depth * width")
        .figure("failure_bound", &size.failure, "");
        if self.copies.is_none() && size.copies > 1 {
            let one = Sizing::single(self.error, self.failure)?;
            sheet = sheet.whole(
                "counters_one_copy",
                one.counters(),
                "",
                "fewest in one copy: its term 2/(eps w^2) does not fall with the depth",
            );
        }
        Ok(sheet
            .whole(
                "copies_km",
                paper.copies.into(),
                "",
                "KM 9.2, corrected: ceil(ln(1/delta)/ln(1/eps))",
            )
            .whole(
                "counters_km",
                paper.counters(),
                "",
                "KM 9.2, corrected: rows of at least 2e/eps, copies that fail with eps",
            ))
    }
}
