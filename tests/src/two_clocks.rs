//! Two clocks of any ratio and phase.

/// Edges of two clocks in the order of time, in femtoseconds.
#[derive(Debug, Clone)]
pub struct TwoClocks {
    half: [u64; 2],
    next: [u64; 2],
    levels: [bool; 2],
}

impl TwoClocks {
    /// Clocks of these periods; the second begins so much later, both low.
    ///
    /// # Panics
    /// With a period below 2 fs.
    pub fn new(periods_fs: [u64; 2], phase_fs: u64) -> Self {
        let half = periods_fs.map(|period| period / 2);
        assert!(half.iter().all(|&half| half > 0), "{periods_fs:?}");
        Self {
            half,
            next: [half[0], half[1] + phase_fs],
            levels: [false; 2],
        }
    }

    /// Levels of the clocks now.
    pub fn levels(&self) -> [bool; 2] {
        self.levels
    }

    /// Goes to the next instant in which a clock has an edge; says which have one. Both may.
    pub fn advance(&mut self) -> [bool; 2] {
        let now = self.next[0].min(self.next[1]);
        [0, 1].map(|i| {
            let edge = self.next[i] == now;
            if edge {
                self.levels[i] = !self.levels[i];
                self.next[i] += self.half[i];
            }
            edge
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_in_order_and_may_meet() {
        let mut clocks = TwoClocks::new([4, 8], 0);
        let seen: Vec<_> = (0..4)
            .map(|_| (clocks.advance(), clocks.levels()))
            .collect();
        assert_eq!(
            seen,
            [
                ([true, false], [true, false]),
                ([true, true], [false, true]),
                ([true, false], [true, true]),
                ([true, true], [false, false]),
            ]
        );
    }
}
