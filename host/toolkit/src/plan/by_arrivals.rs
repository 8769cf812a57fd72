//! False positives over all arrivals, for requests by a law of popularity.

use super::{Page, Table};
use crate::forecast::{by_arrivals, stated, whole};
use crate::{Error, Filter};
use bloomline_theory::sizing::Zipf;
use bloomline_theory::Figure;
use bloomline_verify::text::percent;
use serde::Serialize;

/// The rates of a recycling filter over first arrivals and over all arrivals (RBF II-E), counted as `verify` counts them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FprByArrivals {
    /// The law of the requests.
    requests: String,
    /// Requests between two recycles.
    requests_per_cycle: Figure,
    /// False positives over first arrivals.
    count_instance: Figure,
    /// False positives over all arrivals.
    count_first: Figure,
    /// False positives and all later arrivals of their keys, over all arrivals.
    count_each: Figure,
}

impl Filter {
    /// The false-positive rates over all arrivals, for independent requests by a law of popularity.
    ///
    /// # Errors
    /// [`Error::NoCycles`] for other kinds than recycling; that no rates are predicted; a law with too few keys for a cycle.
    pub fn fpr_by_arrivals(&self, law: &Zipf) -> Result<FprByArrivals, Error> {
        let (Some(geometry), Some(prediction)) =
            (self.design().recycling(), self.planned().prediction()?)
        else {
            return Err(Error::NoCycles {
                file: self.file().to_owned(),
                kind: self.design().kind().to_string(),
            });
        };
        let found = by_arrivals(geometry, prediction, self.lines(), law);
        let found = found.map_err(|source| Error::Theory {
            file: self.file().to_owned(),
            source,
        })?;
        Ok(FprByArrivals {
            requests: format!(
                "independent requests by a Zipf law with exponent {} over {} keys",
                law.exponent(),
                whole(law.universe() as f64)
            ),
            requests_per_cycle: found.requests_per_cycle,
            count_instance: found.averages.count_instance,
            count_first: found.averages.count_first,
            count_each: found.averages.count_each,
        })
    }
}

impl FprByArrivals {
    /// Texts and tables.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.text(format!("\nFalse positives on {}\n\n", self.requests));
        let mut table = Table::of_numbers(["", "value", "accuracy"]);
        let requests = &self.requests_per_cycle;
        table.add_row([
            "requests a cycle".to_owned(),
            whole(requests.value),
            stated(requests.accuracy),
        ]);
        for (name, figure) in [
            ("count-instance", &self.count_instance),
            ("count-first", &self.count_first),
            ("count-each", &self.count_each),
        ] {
            table.add_row([
                name.to_owned(),
                percent(figure.value),
                stated(figure.accuracy),
            ]);
        }
        page.table(table);
        page.text(
            "\n\ncount-instance: false positives over first arrivals of a key in a cycle. count-first: the same over all arrivals. \
             count-each: all arrivals of keys that were false positives at first, over all arrivals\n",
        );
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_model::{Oracle, RecyclingFilter};
    use bloomline_spec::{Key, Operation};
    use bloomline_stimulus::ZipfKeys;
    use std::path::Path;

    #[test]
    fn the_model_errs_over_all_arrivals_as_said() {
        const FILTERS: u64 = 150;
        const REQUESTS: u64 = 20_000;
        let text = "name = \"keys\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 4096\nhashes = 2\nhashing = \"independent\"\n\
             [filter.recycle]\non = \"bits-set\"\nphases = 2\nthreshold = 600\nretain = true\n[key]\nbits = 64\n";
        let filter = Filter::from_text(Path::new("keys.toml"), text.to_owned()).expect("legal");
        let law = Zipf::new(0.8, 5_000).expect("legal");
        let said = filter.fpr_by_arrivals(&law).expect("enough keys");
        let geometry = filter.design().recycling().expect("recycling");
        // the same filter on keys of other draws
        let (mut arrivals, mut first, mut each, mut recycles) = (0_u64, 0_u64, 0_u64, 0_u64);
        for seed in 0..FILTERS {
            let mut model = RecyclingFilter::new(geometry);
            let mut oracle = Oracle::new(geometry);
            let keys = ZipfKeys::new(0.8, 5_000, seed).expect("legal");
            for key in keys.take(REQUESTS as usize) {
                let key = Key::from_integer(key.into(), 64).expect("fits");
                let outcome = model.apply(&key, Operation::TestAndInsert);
                let arrival = oracle.observe(key, Operation::TestAndInsert, &outcome);
                // both halves are in use from the second recycle on
                if model.recycles() > 1 {
                    arrivals += 1;
                    first += u64::from(arrival.false_positive());
                    each += u64::from(arrival.absent && arrival.seen);
                    recycles += u64::from(outcome.tripped);
                }
            }
        }
        assert!(first > 50_000, "{first}");
        for (figure, measured) in [
            (&said.count_first, first as f64 / arrivals as f64),
            (&said.count_each, each as f64 / arrivals as f64),
            (&said.requests_per_cycle, arrivals as f64 / recycles as f64),
        ] {
            let off = figure.value / measured - 1.0;
            // popular keys decide: they have the same positions in all cycles of a filter
            assert!(
                off.abs() < 0.015 + figure.accuracy.relative_error,
                "{measured} {off} {figure:?}"
            );
        }
    }
}
