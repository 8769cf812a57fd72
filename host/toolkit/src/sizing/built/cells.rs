//! The smallest static filters, counting filters and Count-Min sketches that can be built.

use super::{specification, Built, Form};
use crate::sizing::{CountMin, Counting, Sheet, SizeError, Static};
use bloomline_spec::{CountMinSection, CountingSection, FilterKind, Hashing, Layout};
use bloomline_theory::cells::{
    check_two_hash_floor, Draw, PartitionedCounting, PartitionedStatic, Partitions, Rows,
    SharedArray, WindowedCounting,
};
use bloomline_theory::{sizing, TheoryError};

/// Most hashes that a search tries.
const MOST_HASHES: u32 = 16;
/// Most rows that a search in a given number of copies tries: as many as a filter may have.
const MOST_GIVEN_ROWS: u32 = 32;
/// Least memory words of a bank, and their bits.
const LEAST_BANK_BITS: u64 = 8 * 32;
/// Data bits that a filter stays below.
const MOST_BITS: u64 = u32::MAX as u64;

/// Banks of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Banks {
    hashes: u32,
    cells: u64,
    cell_bits: u64,
    hashing: Hashing,
}

impl Banks {
    fn bits(&self) -> u64 {
        u64::from(self.hashes) * self.cells * self.cell_bits
    }

    fn partitions(&self) -> Result<Partitions, TheoryError> {
        let hashing = match self.hashing {
            Hashing::Independent => sizing::Hashing::Independent,
            _ => sizing::Hashing::Double,
        };
        Partitions::new(self.cells, self.hashes, hashing)
    }

    /// Those of that many hashes, by rising size, as long as they can be built and have at most `most` bits.
    fn of(hashes: u32, cell_bits: u64, hashing: Hashing, most: u64) -> Vec<Banks> {
        let least = (LEAST_BANK_BITS / cell_bits.next_power_of_two()).max(8);
        let banks = |log: u32| Banks {
            hashes,
            cells: 1 << log,
            cell_bits,
            hashing,
        };
        let sizes = (least.ilog2()..=32).map(banks);
        sizes
            .take_while(|banks| banks.bits() <= most.min(MOST_BITS))
            .collect()
    }
}

/// What is predicted of banks: the rate to be kept, and what two hash functions put under the rate that their floor is judged by.
struct Rate {
    kept: f64,
    judged: f64,
    excess: f64,
}

/// A rate by partitions.
type RateOf<'a> = &'a dyn Fn(Partitions) -> Result<Rate, TheoryError>;

impl Rate {
    fn of(banks: &Banks, rate_of: RateOf<'_>) -> Option<Rate> {
        rate_of(banks.partitions().ok()?).ok()
    }

    fn floor_is_low(&self) -> bool {
        check_two_hash_floor(self.excess, self.judged).is_ok()
    }
}

/// The numbers of hashes to try: the given one, or 1 to 16.
fn tried(hashes: Option<u64>) -> impl Iterator<Item = u32> + Clone {
    let (least, most) = match hashes {
        Some(hashes) => (hashes as u32, hashes as u32),
        None => (1, MOST_HASHES),
    };
    least..=most
}

/// Two functions first; k functions where they are better.
const HASHING: [Hashing; 2] = [Hashing::Double, Hashing::Independent];

/// The banks with the fewest bits that keep `rate`: with k functions where two take more, or put too high a floor under the rate.
fn smallest(hashes: Option<u64>, cell_bits: u64, rate: f64, rate_of: RateOf<'_>) -> Option<Banks> {
    let by_hashing = HASHING.into_iter().filter_map(|hashing| {
        let best = tried(hashes).filter_map(|hashes| {
            let sizes = Banks::of(hashes, cell_bits, hashing, MOST_BITS);
            let keeps = |banks: &Banks| Rate::of(banks, rate_of).is_some_and(|r| r.kept <= rate);
            let banks = *sizes.get(sizes.partition_point(|banks| !keeps(banks)))?;
            Rate::of(&banks, rate_of)?.floor_is_low().then_some(banks)
        });
        best.min_by_key(Banks::bits)
    });
    by_hashing.min_by_key(Banks::bits)
}

