/// Edges of several clocks of any periods and phases in the order of time, in femtoseconds.
#[derive(Debug, Clone)]
pub struct Clocks<const N: usize> {
    half: [u64; N],
    next: [u64; N],
    levels: [bool; N],
}

impl<const N: usize> Clocks<N> {
    /// Clocks of these periods, all low; each begins so much later.
    ///
    /// # Panics
    /// With a period below 2 fs.
    pub fn new(periods_fs: [u64; N], phases_fs: [u64; N]) -> Self {
        let half = periods_fs.map(|period| period / 2);
        assert!(half.iter().all(|&half| half > 0), "{periods_fs:?}");
        Self {
            half,
            next: std::array::from_fn(|i| half[i] + phases_fs[i]),
            levels: [false; N],
        }
    }

    /// Levels of the clocks now.
    pub fn levels(&self) -> [bool; N] {
        self.levels
    }

    /// Goes to the next instant in which a clock has an edge; says which have one. Several may.
    #[inline]
    pub fn advance(&mut self) -> [bool; N] {
        let now = self.next.iter().copied().fold(u64::MAX, u64::min);
        std::array::from_fn(|i| {
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
        let mut clocks = Clocks::new([4, 8], [0, 0]);
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

    #[test]
    fn a_clock_begins_later_by_its_phase() {
        let mut clocks = Clocks::new([4, 4, 4], [0, 1, 3]);
        let first: Vec<_> = (0..4).map(|_| clocks.advance()).collect();
        assert_eq!(
            first,
            [
                [true, false, false],
                [false, true, false],
                [true, false, false],
                [false, true, true],
            ]
        );
    }
}
