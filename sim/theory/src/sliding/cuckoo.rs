//! The cuckoo tables in gateware: four tables of rows, first fit, exchanges, a stash.

use serde::Serialize;

use super::dictionary::erlang_loss;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::chernoff::share_exceeded_by;

const NAME: &str = "cuckoo tables of a sliding-window filter";
/// Tables, each with one row for a key.
const TABLES: u64 = 4;
/// Phases in which the elements of a generation expire.
const PHASES: u64 = 8;
const MOST_ITEMS: u64 = 1 << 40;
const MOST_IDENTITY_BITS: u32 = 62;
const MOST_ROW_CELLS: u32 = 1 << 16;
/// Relative error of [`Displacement::stashed`] and [`Displacement::moves`] with many rows, and what it grows by with 1 / rows.
const STASHED_ERROR: (f64, f64) = (0.06, 3.0);
const MOVES_ERROR: (f64, f64) = (0.12, 6.0);

/// Clocks that an agent takes for a move on average, as it fits the simulation.
const MOVE_CLOCKS: f64 = 7.0;
/// Loads between the least and the greatest over which [`CuckooTables::held`] is a mean.
const HELD_PLACES: u32 = 33;
/// Relative error of [`CuckooTables::held`].
const HELD_ERROR: f64 = 15.0;
/// Entries beyond which no queue is counted.
const MOST_ENTRIES: u32 = 10_000;

/// Sizes of a sliding-window filter on cuckoo tables.
///
/// A key's identity is one of B R values; it has a row of s cells in each of four tables. An element whose identity is not stored goes to the
/// first of its rows with an empty cell, beginning with a table that the key chooses; if all are full it is stashed, and put into one of them in
/// exchange for another element, which goes on to another of its own rows, until a row is not full. Cells are emptied by age, a generation at
/// a time, but in eight phases: an eighth of the identities changes its generation every g/8 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CuckooTables {
    /// c: generations of a window.
    pub generations: u64,
    /// g: elements of a generation.
    pub generation_items: u64,
    /// B: rows of a table, a power of two in gateware.
    pub rows: u64,
    /// s: cells of a row.
    pub row_cells: u32,
    /// S: cells of the stash.
    pub stash_cells: u32,
    /// f: bits of a fingerprint, of which there are `R = 2^f + 2^(f-v)`.
    pub fingerprint_bits: u32,
    /// v: bits of a generation number.
    pub generation_bits: u32,
}

/// What full rows cause, per insertion (an element whose identity is not stored).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Displacement {
    /// Share of rows that are full.
    pub full_rows: Figure,
    /// Share of insertions that find their four rows full, and go to the stash.
    pub stashed: Figure,
    /// Moves from the stash into a row, per insertion: exchanges, and the last of each chain into an empty cell. An attempt that the
    /// gateware abandons for an item that is on its way to the same row is not among them.
    pub moves: Figure,
}

impl CuckooTables {
    /// Checks the sizes.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when a size but `stash_cells` is 0, a fingerprint has less than 3 bits more than a generation number (the
    /// phases would not be equally probable), identities have more than 62 bits, a row has more than 65,536 cells, the window more than
    /// 2^40 elements, or more elements are live at the peak than the tables have cells or than there are identities.
    pub fn checked(self) -> Result<Self, TheoryError> {
        let sizes = [
            ("generations", self.generations),
            ("generation_items", self.generation_items),
            ("rows", self.rows),
            ("row_cells", self.row_cells.into()),
            ("fingerprint_bits", self.fingerprint_bits.into()),
            ("generation_bits", self.generation_bits.into()),
        ];
        for (name, value) in sizes {
            if value == 0 {
                return Err(TheoryError::domain(NAME, name, "at least 1", value));
            }
        }
        let most = |name, most: u64, value: u64| match value <= most {
            true => Ok(()),
            false => {
                let domain = format!("at most {most} (nearest: {most})");
                Err(TheoryError::domain(NAME, name, domain, value))
            }
        };
        most("generations", MOST_ITEMS, self.generations)?;
        most(
            "generation_items",
            MOST_ITEMS / self.generations,
            self.generation_items,
        )?;
        let row_bits = u64::from(self.rows.ilog2()) + 1;
        most("rows", 1 << 40, self.rows)?;
        most("row_cells", MOST_ROW_CELLS.into(), self.row_cells.into())?;
        most(
            "fingerprint_bits",
            u64::from(MOST_IDENTITY_BITS) - row_bits,
            self.fingerprint_bits.into(),
        )?;
        if self.fingerprint_bits < self.generation_bits.saturating_add(3) {
            let least = self.generation_bits.saturating_add(3);
            let domain = format!("at least generation_bits + 3 (nearest: {least})");
            let value = self.fingerprint_bits;
            return Err(TheoryError::domain(NAME, "fingerprint_bits", domain, value));
        }
        if self.peak_live() > self.identities() {
            let domain = format!("more than {:.0} identities", self.peak_live());
            let value = self.fingerprint_bits;
            return Err(TheoryError::domain(NAME, "fingerprint_bits", domain, value));
        }
        if self.peak_live() >= self.cells() {
            let domain = format!("more cells than {:.0} live elements", self.peak_live());
            return Err(TheoryError::domain(NAME, "rows", domain, self.rows));
        }
        Ok(self)
    }