/// The banks of at most `most` bits with the lowest rate: with k functions where two come to a rate above theirs by more than the floor
/// that is accepted.
fn best_within(
    hashes: Option<u64>,
    cell_bits: u64,
    most: u64,
    rate_of: RateOf<'_>,
) -> Option<Banks> {
    let by_hashing = HASHING.into_iter().filter_map(|hashing| {
        let rates = tried(hashes).filter_map(|hashes| {
            let banks = *Banks::of(hashes, cell_bits, hashing, most).last()?;
            let rate = Rate::of(&banks, rate_of)?;
            rate.floor_is_low().then_some((banks, rate.kept))
        });
        rates.min_by(|a, b| a.1.total_cmp(&b.1))
    });
    let better = |best: (Banks, f64), other: (Banks, f64)| {
        let excess = best.1 - other.1;
        match check_two_hash_floor(excess, best.1) {
            Ok(()) => best,
            Err(_) => other,
        }
    };
    by_hashing.reduce(better).map(|(banks, _)| banks)
}

fn static_rate(partitions: Partitions, items: u64) -> Result<Rate, TheoryError> {
    let filter = PartitionedStatic::new(partitions, items)?;
    let rate = filter.rate().value;
    Ok(Rate {
        kept: rate,
        judged: rate,
        excess: filter.two_hash_excess().value,
    })
}

