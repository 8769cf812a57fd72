//! Compensated summation.

/// A running sum that keeps the rounding error of each addition (Neumaier).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, term: f64) {
        let total = self.total + term;
        self.lost += if self.total.abs() >= term.abs() {
            (self.total - total) + term
        } else {
            (term - total) + self.total
        };
        self.total = total;
    }

    pub(crate) fn value(self) -> f64 {
        self.total + self.lost
    }
}