    /// R: fingerprints.
    pub fn fingerprints(&self) -> u64 {
        let bits = self.fingerprint_bits.min(MOST_IDENTITY_BITS);
        (1 << bits) + (1 << bits.saturating_sub(self.generation_bits))
    }

    /// Cells of the four tables.
    fn cells(&self) -> f64 {
        TABLES as f64 * self.rows as f64 * f64::from(self.row_cells)
    }

    /// Elements of which those of the phase are live, by phase, where x elements of a generation have come: `c g + (x + floor(p g/8)) mod g`.
    fn live_by_phase(&self, x: u64) -> [u64; PHASES as usize] {
        let (c, g) = (self.generations, self.generation_items);
        std::array::from_fn(|phase| c * g + (x + phase as u64 * g / PHASES) % g)
    }

    /// Places in a generation at which a phase is about to change its generation; between them what is live only grows.
    fn peaks(&self) -> impl Iterator<Item = u64> + '_ {
        let g = self.generation_items;
        (0..PHASES).map(move |phase| g - 1 - phase * g / PHASES)
    }

    /// Elements live on average over a generation of distinct elements, `c g + (g - 1)/2`, within g/16 of which they stay. Exact.
    pub fn mean_live(&self) -> f64 {
        let g = self.generation_items as f64;
        self.generations as f64 * g + 0.5 * (g - 1.0)
    }

    /// Elements expected live at the moment in a generation at which they are most: `c g + 9 g / 16`, less 1 at least. Exact, for an ideal hash function.
    pub fn peak_live(&self) -> f64 {
        let mean = |x| self.live_by_phase(x).iter().sum::<u64>() as f64 / PHASES as f64;
        self.peaks().map(mean).fold(0.0, f64::max)
    }

    /// Share of cells that are live on average. Exact, but for elements in the stash and elements with equal identities, which are counted.
    pub fn load(&self) -> f64 {
        self.mean_live() / self.cells()
    }

    /// Probability that a key which is not among the last n + m elements gets the verdict seen, on average over a generation of distinct
    /// elements.
    ///
    /// Exact for an ideal hash function and a filter that has lost no element, c + 1 generations after a clear. A stored element is known by
    /// its identity, and no identity is stored twice: so a fresh key is seen exactly if its own identity is live. After an element an
    /// identity is live until its generation is more than c back, whether the element was stored or renewed what was there. So an
    /// identity of phase p is live exactly if it is that of one of the last `N = c g + (x + floor(p g/8)) mod g` elements, each of which
    /// has it with probability `1/(B R)`: `1 - (1 - 1/(B R))^N`. For every phase N takes the values from c g to c g + g - 1 equally
    /// often. To first order the rate is `(c g + g/2) / (B R)`, of which it falls short by half of itself, relatively. Elements that repeat
    /// leave fewer identities live, so that the rate is then a bound.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`].
    pub fn mean_false_positive_rate(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        let (c, g) = (self.generations as f64, self.generation_items as f64);
        let ln_miss = self.ln_miss();
        // 1 - mean of q^j over j < g: alternating sum of C(g - 1, k) / (k + 1) (B R)^-k, k from 1
        let each = self.identities().recip();
        let mut term = 1.0;
        let mut missed = 0.0;
        for k in 1..=TERMS {
            let k = f64::from(k);
            term *= -(g - k) * each / k;
            missed -= term / (k + 1.0);
        }
        let all = c * g * ln_miss;
        Ok(Figure::new(
            -all.exp_m1() + all.exp() * missed,
            "mean of 1 - (1 - 1/(B R))^(c g + j) over j from 0 to g - 1 (this project, ideal hash)",
            Accuracy::exact(1e-12),
        ))
    }

    /// The same at the moment in a generation at which most are live, about `(c g + 9 g / 16) / (B R)`.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`].
    pub fn peak_false_positive_rate(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        let ln_miss = self.ln_miss();
        let rate = |x| {
            let seen = self
                .live_by_phase(x)
                .map(|n| -(n as f64 * ln_miss).exp_m1());
            seen.iter().sum::<f64>() / PHASES as f64
        };
        Ok(Figure::new(
            self.peaks().map(rate).fold(0.0, f64::max),
            "greatest over x of the mean over p of 1 - (1 - 1/(B R))^(c g + (x + p g/8) mod g) (this project, ideal hash)",
            Accuracy::exact(1e-12),
        ))
    }

    /// A rate that one filled filter exceeds at the same moment with a probability of at most `chance`, over the elements it has.
    ///
    /// Bound: no more identities are live than elements that the phase of their identity still counts. Of the last c g each does, of the g
    /// before each with a probability of its own, independently, so that Chernoff's bound holds for their number. Derivation of this
    /// project.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`], and unless the chance lies between 0 and 1.
    pub fn peak_rate_exceeded_by(&self, chance: f64) -> Result<Figure, TheoryError> {
        self.checked()?;
        TheoryError::check_fraction(NAME, "chance", chance)?;
        let (c, g) = (self.generations as f64, self.generation_items as f64);
        let expected = self.peak_live() - c * g;
        let live = c * g + g * share_exceeded_by(g, expected / g, chance);
        let most = self.most_live().min(live);
        Ok(Figure::new(
            (most / self.identities()).min(1.0),
            format!(
                "exceeded with a probability of at most {chance}: (c g + g x) / (B R), Chernoff bound of the share x of the elements before the \
                 last c g that their phase counts (this project)"
            ),
            Accuracy::bound(),
        ))
    }

    /// The rate that no elements exceed at any moment: every one of the last `c g + g - 1` has an identity of its own, and counts.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`].
    pub fn greatest_false_positive_rate(&self) -> Result<Figure, TheoryError> {
        self.checked()?;
        Ok(Figure::new(
            (self.most_live() / self.identities()).min(1.0),
            "(c g + g - 1) / (B R): as many identities as elements that may be live (this project)",
            Accuracy::bound(),
        ))
    }

    /// Most elements that are live at a moment.
    fn most_live(&self) -> f64 {
        (self.generations * self.generation_items + self.generation_items - 1) as f64
    }

    fn identities(&self) -> f64 {
        self.rows as f64 * self.fingerprints() as f64
    }

    /// ln(1 - 1/(B R)).
    fn ln_miss(&self) -> f64 {
        (-self.identities().recip()).ln_1p()
    }

    /// What full rows cause, in the limit of many rows, with the ages of the cells of a row neglected.
    ///
    /// Let phi be the share of full rows, the same in all tables. An insertion that tries four independent rows finds the first j of them
    /// full with probability phi^j. If all four are, an element is stashed, and its chain of exchanges ends in a row that is not
    /// full, chosen as if at random. So an insertion reaches a table with `(1 + phi + phi^2 + phi^3)/4 (1 - phi)` and in the
    /// other way with `phi^4/4`: every row that is not full receives `1/(4 B (1 - phi))` elements an insertion, however many cells it
    /// has left. With cells that live L insertions each row is then a loss system at the load `a = L/(4 B (1 - phi))`, and
    /// `phi = B(s, a)` by Erlang's formula: a is the solution of `a (1 - B(s, a)) = L/(4 B)`. The first row that a stashed
    /// element visits is full as it was found, each later one with probability phi: `phi^4 (1 + 1/(1 - phi))` moves an insertion.
    ///
    /// Because of the phases L moves up and down by g/16 around its mean; the figures are means over that (Simpson).
    ///
    /// An approximation: what a displaced element finds in its other rows is not independent of what it found before, and few rows
    /// are not many. Simulated with 2048 rows of 3 to 8 cells at the greatest loads of the gateware and 1 to 24 generations: stashed 0.95
    /// to 1.05 times this, moves 0.95 to 1.12 times (1.04 from 2 generations on). Few rows cause less, since elements in the stash are missing in them: at 64 rows 0.93 and 0.88
    /// times with ten items between two attempts of an element, at 16 rows 0.81 and 0.66 times. The stated errors are 6 % + 3/B and 12 % + 6/B.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`].
    pub fn displacement(&self) -> Result<Displacement, TheoryError> {
        self.checked()?;
        let places = [-1.0, 0.0, 1.0].map(|place| self.full_rows(place));
        let mean = |of: fn(f64) -> f64| {
            let [low, middle, high] = places.map(of);
            (low + 4.0 * middle + high) / 6.0
        };
        let error = |(limit, by_rows): (f64, f64)| {
            Accuracy::approximation(limit + by_rows / self.rows as f64)
        };
        Ok(Displacement {
            full_rows: Figure::new(
                mean(|phi| phi),
                "phi = B(s, a), a (1 - B(s, a)) = live / (4 B), Erlang loss (this project)",
                error(STASHED_ERROR),
            ),
            stashed: Figure::new(
                mean(stashed),
                "phi^4, phi = B(s, a), a (1 - B(s, a)) = live / (4 B), Erlang loss (this project)",
                error(STASHED_ERROR),
            ),
            moves: Figure::new(
                mean(moves),
                "phi^4 (1 + 1 / (1 - phi)), phi as for the stashed (this project)",
                error(MOVES_ERROR),
            ),
        })
    }

    /// Share of full rows where the elements live are at a place, from -1 to 1, between their least and their most: g/16 about the mean.
    fn full_rows(&self, place: f64) -> f64 {
        let live = self.mean_live() + place * self.generation_items as f64 / 16.0;
        full_share(self.row_cells, live / (TABLES as f64 * self.rows as f64))
    }

    /// Share of clocks in which a saturated stream of distinct elements is held because more than `limit` entries of the stash are used.
    ///
    /// Each table's agent is taken as a birth-death chain (M/M/1) with the utilisation `u = T moves / 4`, T = 7 clocks a move, of which the
    /// gateware needs five where nothing keeps its agent waiting. Entries in use are the sum of four such chains, a negative binomial number:
    /// `1 - (1 - u)^4 sum_k C(k + 3, 3) u^k`, k up to the limit, or 1 - 1/u where agents do not keep up; mean over the loads between the least
    /// and the greatest.
    ///
    /// A rough estimate, meant to tell a stream that is held now and then from one that is held often: measured clock by clock between
    /// 1/10000 and 0.14, it is 0.1 to 8 times what was found. It leaves out the scan, which takes turns with the moves.
    ///
    /// # Errors
    /// As [`CuckooTables::checked`].
    pub fn held(&self, limit: u32) -> Result<Figure, TheoryError> {
        self.checked()?;
        let at = |place: u32| {
            let place = 2.0 * (f64::from(place) + 0.5) / f64::from(HELD_PLACES) - 1.0;
            held_share(
                moves(self.full_rows(place)) * MOVE_CLOCKS / TABLES as f64,
                limit,
            )
        };
        Ok(Figure::new(
            (0..HELD_PLACES).map(at).sum::<f64>() / f64::from(HELD_PLACES),
            "P(sum of four M/M/1 queues > limit) at the utilisation 7 moves / 4, 1 - 1/utilisation above 1 (this project)",
            Accuracy::approximation(HELD_ERROR),
        ))
    }

    /// Bits of the tables, whose cells have f + v, and of the stash: an entry holds a row, a fingerprint unabridged (f + 1 bits), a
    /// generation and the number of a table. Exact; the flags of an entry are not counted.
    pub fn bits(&self) -> u64 {
        let cell = u64::from(self.fingerprint_bits) + u64::from(self.generation_bits);
        let row = u64::from(self.rows.max(1).next_power_of_two().trailing_zeros());
        let table = u64::from(TABLES.trailing_zeros());
        let cells = TABLES
            .saturating_mul(self.rows)
            .saturating_mul(self.row_cells.into());
        cells
            .saturating_mul(cell)
            .saturating_add(u64::from(self.stash_cells) * (row + cell + 1 + table))
    }
}