impl Static {
    /// The smallest filter that can be built, of at most `bits` where they are given; distinct positions take the shared layout.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        SizeError::unless_share("rate", self.rate)?;
        // before the exact rates, which take long with so many
        if let Some(hashes) = self
            .hashes
            .filter(|hashes| *hashes > u64::from(MOST_HASHES))
        {
            return Err(SizeError::TooManyHashes { hashes });
        }
        let paper = self.clone().sheet()?;
        let wants = Sheet::new("Static filter: a set of keys, until it is cleared");
        let wants = self.bits.map_or(wants.clone(), |bits| {
            wants.whole("most_bits", bits, "bits", "given")
        });
        let (items, wants) = match (self.items, self.rate, self.bits) {
            (Some(items), _, _) => (items, wants.whole("items", items, "", "given")),
            (None, Some(rate), Some(bits)) => {
                let items = self.most_items(bits, rate)?;
                (
                    items,
                    wants.whole("items", items, "", "most that can be stored at the rate"),
                )
            }
            _ => return Err(SizeError::TwoOfThree),
        };
        let wants = match self.rate {
            Some(rate) => wants.given("target_fpr", rate),
            None => wants,
        };
        let (kind, fpr) = (
            FilterKind::Static,
            ["fpr", "bits_per_item", "efficiency", "fill"],
        );
        if self.distinct {
            let (hashes, bits) = self.one_array(items)?;
            let mut spec = specification(form, kind, bits, hashes)?;
            spec.filter.layout = Layout::Shared;
            spec.filter.hashing = Hashing::Independent;
            spec.filter.distinct = true;
            spec.filter.items = Some(items);
            return Built::new(spec, wants, self.bits.is_some(), &fpr, Some(&paper));
        }
        let rate_of = |partitions| static_rate(partitions, items);
        let found = match (self.bits, self.rate) {
            (None, Some(rate)) => smallest(self.hashes, 1, rate, &rate_of),
            (bits, _) => best_within(self.hashes, 1, bits.unwrap_or(MOST_BITS), &rate_of),
        };
        let banks = found.ok_or_else(|| self.not_buildable())?;
        let mut spec = specification(form, kind, banks.bits(), banks.hashes)?;
        spec.filter.hashing = banks.hashing;
        spec.filter.items = Some(items);
        let mut built = Built::new(spec, wants, self.bits.is_some(), &fpr, Some(&paper))?;
        let most = self.rate.filter(|_| self.bits.is_none());
        let smaller = most.and_then(|most| self.smaller_array(items, most, banks.bits()));
        let Some((hashes, bits)) = smaller else {
            return Ok(built);
        };
        let formula = format!(
            "one array (filter.layout = \"shared\", hashing = \"independent\"), k = {hashes}, takes an item in {hashes} clock cycles"
        );
        built.sheet = built
            .sheet
            .whole("shared_memory_bits", bits, "bits", &formula);
        Ok(built)
    }

    /// Hashes and bits of the smallest array of independent positions that keeps the rate in less than so many bits.
    fn smaller_array(&self, items: u64, most: f64, bits: u64) -> Option<(u32, u64)> {
        let keeps = |hashes: u32, bits: u64| {
            let rate = SharedArray::new(bits, hashes, Draw::Independent)
                .ok()?
                .rate(items)
                .ok()?;
            (rate.value <= most).then_some((hashes, bits))
        };
        let sizes = (LEAST_BANK_BITS.ilog2()..bits.next_power_of_two().ilog2()).rev();
        // where a size does not keep it, no smaller one does
        sizes
            .map_while(|log| tried(self.hashes).find_map(|hashes| keeps(hashes, 1 << log)))
            .last()
    }

    /// The most items that some banks of at most so many bits hold at the rate.
    fn most_items(&self, bits: u64, rate: f64) -> Result<u64, SizeError> {
        if self.distinct {
            let arrays = tried(self.hashes).filter_map(|hashes| {
                let array = SharedArray::new(floor_power(bits), hashes, Draw::Distinct).ok()?;
                array.most_items(rate).ok()
            });
            let items = arrays.map(|items| items.value as u64).max();
            return self.at_least_one(items);
        }
        let items = tried(self.hashes).filter_map(|hashes| {
            let banks = *Banks::of(hashes, 1, Hashing::Double, bits).last()?;
            let items = PartitionedStatic::most_items(banks.partitions().ok()?, rate).ok()?;
            let rate = Rate::of(&banks, &|partitions| {
                static_rate(partitions, items.value as u64)
            })?;
            rate.floor_is_low().then_some(items.value as u64)
        });
        self.at_least_one(items.max())
    }

    fn at_least_one(&self, items: Option<u64>) -> Result<u64, SizeError> {
        items
            .filter(|items| *items > 0)
            .ok_or_else(|| self.not_buildable())
    }

    fn not_buildable(&self) -> SizeError {
        let items = self.items.map(|items| items.to_string());
        let rate = self.rate.map(|rate| format!("{rate:?}"));
        let bits = self.bits.map(|bits| bits.to_string());
        let hashes = self.hashes.map(|hashes| hashes.to_string());
        let given = [
            ("--bits", bits, Some("give more bits")),
            // with a memory, any number of items can be stored at some rate
            (
                "--items",
                items,
                self.bits.is_none().then_some("ask for fewer items"),
            ),
            ("--rate", rate, Some("ask for a higher rate")),
            ("--hashes", hashes, Some("leave out --hashes")),
        ];
        SizeError::not_buildable(&given, Some("static"))
    }

    /// Hashes and bits of one array with distinct positions.
    fn one_array(&self, items: u64) -> Result<(u32, u64), SizeError> {
        let rate_of = |hashes: u32, bits: u64| {
            let array = SharedArray::new(bits, hashes, Draw::Distinct).ok()?;
            Some(array.rate(items).ok()?.value)
        };
        let logs = match self.bits {
            Some(bits) if bits < LEAST_BANK_BITS => return Err(SizeError::Option {
                option: "--bits",
                value: bits.to_string(),
                rule: format!("an array that can be built has at least {LEAST_BANK_BITS} bits"),
                advice: "give more bits, or see the papers' number with `bloomline size static ... --theory`".to_owned(),
            }),
            Some(bits) => floor_power(bits).ilog2()..=floor_power(bits).ilog2(),
            None => 8..=31,
        };
        for log in logs {
            let rates = tried(self.hashes).filter_map(|k| Some((k, rate_of(k, 1 << log)?)));
            let best = rates.min_by(|a, b| a.1.total_cmp(&b.1));
            match (best, self.bits, self.rate) {
                (Some((hashes, _)), Some(_), _) => return Ok((hashes, 1 << log)),
                (Some((hashes, rate)), None, Some(most)) if rate <= most => {
                    return Ok((hashes, 1 << log))
                }
                _ => (),
            }
        }
        Err(self.not_buildable())
    }
}

