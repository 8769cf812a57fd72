//! Division of units into parts of about the same estimated time.

use crate::unit::Unit;

/// Units that run one after the other, as one job of a batch system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// Places in the list of units, rising.
    pub units: Vec<usize>,
    /// Estimated seconds of all.
    pub seconds: f64,
    /// Estimated memory of the largest, in megabytes.
    pub memory_mb: u64,
}

/// Divides units into at most `most` parts of about `seconds` each. The longest unit comes first, each to the part that has
/// least so far. The division depends on the estimates alone.
pub fn parts(units: &[&Unit], seconds: f64, most: usize) -> Vec<Part> {
    let total: f64 = units.iter().map(|unit| unit.seconds).sum();
    let wanted = (total / seconds.max(1.0)).ceil().max(1.0) as usize;
    let count = wanted.min(most.max(1)).min(units.len());
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|a, b| units[*b].seconds.total_cmp(&units[*a].seconds));
    // A heap of the parts by their time, the shortest first; equal ones by place, so that the division is one and the same.
    let mut heap: std::collections::BinaryHeap<_> = (0..count)
        .map(|place| std::cmp::Reverse((0_u64, place)))
        .collect();
    let mut parts = vec![Part::default(); count];
    for index in order {
        let Some(std::cmp::Reverse((_, place))) = heap.pop() else {
            break;
        };
        let part = &mut parts[place];
        part.units.push(index);
        part.seconds += units[index].seconds;
        part.memory_mb = part.memory_mb.max(units[index].memory_mb);
        heap.push(std::cmp::Reverse(((part.seconds * 1e3) as u64, place)));
    }
    for part in &mut parts {
        part.units.sort_unstable();
    }
    parts
}
