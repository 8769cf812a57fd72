use super::{Sheet, SizeError};
use bloomline_theory::two_hash::framework::{check_extension, Conditions};

/// A scheme of two hash functions, `h1 + i h2 + f(i) mod m`, with a term f(i) of one's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheme {
    /// f(0), f(1), .. of the k positions.
    pub f: Vec<u64>,
    /// Bits of the filter for each item, c.
    pub bits_an_item: f64,
}

impl Scheme {
    /// Checks the conditions of KM Theorem 4.1 by counting every pair of hash values at small sizes.
    ///
    /// # Errors
    /// [`SizeError::Theory`] for more than 10 positions, or bits an item below 1/4.
    pub fn sheet(&self) -> Result<Sheet, SizeError> {
        let found = check_extension(&self.f, self.bits_an_item)?;
        let list: Vec<String> = self.f.iter().map(u64::to_string).collect();
        let mut sheet = Sheet::new(format!(
            "h1 + i h2 + f(i) mod m, f = {}: {}",
            list.join(", "),
            match found.holds() {
                true => "the conditions of KM Theorem 4.1 are met as far as sizes show, and the rate tends to that of independent functions",
                false => "the conditions of KM Theorem 4.1 are not met at these sizes, see below",
            }
        ))
        .given("bits_an_item", self.bits_an_item)
        .derived("lambda", found.lambda, "k^2 / c")
        .figure("fpr_limit", &found.limit, "");
        const KEYS: [[&str; 5]; 3] = [
            [
                "bits_small",
                "fpr_small",
                "one_small",
                "more_small",
                "uneven_small",
            ],
            [
                "bits_double",
                "fpr_double",
                "one_double",
                "more_double",
                "uneven_double",
            ],
            [
                "bits_fourfold",
                "fpr_fourfold",
                "one_fourfold",
                "more_fourfold",
                "uneven_fourfold",
            ],
        ];
        for (size, [bits, fpr, one, more, uneven]) in found.sizes.iter().zip(KEYS) {
            let Conditions { range, items, .. } = size;
            sheet = sheet
                .whole(bits, *range, "bits", "a size that is counted")
                .derived(fpr, size.rate, &format!("exact, {items:.1} items"))
                .derived(one, size.one, "n Pr(|C| = 1), tends to lambda")
                .derived(more, size.more, "n Pr(|C| > 1), tends to 0")
                .derived(
                    uneven,
                    size.uneven,
                    "max |Pr(at position i, |C| = 1) - 1/k|, tends to 0",
                );
        }
        let met = |holds: bool| u64::from(holds);
        Ok(sheet
            .whole(
                "condition_3",
                met(found.collisions_hold),
                "",
                "1: one and more fall towards their limits from size to size",
            )
            .whole(
                "condition_4",
                met(found.evenness_holds),
                "",
                "1: uneven falls from size to size",
            ))
    }
}
