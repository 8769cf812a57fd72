//! The dictionary in gateware: two tables of bins and a small store, first fit.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::tail::binomial;

const NAME: &str = "sliding-window dictionary";

/// Sizes of the dictionary of a sliding-window filter.
///
/// A value goes to the first empty cell of: the s cells of its front bucket, the s cells of its back bucket, the S cells
/// of the store. Cells are emptied by age alone, at most [`Dictionary::live`] values are stored at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dictionary {
    /// Values stored at most, `n' = (c + 1) g`.
    pub live: u64,
    /// g: values of a generation. The cells of the oldest generation are emptied at once, when a new one begins.
    pub generation_items: u64,
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

/// What becomes of a value that is not yet stored, as shares of insertions under a steady load.
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
    /// [`TheoryError::OutOfDomain`] when a size is 0, a generation holds more than `live` or fingerprints have more than 62 bits.
    pub fn checked(self) -> Result<Self, TheoryError> {
        let sizes = [
            ("live", self.live),
            ("generation_items", self.generation_items),
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
        if self.generation_items > self.live {
            return Err(TheoryError::domain(
                NAME,
                "generation_items",
                format!("at most {} (nearest: {0})", self.live),
                self.generation_items,
            ));
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
    /// An approximation. Simulated with the load nearly constant (64 generations): to the back table 0.97 to 1.03 times this,
    /// to the store 0.92 to 1.08 times, lost 0.5 to 1.1 times.
    ///
    /// Generations do not end one element at a time but at once, so the load rises by g and falls. Averaged over whole generations the shares
    /// were below those at the greatest load, [`Dictionary::live`], wherever they were simulated: 1 to 64 generations, 2 to 8 cells, 2 to 8
    /// values a front bucket. The last insertions of a generation find more buckets full than a steady load would leave them, since the lighter load
    /// before them filled the front table: up to 1.9 times this went to the back table, up to 2.1 times to the store.
    /// [`Self::most_to_back`] bounds them.
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

    /// Share of insertions whose front bucket is full, averaged over whole generations: Erlang's formula (see [`Self::overflow`]) over the loads
    /// from `live - g` to `live`.
    ///
    /// An approximation. Its error has two parts, held against simulations of 1 to 64 generations, 2 to 8 cells and 1.5 to 16 values a front
    /// bucket: a bucket goes into a generation fuller than a steady load leaves it, up to 0.35/c more of the insertions for c generations a window
    /// (0.4/c is stated); and `live` values are not Poisson over few buckets, which makes it less, by up to `s^2 / (2 live)`.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn mean_to_back(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        let (live, items) = (self.live as f64, self.generation_items as f64);
        let loss = |stored: f64| erlang_loss(self.bucket_cells, stored / self.front_buckets as f64);
        let mean = simpson(|share| loss(live - items * (1.0 - share)));
        let error = self.generations_error() + f64::from(self.bucket_cells).powi(2) / (2.0 * live);
        Ok(Figure::new(
            mean,
            "mean over a generation of Erlang loss B(s, stored / front buckets)",
            Accuracy::approximation(error.min(1.0)),
        ))
    }

    /// Share of insertions whose front bucket is full, at any moment: `P(Binomial(live - 1, 1/front buckets) >= s)`.
    ///
    /// A bound for any stream and an ideal hash function. The s cells of a full bucket hold different values whose generations are live, all of this front
    /// bucket; besides the value that comes there are at most `live - 1` such values, whatever was stored and emptied before.
    ///
    /// Source: derivation of this project.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn most_to_back(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        let (others, cells) = (self.live - 1, u64::from(self.bucket_cells));
        let share = match self.front_buckets {
            1 => f64::from(u8::from(others >= cells)),
            buckets => binomial(others, buckets, cells).value(),
        };
        Ok(Figure::new(
            share,
            "P(Binomial(n' - 1, 1 / front buckets) >= s)",
            Accuracy::bound(),
        ))
    }

    /// What batches of a generation add to Erlang's mean over its loads, at most, as a share of it.
    fn generations_error(&self) -> f64 {
        let rest = (self.live - self.generation_items) as f64;
        (0.4 * self.generation_items as f64 / rest).min(1.0)
    }

    /// Probability that a key that is not stored gets the verdict seen while `live` values are stored.
    ///
    /// `1 - (1 - L0 / (B0 2^f) - LS / (B0 2^f)) (1 - L1 / (B1 2^f))` with L the values that lie in each part: those of one
    /// bucket differ in their fingerprints, since a value that matches is not stored again, and so do the store's whole
    /// positions. For ideal hash functions. The values stored came over whole generations, so a share [`Self::mean_to_back`] of them went to the
    /// back table, and of these a share `B(s, L1 / B1)` to the store.
    ///
    /// The stated error is the sum of what the error of that share moves between the tables, of half the store's share, of 1%, and of the rate itself
    /// (elements that match are not stored, so fewer are live). It is above every difference that simulation found.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn false_positive_rate(&self, live: u64) -> Result<Figure, TheoryError> {
        let share = self.mean_to_back()?;
        let live = live as f64;
        let (front_buckets, back_buckets) = (self.front_buckets as f64, self.back_buckets as f64);
        let to_back = live * share.value;
        let full = erlang_loss(
            self.bucket_cells,
            self.live as f64 * share.value / back_buckets,
        );
        let to_store = to_back * full;
        let in_store = to_store.min(self.store_cells.into());
        let fingerprint = (-f64::from(self.fingerprint_bits)).exp2();
        let front = (live - to_back + in_store) / front_buckets * fingerprint;
        let back = (to_back - to_store) / back_buckets * fingerprint;
        let moved = (1.0 / back_buckets - 1.0 / front_buckets).abs();
        let doubtful =
            to_back * share.accuracy.relative_error * moved + to_store / (2.0 * back_buckets);
        let error = 0.01 + doubtful * fingerprint / (front + back).max(f64::MIN_POSITIVE);
        Ok(Figure::new(
            front + back - front * back,
            "1 - (1 - (L0 + LS) / (B0 2^f)) (1 - L1 / (B1 2^f)) (this project, ideal hash)",
            Accuracy::approximation(error + front + back),
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

    /// [`Self::false_positive_rate`], averaged over a generation of distinct elements, while the values stored rise from `live - g` to `live`.
    ///
    /// # Errors
    /// As [`Dictionary::checked`].
    pub fn mean_false_positive_rate(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        // linear in what is stored, but for a product that is below the stated error
        let twice = 2 * self.live - self.generation_items;
        let middle = self.false_positive_rate(twice / 2)?;
        let next = self.false_positive_rate(twice.div_ceil(2))?;
        Ok(Figure::new(
            (middle.value + next.value) / 2.0,
            format!(
                "with n' - g/2 distinct elements live, the mean over a generation: {}",
                middle.formula
            ),
            middle.accuracy,
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

/// Mean of a smooth function of a share, from 0 to 1: Simpson's rule in eight steps.
fn simpson(of: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 8;
    let weighted = (0..=STEPS).map(|step| {
        let weight = match step {
            0 | STEPS => 1.0,
            step if step % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * of(f64::from(step) / f64::from(STEPS))
    });
    weighted.sum::<f64>() / f64::from(3 * STEPS)
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