fn floor_power(bits: u64) -> u64 {
    1 << bits.max(1).ilog2()
}

impl Counting {
    /// The smallest filter that can be built, of at most `counters` where they are given.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        SizeError::unless_share("rate", self.rate)?;
        let (threshold, count) = (self.threshold, self.true_count);
        SizeError::unless(
            (1..1 << 16).contains(&threshold),
            "threshold",
            threshold,
            "from 1 to 65535, since a counter has at most 16 bits",
        )?;
        let counter_bits = super::super::counting::counter_bits(threshold).clamp(2, 64);
        let mut spec = specification(form, FilterKind::Counting, 0, 1)?;
        spec.filter.items = Some(self.insertions).filter(|_| !self.window);
        spec.filter.counting = Some(CountingSection {
            counter_bits,
            threshold,
            window: Some(self.insertions).filter(|_| self.window),
        });
        let paper = match self.window {
            true => {
                spec.counting_window()?;
                // so that what lies outside the law's domain is told as that, and not as a filter that cannot be built
                let any = Partitions::new(8, 1, sizing::Hashing::Independent)?;
                WindowedCounting::new(any, self.insertions, threshold)?.reported(count, 0)?;
                None
            }
            false => Some(self.clone().sheet()?),
        };
        let panes = 1 + u64::from(self.window);
        let rate_of = |partitions: Partitions| {
            if self.window {
                return window_rate(partitions, self.insertions, (threshold, count));
            }
            let filter = PartitionedCounting::new(partitions, self.insertions, threshold)?;
            Ok(Rate {
                kept: filter.reported(count)?.value,
                judged: filter.reported(threshold - 1)?.value,
                excess: filter.two_hash_excess(threshold - 1)?.value,
            })
        };
        let found = match (self.counters, self.rate) {
            (Some(counters), _) => {
                let bits = counters / panes * counter_bits;
                best_within(self.hashes, counter_bits, bits, &rate_of)
            }
            (None, Some(rate)) => smallest(self.hashes, counter_bits, rate, &rate_of),
            (None, None) => return Err(SizeError::CountersOrRate),
        };
        let banks = found.ok_or_else(|| self.not_buildable())?;
        let (over, word) = match self.window {
            true => (" within the window", "window"),
            false => ("", "insertions"),
        };
        let wants = Sheet::new(format!(
            "Counting filter: reports a key from its occurrence number {threshold} on{over}"
        ))
        .whole(word, self.insertions, "", "given")
        .whole("threshold", threshold, "", "given")
        .whole("true_count", count, "", "given");
        let wants = match self.rate {
            Some(rate) => wants.given("target_rate", rate),
            None => wants,
        };
        spec.filter.memory_bits = panes * banks.bits();
        spec.filter.hashes = banks.hashes.into();
        spec.filter.hashing = banks.hashing;
        let rates = [
            "false_report_absent",
            "false_report_new",
            "false_report_one_short",
            "false_report_one_short_full",
        ];
        Built::new(spec, wants, self.counters.is_some(), &rates, paper.as_ref())
    }
}

impl Counting {
    fn not_buildable(&self) -> SizeError {
        let (option, theory) = match self.window {
            true => ("--window", None),
            false => ("--insertions", Some("counting")),
        };
        let text = |number: Option<u64>| number.map(|number| number.to_string());
        // with so many counters, any number of insertions has some rate
        let fewer = match (self.counters, self.window) {
            (Some(_), _) => None,
            (None, true) => Some("ask for a shorter window"),
            (None, false) => Some("ask for fewer insertions"),
        };
        let given = [
            (option, Some(self.insertions.to_string()), fewer),
            ("--threshold", Some(self.threshold.to_string()), None),
            (
                "--true-count",
                text(Some(self.true_count).filter(|count| *count > 0)),
                None,
            ),
            (
                "--counters",
                text(self.counters),
                Some("give more counters"),
            ),
            (
                "--rate",
                self.rate.map(|rate| format!("{rate:?}")),
                Some("ask for a higher rate"),
            ),
            ("--hashes", text(self.hashes), Some("leave out --hashes")),
        ];
        SizeError::not_buildable(&given, theory)
    }
}

