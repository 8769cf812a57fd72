//! Occurrences that count in a filter over a window.

/// The exact counts of all keys in the active and in the frozen pane, followed from the insertions alone.
#[derive(Debug, Clone)]
pub(super) struct WindowCounts {
    insertions: u64,
    in_window: u64,
    /// By key number.
    active: Vec<u64>,
    frozen: Vec<u64>,
    /// Keys of the active pane, each once.
    came: Vec<u32>,
    /// Keys of the frozen pane, each once.
    froze: Vec<u32>,
}

impl WindowCounts {
    /// Of so many keys, none of which has come; the panes turn behind every `insertions`.
    pub fn new(insertions: u64, keys: usize) -> Self {
        Self {
            insertions,
            in_window: 0,
            active: vec![0; keys],
            frozen: vec![0; keys],
            came: Vec::new(),
            froze: Vec::new(),
        }
    }

    /// Occurrences of a key in the active pane and in the frozen one.
    pub fn of(&self, key: u32) -> (u64, u64) {
        (self.active[key as usize], self.frozen[key as usize])
    }

    /// A key comes. Whether the panes turn behind it.
    pub fn insert(&mut self, key: u32) -> bool {
        let count = &mut self.active[key as usize];
        if *count == 0 {
            self.came.push(key);
        }
        *count += 1;
        self.in_window += 1;
        if self.in_window < self.insertions {
            return false;
        }
        self.in_window = 0;
        for key in self.froze.drain(..) {
            self.frozen[key as usize] = 0;
        }
        for &key in &self.came {
            self.frozen[key as usize] = std::mem::take(&mut self.active[key as usize]);
        }
        std::mem::swap(&mut self.came, &mut self.froze);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_for_its_window_and_the_next_one() {
        let mut counts = WindowCounts::new(3, 2);
        let mut seen = Vec::new();
        for key in [0, 0, 1, 0, 1, 1, 1, 1, 1, 0] {
            counts.insert(key);
            seen.push(counts.of(0));
        }
        // behind a turn what was active is frozen
        let expected = [
            (1, 0),
            (2, 0),
            (0, 2),
            (1, 2),
            (1, 2),
            (0, 1),
            (0, 1),
            (0, 1),
            (0, 0),
            (1, 0),
        ];
        assert_eq!(seen, expected);
    }
}
