use super::sheet::Sheet;
use anyhow::bail;
use bloomline_theory::static_filter::{
    fewest_bits, hashes_estimate, most_items, optimal_hashes, Probes, StaticFilter,
};

/// Arguments of `size static`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Bits of the filter
    #[arg(long, value_name = "M")]
    bits: Option<u64>,
    /// Items stored
    #[arg(long, value_name = "N")]
    items: Option<u64>,
    /// Largest false-positive rate
    #[arg(long, value_name = "P")]
    rate: Option<f64>,
    /// Number of hashes, with --bits and --items [default: the best]
    #[arg(long, value_name = "K")]
    hashes: Option<u64>,
    /// k different bits an item (a classic filter), not k draws
    #[arg(long)]
    distinct: bool,
}

impl Cmd {
    /// Solves for what is missing.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let probes = if self.distinct {
            Probes::Distinct
        } else {
            Probes::Independent
        };
        let (bits, items, sheet) = match (self.bits, self.items, self.rate) {
            (Some(bits), Some(items), None) => {
                let sheet = self.title();
                (bits, items, sheet.whole("memory_bits", bits, "bits", "given").whole("items", items, "", "given"))
            }
            (Some(bits), None, Some(rate)) => {
                let found = most_items(bits, rate, probes)?;
                let sheet = self
                    .title()
                    .given("target_fpr", rate)
                    .whole("memory_bits", bits, "bits", "given")
                    .whole("items", found.exact, "", "most items at the rate, by exact rates")
                    .figure("items_estimate", &found.estimate, "");
                (bits, found.exact, sheet)
            }
            (None, Some(items), Some(rate)) => {
                let found = fewest_bits(items, rate, probes)?;
                let sheet = self
                    .title()
                    .given("target_fpr", rate)
                    .whole("items", items, "", "given")
                    .whole("memory_bits", found.exact, "bits", "fewest bits at the rate, by exact rates")
                    .figure("memory_bits_estimate", &found.estimate, "bits");
                (found.exact, items, sheet)
            }
            _ => bail!("size static: two of --bits, --items and --rate are needed; the third is solved for"),
        };
        let hashes = match self.hashes {
            Some(_) if self.rate.is_some() => {
                bail!("--hashes: goes with --bits and --items; with --rate the best number of hashes is taken")
            }
            Some(hashes) => hashes,
            None => optimal_hashes(bits, items, probes)?.hashes,
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
