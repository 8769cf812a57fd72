//! Probability that residue classes and single partitions together cover all partitions, for any orders of steps.
//!
//! With a Poisson number of items each class is met independently of the others. The recursion takes the classes one by
//! one and keeps the probability of each set of partitions covered so far. All its terms are positive (for a real mean), so
//! the result keeps its relative error however small it is.

use crate::numeric::complex::Complex;
use std::collections::BTreeMap;

/// The classes of two or more partitions, and what meets each partition alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Coverage {
    range: f64,
    hashes: u32,
    /// Numbers of steps of the classes in `joins`, each once.
    steps: Vec<f64>,
    /// One a class: the place of its number of steps, and the sets (as indices) before and after it is met.
    joins: Vec<(usize, Vec<(usize, usize)>)>,
    /// Sets of partitions that classes can cover, as bit masks; the empty set first.
    sets: Vec<usize>,
    /// Numbers of steps that meet a partition alone, each once.
    single_steps: Vec<f64>,
    /// By partition: the place in `single_steps`.
    singles: Vec<usize>,
}

impl Coverage {
    /// `hashes` partitions of `range` positions, with the orders of steps below `hashes` and their numbers of steps.
    /// Time and memory grow as 2^hashes.
    pub(super) fn new(range: u64, hashes: u32, orders: &[(u32, u64)]) -> Self {
        let short: u64 = orders.iter().map(|(_, steps)| steps).sum();
        let mut alone = vec![range - short; hashes as usize];
        let mut classes: BTreeMap<usize, u64> = BTreeMap::new();
        for (order, steps) in orders {
            for first in 0..*order {
                let members = (first..hashes).step_by(*order as usize);
                if members.len() == 1 {
                    alone[first as usize] += steps;
                } else {
                    *classes.entry(members.map(|i| 1 << i).sum()).or_default() += steps;
                }
            }
        }
        let mut sets = vec![0];
        for class in classes.keys() {
            for known in 0..sets.len() {
                let joined = sets[known] | class;
                if !sets.contains(&joined) {
                    sets.push(joined);
                }
            }
        }
        let place = |set: usize| sets.iter().position(|known| *known == set);
        let mut steps = Vec::new();
        let joins = classes
            .iter()
            .map(|(class, count)| {
                let grown = sets.iter().enumerate().filter_map(|(from, set)| {
                    let to = place(set | class).filter(|to| *to != from)?;
                    Some((from, to))
                });
                (index_of(&mut steps, *count as f64), grown.collect())
            })
            .collect();
        let mut single_steps = Vec::new();
        let singles = alone
            .iter()
            .map(|count| index_of(&mut single_steps, *count as f64))
            .collect();
        Self {
            range: range as f64,
            hashes,
            steps,
            joins,
            sets,
            single_steps,
            singles,
        }
    }

    /// Probability that a Poisson number of items of mean x covers all partitions.
    pub(super) fn poisson_rate(&self, x: Complex) -> Complex {
        let square = self.range * self.range;
        let missed = |steps: &f64| x.scale(-steps / square).exp_m1(); // P(no item) - 1
        let classes: Vec<Complex> = self.steps.iter().map(missed).collect();
        let mut covered = vec![Complex::ZERO; self.sets.len()];
        covered[0] = Complex::ONE;
        for (steps, joins) in &self.joins {
            let met = Complex::ZERO - classes[*steps];
            let not_met = Complex::ONE - met;
            for (from, to) in joins {
                // a set that the class enlarges is never one that it leads to
                let before = covered[*from];
                covered[*to] = covered[*to] + before * met;
                covered[*from] = before * not_met;
            }
        }
        let alone: Vec<Complex> = self.single_steps.iter().map(missed).collect();
        // the probability that the partitions outside a set are met one by one
        let mut rate = Complex::ZERO;
        for (set, probability) in self.sets.iter().zip(&covered) {
            let mut rest = *probability;
            for i in (0..self.hashes as usize).filter(|i| set >> i & 1 == 0) {
                rest = rest * (Complex::ZERO - alone[self.singles[i]]);
            }
            rate = rate + rest;
        }
        rate
    }
}

/// The place of a value in a list of different ones, which it joins if it is new.
fn index_of(values: &mut Vec<f64>, value: f64) -> usize {
    let known = values.iter().position(|other| *other == value);
    known.unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}
