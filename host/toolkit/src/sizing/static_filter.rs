use super::{Sheet, SizeError};
use bloomline_theory::static_filter::{
    bits_estimate, fewest_bits, hashes_by_bound, hashes_estimate, items_estimate, most_items,
    optimal_hashes_soon, peak_efficiency, valley, Probes, StaticFilter,
};
use bloomline_theory::TheoryError;

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct Static {
    /// Bits of the filter.
    pub bits: Option<u64>,
    /// Items stored.
    pub items: Option<u64>,
    /// Largest false-positive rate.
    pub rate: Option<f64>,
    /// Number of hashes, with --bits and --items [default: the best].
    pub hashes: Option<u64>,
    /// k different bits an item (a classic filter), not k draws.
    pub distinct: bool,
}

/// Most bits of a filter whose best and worst numbers of items are searched for.
const MOST_SEARCHED_BITS: u64 = 1 << 14;
/// Most hashes of these.
const MOST_SEARCHED_HASHES: u64 = 32;

/// The numbers of items at which as many hashes use the bits best, and at which one hash more is as good.
fn beside(bits: u64, hashes: u64, probes: Probes, sheet: Sheet) -> Result<Sheet, SizeError> {
    if bits > MOST_SEARCHED_BITS || hashes > MOST_SEARCHED_HASHES || hashes >= bits / 2 {
        return Ok(sheet);
    }
    let peak = peak_efficiency(bits, hashes, probes)?;
    let sheet = sheet
        .whole(
            "peak_items",
            peak.items,
            "",
            "items at which these hashes use the bits best (OCC 4.1)",
        )
        .figure("peak_efficiency", &peak.efficiency, "");
    Ok(match valley(bits, hashes, probes) {
        Ok(valley) => sheet
            .whole(
                "valley_items",
                valley.items,
                "",
                "fewest items at which one hash more is no better (OCC 4.2)",
            )
            .figure("valley_efficiency", &valley.efficiency, ""),
        Err(_) => sheet,
    })
}

impl Static {
    /// Solves for what is missing.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        SizeError::unless_share("rate", self.rate)?;
        if self.hashes.is_some() && self.rate.is_some() {
            return Err(SizeError::HashesBesideRate);
        }
        match self.clone().exact_sheet() {
            Err(SizeError::Theory(TheoryError::TooLarge { .. })) if self.hashes.is_none() => {
                self.estimated_sheet()
            }
            sheet => sheet,
        }
    }

    /// What is known of filters with hundreds of hashes, whose exact rates take too long.
    fn estimated_sheet(self) -> Result<Sheet, SizeError> {
        let probes = if self.distinct {
            Probes::Distinct
        } else {
            Probes::Independent
        };
        let sheet = self.title();
        let (bits, items, sheet) = match (self.bits, self.items, self.rate) {
            (Some(bits), None, Some(rate)) => {
                let items = items_estimate(bits, rate)?;
                let sheet = sheet
                    .given("target_fpr", rate)
                    .whole("memory_bits", bits, "bits", "given")
                    .figure("items_estimate", &items, "");
                (bits, (items.value as u64).max(1), sheet)
            }
            (None, Some(items), Some(rate)) => {
                let bits = bits_estimate(items, rate)?;
                let sheet = sheet
                    .given("target_fpr", rate)
                    .whole("items", items, "", "given")
                    .figure("memory_bits_estimate", &bits, "bits");
                (bits.value.ceil() as u64, items, sheet)
            }
            (Some(bits), Some(items), None) => {
                let sheet = sheet
                    .whole("memory_bits", bits, "bits", "given")
                    .whole("items", items, "", "given");
                (bits, items, sheet)
            }
            _ => return Err(SizeError::TwoOfThree),
        };
        let optimum = hashes_by_bound(bits, items, probes)?;
        Ok(sheet
            .whole(
                "hashes",
                optimum.hashes,
                "",
                "estimate: exact rates of hundreds of hashes take too long",
            )
            .figure("hashes_estimate", &hashes_estimate(bits, items)?, "")
            .figure("log2_fpr", &optimum.log2_rate, ""))
    }

    fn exact_sheet(self) -> Result<Sheet, SizeError> {
        let probes = if self.distinct {
            Probes::Distinct
        } else {
            Probes::Independent
        };
        let (bits, items, sheet) = match (self.bits, self.items, self.rate) {
            (Some(bits), Some(items), None) => {
                let sheet = self.title();
                (
                    bits,
                    items,
                    sheet
                        .whole("memory_bits", bits, "bits", "given")
                        .whole("items", items, "", "given"),
                )
            }
            (Some(bits), None, Some(rate)) => {
                let found = most_items(bits, rate, probes)?;
                let sheet = self
                    .title()
                    .given("target_fpr", rate)
                    .whole("memory_bits", bits, "bits", "given")
                    .whole(
                        "items",
                        found.exact,
                        "",
                        "most items at the rate, by exact rates",
                    )
                    .figure("items_estimate", &found.estimate, "");
                (bits, found.exact, sheet)
            }
            (None, Some(items), Some(rate)) => {
                let found = fewest_bits(items, rate, probes)?;
                let sheet = self
                    .title()
                    .given("target_fpr", rate)
                    .whole("items", items, "", "given")
                    .whole(
                        "memory_bits",
                        found.exact,
                        "bits",
                        "fewest bits at the rate, by exact rates",
                    )
                    .figure("memory_bits_estimate", &found.estimate, "bits");
                (found.exact, items, sheet)
            }
            _ => return Err(SizeError::TwoOfThree),
        };
        let hashes = match self.hashes {
            Some(hashes) => hashes,
            None => optimal_hashes_soon(bits, items, probes)?.hashes,
        };
        let source = if self.hashes.is_some() {
            "given"
        } else {
            "smallest exact rate"
        };
        let filter = StaticFilter::new(bits, items, hashes, probes)?;
        let sheet = sheet
            .whole("hashes", hashes, "", source)
            .figure("hashes_estimate", &hashes_estimate(bits, items)?, "")
            .figure("log2_fpr", &filter.log2_rate()?, "")
            .figure("efficiency", &filter.efficiency()?, "")
            .figure("fpr_textbook", &filter.lower_bound_e(), "");
        let sheet = beside(bits, hashes, probes, sheet)?
            .figure("compressed_bits", &filter.compressed_bits(), "bits")
            .figure(
                "compressed_efficiency",
                &filter.compressed_efficiency()?,
                "",
            );
        // Below the range of a double there is only the logarithm.
        Ok(match filter.rate() {
            Ok(rate) => sheet.figure("fpr", &rate, ""),
            Err(_) => sheet,
        })
    }

    fn title(&self) -> Sheet {
        Sheet::new(if self.distinct {
            "classic filter: every item sets k different bits"
        } else {
            "standard filter: every item draws k bits, repeats allowed"
        })
    }
}
