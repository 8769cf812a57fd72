//! Efficiency `eps = n/m log2(1/p)`: the share of the bits that a filter puts to use (OCC 4).

use serde::Serialize;

use super::filter::{Probes, StaticFilter, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::{first_true, minimum};

/// The most efficient number of items for given bits and hashes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Peak {
    /// n at the peak, the smallest of equals.
    pub items: u64,
    /// The efficiency there.
    pub efficiency: Figure,
}

/// Where k and k + 1 hashes are equally efficient, and worst beside other k.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Valley {
    /// The fewest items at which k hashes are as good as k + 1, exactly.
    pub items: u64,
    /// Items a bit, n/m, by the estimate.
    pub items_per_bit: Figure,
    /// The efficiency of k hashes there, exactly.
    pub efficiency: Figure,
}

impl StaticFilter {
    /// The efficiency `n/m log2(1/p)` from the exact rate (OCC 69, 70).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] without items; [`TheoryError::TooLarge`] when it would take more than seconds.
    pub fn efficiency(&self) -> Result<Figure, TheoryError> {
        if self.items == 0 {
            return Err(TheoryError::domain(NAME, "items", "at least 1", 0));
        }
        let formula = match self.probes {
            Probes::Independent => "OCC (69) eps_S",
            Probes::Distinct => "OCC (70) eps_C",
        };
        Ok(Figure::new(
            self.efficiency_value()?,
            formula,
            Accuracy::exact(super::filter::ACCURACY),
        ))
    }

    /// Bits that an ideal compression of the filter needs, at most: `m h(q)`, q the mean share of set bits and h the entropy of a
    /// bit (OCC 4.3 says that filters away from q = 1/2 can be compressed).
    ///
    /// A bound: every bit is set with probability q, and the entropy of all is at most the sum of theirs.
    pub fn compressed_bits(&self) -> Figure {
        let (m, n, k) = (self.bits as f64, self.items as f64, self.hashes as f64);
        let ln_clear = match self.probes {
            Probes::Independent => n * k * (-1.0 / m).ln_1p(),
            Probes::Distinct => n * (-k / m).ln_1p(),
        };
        let (clear, set) = (ln_clear.exp(), -ln_clear.exp_m1());
        let of = |share: f64, ln: f64| if share > 0.0 { -share * ln } else { 0.0 };
        let nats = of(clear, ln_clear) + of(set, (-clear).ln_1p());
        Figure::new(
            m * nats / std::f64::consts::LN_2,
            "OCC 4.3: m h(q), q the mean share of set bits; at most this by ideal compression",
            Accuracy::bound(),
        )
    }

    /// The efficiency of the filter compressed ideally, at least: `n log2(1/p)` over [`Self::compressed_bits`].
    ///
    /// # Errors
    /// As [`Self::efficiency`].
    pub fn compressed_efficiency(&self) -> Result<Figure, TheoryError> {
        let plain = self.efficiency()?.value;
        let bits = self.compressed_bits().value;
        Ok(Figure::new(
            if bits > 0.0 {
                plain * self.bits as f64 / bits
            } else {
                0.0
            },
            "OCC 4.3: n log2(1/p) / (m h(q)), at least this by ideal compression",
            Accuracy::bound(),
        ))
    }

    fn efficiency_value(&self) -> Result<f64, TheoryError> {
        let bits_an_item = -self.wide_rate()?.log2();
        // a full filter passes everything: 0, not -0
        Ok((self.items as f64 * bits_an_item / self.bits as f64).max(0.0))
    }
}

/// `eps*(m, k)`: the most efficient number of items for `bits` and `hashes`, by exact search.
///
/// Numbers of items are left out only where a proven bound of their efficiency lies below the best found; above
/// 64 m/k + 64 items every filter is full.
///
/// # Errors
/// Those of [`StaticFilter::new`] and of its exact rate.
pub fn peak_efficiency(bits: u64, hashes: u64, probes: Probes) -> Result<Peak, TheoryError> {
    let most = 64 * (bits / hashes.max(1)) + 64;
    StaticFilter::new(bits, most, hashes, probes)?;
    let at = |items| StaticFilter {
        bits,
        items,
        hashes,
        probes,
    };
    let share = bits as f64 / hashes as f64;
    let first = (share * std::f64::consts::LN_2).round().max(1.0) as u64;
    let bound = |lo: u64, hi: u64| {
        let bits_an_item = -at(lo).ln_floor(hashes) / std::f64::consts::LN_2;
        -(hi as f64) * bits_an_item / bits as f64
    };
    let (items, value) = minimum((1, most), first, &bound, &mut |items| {
        Ok::<f64, TheoryError>(-at(items).efficiency_value()?)
    })?;
    let formula = match probes {
        Probes::Independent => "OCC (69) eps_S at its peak over n, by exact search",
        Probes::Distinct => "OCC (70) eps_C at its peak over n, by exact search",
    };
    Ok(Peak {
        items,
        efficiency: Figure::new(-value, formula, Accuracy::exact(super::filter::ACCURACY)),
    })
}

/// The most efficient standard filter of `bits` bits: one hash (OCC Theorem 26), the number of items by exact search.
///
/// # Errors
/// Those of [`peak_efficiency`].
pub fn greatest_standard_efficiency(bits: u64) -> Result<Peak, TheoryError> {
    peak_efficiency(bits, 1, Probes::Independent)
}