/// The rates of a filter over a window at the last arrival before its panes turn.
fn window_rate(
    partitions: Partitions,
    window: u64,
    (threshold, count): (u64, u64),
) -> Result<Rate, TheoryError> {
    let filter = WindowedCounting::new(partitions, window, threshold)?;
    let independent = Partitions::new(
        partitions.range(),
        partitions.hashes(),
        sizing::Hashing::Independent,
    )?;
    let plain = WindowedCounting::new(independent, window, threshold)?;
    let judged = filter.reported(threshold - 1, window - 1)?.value;
    Ok(Rate {
        kept: filter.reported(count, window - 1)?.value,
        judged,
        excess: (judged - plain.reported(threshold - 1, window - 1)?.value).max(0.0),
    })
}

/// What a sized sketch counts, where the wants leave it open.
#[derive(Debug, Clone, PartialEq)]
pub struct Amounts {
    /// Sum of all amounts between two clears.
    pub total: u64,
    /// Bits of a counter.
    pub counter_bits: u64,
    /// Bits of the amount of an item; 16 unless given, or as many as narrower counters have.
    pub amount_bits: Option<u64>,
}

impl Default for Amounts {
    fn default() -> Amounts {
        Amounts {
            total: 100_000_000,
            counter_bits: 32,
            amount_bits: None,
        }
    }
}