/// Terms of an alternating series whose ratio is below 1/k.
const TERMS: u32 = 24;

fn stashed(phi: f64) -> f64 {
    phi.powi(TABLES as i32)
}

fn moves(phi: f64) -> f64 {
    stashed(phi) * (1.0 + (1.0 - phi).recip())
}

/// Probability that four M/M/1 queues at a utilisation hold more than `limit` together; the share that they turn away where it is above 1.
fn held_share(utilisation: f64, limit: u32) -> f64 {
    if utilisation >= 1.0 {
        return 1.0 - utilisation.recip();
    }
    let mut term = (1.0 - utilisation).powi(TABLES as i32);
    let mut within = term;
    for entries in 1..=limit.min(MOST_ENTRIES) {
        let entries = f64::from(entries);
        term *= utilisation * (entries + TABLES as f64 - 1.0) / entries;
        within += term;
    }
    (1.0 - within).max(0.0)
}

/// `B(cells, a)` where `a (1 - B(cells, a)) = carried`: the share of time in which all cells are taken of a system that carries so much.
fn full_share(cells: u32, carried: f64) -> f64 {
    let carried = carried.clamp(0.0, f64::from(cells) * (1.0 - 1e-9));
    let carries = |load: f64| load * (1.0 - erlang_loss(cells, load));
    let (mut low, mut high) = (carried, carried.max(1.0));
    while carries(high) < carried {
        high *= 2.0;
    }
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        match carries(middle) < carried {
            true => low = middle,
            false => high = middle,
        }
    }
    erlang_loss(cells, high)
}

/// Halvings that bring an interval below the spacing of doubles.
const BISECTIONS: u32 = 60;
