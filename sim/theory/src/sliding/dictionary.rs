//! The dictionary in gateware: two tables of bins and a small store, first fit.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

const NAME: &str = "sliding-window dictionary";

/// Sizes of the dictionary of a sliding-window filter.
///
/// A value goes to the first empty cell of: the s cells of its front bucket, the s cells of its back bucket, the S cells
/// of the store. Cells are emptied by age alone, at most [`Dictionary::live`] values are stored at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dictionary {
    /// Values stored at most, `n' = (c + 1) g`.
    pub live: u64,
    /// Buckets of the front table.
    pub front_buckets: u64,
    /// Buckets of the back table.
    pub back_buckets: u64,
    /// s: cells of a bucket, of either table.
    pub bucket_cells: u32,
    /// S: cells of the store.
    pub store_cells: u32,
    /// f: bits of a fingerprint; a cell of the store also compares the bits of the front bucket.
    pub fingerprint_bits: u32,
}

/// What becomes of a value that is not yet stored, as shares of insertions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overflow {
    /// Front bucket full: the value goes to the back table.
    pub to_back: Figure,
    /// Both buckets full: the value goes to the store.
    pub to_store: Figure,
    /// All full: the value is lost, the one way to a false negative.
    pub lost: Figure,
}

impl Dictionary {
    /// Checks the sizes.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when a size is 0 or fingerprints have more than 62 bits.
    pub fn checked(self) -> Result<Self, TheoryError> {
        let sizes = [
            ("live", self.live),
            ("front_buckets", self.front_buckets),
            ("back_buckets", self.back_buckets),
            ("bucket_cells", self.bucket_cells.into()),
            ("fingerprint_bits", self.fingerprint_bits.into()),
        ];
        for (name, value) in sizes {
            if value == 0 {
                return Err(TheoryError::domain(NAME, name, "at least 1", value));
            }
        }
        if self.fingerprint_bits > 62 {
            let value = self.fingerprint_bits;
            return Err(TheoryError::domain(
                NAME,
                "fingerprint_bits",
                "at most 62 (nearest: 62)",
                value,
            ));
        }
        Ok(self)
    }