impl CountMin {
    /// The smallest sketch that can be built; it reports keys from the error times the total on.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn built(self, form: &Form, amounts: &Amounts) -> Result<Built, SizeError> {
        let counter = amounts.counter_bits;
        let amount = amounts.amount_bits.unwrap_or(counter.min(16));
        SizeError::unless(
            (8..=32).contains(&counter),
            "counter_bits",
            counter,
            "from 8 to 32",
        )?;
        SizeError::unless(
            (1..=32).contains(&amount),
            "amount_bits",
            amount,
            "from 1 to 32",
        )?;
        SizeError::unless(amounts.total > 0, "total", amounts.total, "1 or more")?;
        let paper = self.clone().sheet()?;
        self.unless_full(amounts)?;
        let total = amounts.total;
        let (banks, copies) = self
            .smallest(self.copies, amounts, self.copies.is_none())
            .ok_or_else(|| self.not_buildable(amounts))?;
        let wants = Sheet::new("Count-Min sketch: estimates how much each key brought")
            .given("error", self.error)
            .given("failure", self.failure)
            .whole("total", total, "amount", "given, or the default");
        let wants = match (self.copies, copies) {
            (Some(given), _) => wants.whole("copies", given.into(), "", "given"),
            (None, 1) => {
                let wants = wants.whole("copies", 1, "", "no more copies take less memory");
                match self.smallest(None, amounts, false) {
                    Some((two, copies)) if banks.hashing == Hashing::Independent => {
                        let in_copies = match copies {
                            1 => "smallest with two functions for all rows: --copies 1".to_owned(),
                            _ => format!("smallest with two functions a copy: --copies {copies}"),
                        };
                        wants.whole("memory_bits_two_functions", two.bits(), "bits", &in_copies)
                    }
                    _ => wants,
                }
            }
            (None, _) => {
                let wants = wants.whole(
                    "copies",
                    copies.into(),
                    "",
                    "the number that takes the least memory",
                );
                match self.smallest(Some(1), amounts, false) {
                    Some((one, _)) => wants.whole(
                        "memory_bits_one_copy",
                        one.bits(),
                        "bits",
                        "smallest with two functions for all rows",
                    ),
                    None => wants,
                }
            }
        };
        let (functions, why) = match (banks.hashes, banks.hashing) {
            (1, _) => (1, "hash functions: one for the only row"),
            (rows, Hashing::Independent) => (rows.into(), "hash functions: one a row"),
            _ => (2 * u64::from(copies), "hash functions: two a copy"),
        };
        let wants = wants.whole("functions", functions, "", why);
        let mut spec = specification(form, FilterKind::CountMin, banks.bits(), banks.hashes)?;
        spec.filter.hashing = banks.hashing;
        spec.filter.copies = copies.into();
        spec.filter.items = Some(total);
        let greatest = (1u64 << amounts.counter_bits) - 1;
        spec.filter.count_min = Some(CountMinSection {
            counter_bits: amounts.counter_bits,
            amount_bits: amount,
            threshold: Some(((self.error * total as f64).ceil() as u64).clamp(1, greatest)),
        });
        let errors = ["row_error", "error_1pct", "epsilon_1pct", "false_report"];
        Built::new(spec, wants, false, &errors, Some(&paper))
    }

    /// An error of eps N is told only by counters that hold as much.
    fn unless_full(&self, amounts: &Amounts) -> Result<(), SizeError> {
        let (error, bits) = (self.error * amounts.total as f64, amounts.counter_bits);
        let full = |bits: u64| error >= (bits as f64).exp2() - 1.0;
        if !full(bits) {
            return Ok(());
        }
        let enough = (bits..=32).find(|bits| !full(*bits));
        Err(SizeError::Option {
            option: "--counter-bits",
            value: bits.to_string(),
            rule: format!(
                "counters hold {} at most, and estimates may be {error:.0} too high (--error times --total): most would be full",
                (1u64 << bits) - 1
            ),
            advice: match enough {
                Some(enough) => format!("take --counter-bits {enough} or more, or a smaller --total"),
                None => "ask for a smaller --error or --total".to_owned(),
            },
        })
    }

    fn not_buildable(&self, amounts: &Amounts) -> SizeError {
        let copies = self.copies.map(|copies| copies.to_string());
        // at 8 bits there are none narrower
        let narrower = amounts.counter_bits > 8;
        let given = [
            (
                "--error",
                Some(format!("{:?}", self.error)),
                Some("ask for a larger error"),
            ),
            (
                "--failure",
                Some(format!("{:?}", self.failure)),
                Some("ask for a larger probability"),
            ),
            ("--copies", copies, Some("leave out --copies")),
            (
                "--counter-bits",
                narrower.then(|| amounts.counter_bits.to_string()),
                Some("take narrower counters"),
            ),
        ];
        SizeError::not_buildable(&given, Some("count-min"))
    }

    /// The banks with the fewest bits that keep the failure probability, of equals those with the fewest copies and then rows,
    /// and their copies; `independent`: one copy with a function a row is looked at, too.
    fn smallest(
        &self,
        copies: Option<u32>,
        amounts: &Amounts,
        independent: bool,
    ) -> Option<(Banks, u32)> {
        let most = match copies {
            Some(_) => MOST_GIVEN_ROWS,
            None => MOST_HASHES,
        };
        let divided = |rows: u32| {
            (1..=(rows / 2).max(1)).filter(move |it| {
                rows.is_multiple_of(*it) && copies.is_none_or(|copies| copies == *it)
            })
        };
        let fails = |banks: &Banks, copies| {
            let rows = Rows::new(banks.partitions().ok()?, amounts.total).ok()?;
            let bound = rows.in_copies(copies).ok()?.failure_bound(self.error);
            Some(bound.ok()?.value)
        };
        let independent = (1..=most)
            .filter(|_| independent)
            .map(|rows| (rows, 1, Hashing::Independent));
        (1..=most)
            .flat_map(|rows| divided(rows).map(move |copies| (rows, copies, Hashing::Double)))
            .chain(independent)
            .filter_map(|(rows, copies, hashing)| {
                let sizes = Banks::of(rows, amounts.counter_bits, hashing, MOST_BITS);
                let keeps =
                    |banks: &Banks| fails(banks, copies).is_some_and(|it| it <= self.failure);
                let banks = *sizes.get(sizes.partition_point(|banks| !keeps(banks)))?;
                Some((banks, copies))
            })
            .min_by_key(|(banks, copies)| (banks.bits(), *copies, banks.hashes))
    }
}