/// `1/(m log2(m/(m-1)))` (OCC 74): the bound that real numbers of items would reach, below ln 2.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] below 2 bits.
pub fn greatest_standard_efficiency_bound(bits: u64) -> Result<Figure, TheoryError> {
    if bits < 2 {
        return Err(TheoryError::domain(NAME, "bits", "at least 2", bits));
    }
    let m = bits as f64;
    Ok(Figure::new(
        std::f64::consts::LN_2 / (m * -(-1.0 / m).ln_1p()),
        "OCC (74), an upper bound of eps_S",
        Accuracy::bound(),
    ))
}

/// `log2 C(m, m/2)/m` (OCC 75): the efficiency of a classic filter with one item and half the bits, tending to 1. Exact
/// for that filter; that none is more efficient is part of conjecture 28, tested for even m up to 64, not proven.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] below 2 bits or above 2^46, and for an odd number.
pub fn greatest_classic_efficiency(bits: u64) -> Result<Figure, TheoryError> {
    if !(2..=1 << 46).contains(&bits) || bits % 2 == 1 {
        return Err(TheoryError::domain(
            NAME,
            "bits",
            "an even number from 2 to 2^46",
            bits,
        ));
    }
    let half = bits as f64 / 2.0;
    // ln C(2h, h) = 2h ln 2 - ln(pi h)/2 - 1/(8h) + 1/(192 h^3) - ...
    let ln = if bits <= 2000 {
        let mut sum = crate::numeric::sum::Sum::default();
        for i in 1..=bits / 2 {
            sum.add(((half + i as f64) / i as f64).ln());
        }
        sum.value()
    } else {
        let cube = half * half * half;
        2.0 * half * std::f64::consts::LN_2
            - 0.5 * (std::f64::consts::PI * half).ln()
            - 0.125 / half
            + 1.0 / (192.0 * cube)
    };
    Ok(Figure::new(
        ln / std::f64::consts::LN_2 / bits as f64,
        "OCC (75)",
        Accuracy::exact(super::filter::ACCURACY),
    ))
}

/// `(m/k - 1) ln 2` (OCC 76): near which number of items the classic filter peaks. An approximation found by the paper's
/// experiments. The stated error, one and a half items, was found by exact search for m from 100 to 700 and k up to 25, and is
/// tested there.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `1 <= k < m`.
pub fn classic_peak_items_estimate(bits: u64, hashes: u64) -> Result<Figure, TheoryError> {
    if hashes == 0 || hashes >= bits {
        return Err(TheoryError::domain(
            NAME,
            "hashes",
            "at least 1 and less than the bits",
            hashes,
        ));
    }
    let value = (bits as f64 / hashes as f64 - 1.0) * std::f64::consts::LN_2;
    Ok(Figure::new(
        value,
        "OCC (76) (m/k - 1) ln 2",
        Accuracy::approximation(1.5 / value),
    ))
}

/// The valley between k and k + 1 hashes (OCC 4.2), by exact search, from the estimate (OCC 79) `n/m = ln z` with `z^(k+1) = z + 1`.
///
/// The estimate is solved for the textbook rate E, so an approximation of the exact filters; its stated error is the distance to them.
///
/// # Errors
/// Those of [`StaticFilter::new`] and of its exact rate; [`TheoryError::OutOfDomain`] when m is too small for a valley.
pub fn valley(bits: u64, hashes: u64, probes: Probes) -> Result<Valley, TheoryError> {
    StaticFilter::new(bits, 1, hashes, probes)?;
    StaticFilter::new(bits, 1, hashes + 1, probes)?;
    let k = hashes as f64;
    // x = ln z: (k+1) x = ln(1 + e^x); the map contracts by less than 1/(k+1)
    let mut x = std::f64::consts::LN_2 / k;
    for _ in 0..60 {
        x = x.exp().ln_1p() / (k + 1.0);
    }
    let log2 = |items, hashes| {
        Ok(StaticFilter::new(bits, items, hashes, probes)?
            .wide_rate()?
            .log2())
    };
    let formula = match probes {
        Probes::Independent => "OCC (69) eps_S at the valley, by exact search",
        Probes::Distinct => "OCC (70) eps_C at the valley, by exact search",
    };
    let mut fewer_is_better =
        |items| Ok::<bool, TheoryError>(log2(items, hashes)? <= log2(items, hashes + 1)?);
    let guess = (x * bits as f64).round().max(1.0) as u64;
    let items = first_true((1, bits), guess, &mut fewer_is_better)?.ok_or_else(|| {
        TheoryError::domain(
            NAME,
            "bits",
            format!("enough for {hashes} hashes to pay"),
            bits,
        )
    })?;
    let density = items as f64 / bits as f64;
    let at_valley = StaticFilter::new(bits, items, hashes, probes)?;
    Ok(Valley {
        items,
        items_per_bit: Figure::new(
            x,
            "OCC (79) for E (58), n/m",
            Accuracy::approximation((density - x).abs() / x),
        ),
        efficiency: Figure::new(
            at_valley.efficiency_value()?,
            formula,
            Accuracy::exact(super::filter::ACCURACY),
        ),
    })
}