    /// Where values go while `live` of them are stored and new ones keep coming.
    ///
    /// With first fit a bucket is a loss system: values arrive, stay for a time that does not depend on what they find,
    /// and are turned away when all s cells are taken. In the limit of many buckets arrivals are Poisson, and Erlang's
    /// formula `B(s, a)` gives the share turned away, whatever the law of the stay (Sevastyanov), with a = live / buckets.
    /// What the front table turns away is spread over the back buckets by a second, independent hash function, so it is
    /// Poisson there too. The overflow of a back bucket comes in clumps, and nothing spreads those out before the store:
    /// its peakedness is `z = 1 - a B + a / (s + 1 - a + a B)` (Riordan), and the store of S cells is taken as one of
    /// `floor(S / z)` cells under the load over z (Hayward).
    ///
    /// An approximation, meant for the greatest `live`: a generation ends all at once, so the load lies below it but for
    /// that moment. Simulated with the load nearly constant (64 generations): to the back table 0.97 to 1.03 times this,
    /// to the store 0.92 to 1.08 times, lost 0.5 to 0.65 times. With 9 generations 0.88, 0.33 and 0 times, with fewer
    /// generations less still.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn overflow(&self, live: u64) -> Result<Overflow, TheoryError> {
        self.checked()?;
        let live = live as f64;
        let s = self.bucket_cells;
        let front = erlang_loss(s, live / self.front_buckets as f64);
        let back_load = live * front / self.back_buckets as f64;
        let back = erlang_loss(s, back_load);
        let carried = back_load * (1.0 - back);
        let peakedness = 1.0 - back_load * back + back_load / (f64::from(s) + 1.0 - carried);
        let cells = (f64::from(self.store_cells) / peakedness).floor() as u32;
        let store = erlang_loss(cells, live * front * back / peakedness);
        let figure = |value, formula: &str, error| {
            Figure::new(value, formula, Accuracy::approximation(error))
        };
        Ok(Overflow {
            to_back: figure(front, "Erlang loss B(s, live / front buckets)", 0.03),
            to_store: figure(
                front * back,
                "to_back * B(s, to_back live / back buckets)",
                0.08,
            ),
            lost: figure(
                front * back * store,
                "to_store * B(S / z, to_store live / z), Hayward",
                1.0,
            ),
        })
    }

    /// Probability that a key that is not stored gets the verdict seen while `live` values are stored.
    ///
    /// `1 - (1 - L0 / (B0 2^f) - LS / (B0 2^f)) (1 - L1 / (B1 2^f))` with L the values that lie in each part: those of one
    /// bucket differ in their fingerprints, since a value that matches is not stored again, and so do the store's whole
    /// positions. For ideal hash functions; the L are those of [`Dictionary::overflow`]. The stated error, of 3% and of the rate itself,
    /// is above every difference that simulation found: elements that match are not stored, so fewer are live, and with few
    /// generations fewer than that formula says go to the back table.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn false_positive_rate(&self, live: u64) -> Result<Figure, TheoryError> {
        let overflow = self.overflow(live)?;
        let (to_back, to_store) = (overflow.to_back.value, overflow.to_store.value);
        let live = live as f64;
        let fingerprint = (-f64::from(self.fingerprint_bits)).exp2();
        let (in_front, in_back) = (live * (1.0 - to_back), live * (to_back - to_store));
        let in_store = (live * to_store).min(self.store_cells.into());
        let front = (in_front + in_store) / self.front_buckets as f64 * fingerprint;
        let back = in_back / self.back_buckets as f64 * fingerprint;
        Ok(Figure::new(
            front + back - front * back,
            "1 - (1 - (L0 + LS) / (B0 2^f)) (1 - L1 / (B1 2^f)) (this project, ideal hash)",
            Accuracy::approximation(0.03 + front + back),
        ))
    }

    /// The rate that no filling of `live` values exceeds, whatever their hashes: the formula of [`Self::false_positive_rate`] with as many
    /// of them in the table with fewer buckets as it has cells. A bound, of the rate of one filter.
    ///
    /// Source: derivation of this project. Values of one bucket differ in their fingerprints, so L values of a table answer for L of
    /// its B 2^f bucket and fingerprint pairs.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn greatest_false_positive_rate(&self, live: u64) -> Result<Figure, TheoryError> {
        self.checked()?;
        let cells = |buckets: u64| buckets.saturating_mul(self.bucket_cells.into());
        let in_back = match self.back_buckets < self.front_buckets {
            true => live.min(cells(self.back_buckets)),
            // the store answers as the front table does
            false => live
                .saturating_sub(cells(self.front_buckets).saturating_add(self.store_cells.into())),
        };
        let fingerprint = (-f64::from(self.fingerprint_bits)).exp2();
        let share =
            |values: u64, buckets: u64| (values as f64 / buckets as f64 * fingerprint).min(1.0);
        let front = share(live - in_back, self.front_buckets);
        let back = share(in_back, self.back_buckets);
        Ok(Figure::new(
            front + back - front * back,
            "1 - (1 - (L0 + LS) / (B0 2^f)) (1 - L1 / (B1 2^f)), the smaller table full (this project)",
            Accuracy::bound(),
        ))
    }

    /// [`Self::false_positive_rate`], averaged over a generation of distinct elements: `live` goes from `live - generation_items` to `live`.
    /// The stated error is of 1% and of the rate itself.
    ///
    /// # Errors
    /// As [`Dictionary::checked`]; [`TheoryError::OutOfDomain`] when a generation holds more than `live`.
    pub fn mean_false_positive_rate(&self, generation_items: u64) -> Result<Figure, TheoryError> {
        let Some(least) = self.live.checked_sub(generation_items) else {
            return Err(TheoryError::domain(
                NAME,
                "generation_items",
                format!("at most {} (nearest: {0})", self.live),
                generation_items,
            ));
        };
        let middle = self.false_positive_rate((least + self.live) / 2)?;
        let ends =
            self.false_positive_rate(least)?.value + self.false_positive_rate(self.live)?.value;
        let mean = (ends + 4.0 * middle.value) / 6.0;
        Ok(Figure::new(
            mean,
            format!("mean over a generation (Simpson) of {}", middle.formula),
            Accuracy::approximation(0.01 + mean),
        ))
    }

    /// Bits of the tables and the store, each cell a fingerprint and a generation of `generation_bits`; the store keeps
    /// whole positions. Exact.
    pub fn bits(&self, generation_bits: u32) -> u64 {
        let cell = u64::from(self.fingerprint_bits + generation_bits);
        let position = u64::from(self.front_buckets.next_power_of_two().trailing_zeros());
        (self.front_buckets + self.back_buckets) * u64::from(self.bucket_cells) * cell
            + u64::from(self.store_cells) * (cell + position)
    }
}

/// Erlang's loss formula `B(cells, load)` by its recursion from no cells, which is stable.
pub(super) fn erlang_loss(cells: u32, load: f64) -> f64 {
    (1..=cells).fold(1.0, |loss, cell| {
        load * loss / (f64::from(cell) + load * loss)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erlang_loss_gives_the_values_of_the_tables() {
        // one cell: a/(1+a); ten cells at 5 Erlang and 20 at 12: published tables of Erlang B
        assert!((erlang_loss(1, 0.5) - 1.0 / 3.0).abs() < 1e-15);
        assert!((erlang_loss(10, 5.0) - 0.018_385).abs() < 5e-7);
        assert!((erlang_loss(20, 12.0) - 0.009_796).abs() < 5e-6);
    }
}
