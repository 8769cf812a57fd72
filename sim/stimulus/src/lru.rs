//! A least-recently-used cache on recorded requests.

use std::collections::HashMap;

/// Requests for objects of some sizes, in their order.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    numbers: HashMap<u64, usize>,
    /// The number of the object, from 0, and its size.
    requests: Vec<(usize, u64)>,
}

/// What a cache did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Replayed {
    /// Requests for an object in the cache.
    pub hits: u64,
    /// Their sizes.
    pub hit_sizes: f64,
    /// Objects stored.
    pub writes: u64,
    /// Their sizes.
    pub written: f64,
    /// Sizes of all requests.
    pub sizes: f64,
}

impl Requests {
    /// Appends a request.
    pub fn push(&mut self, object: u64, size: u64) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(object).or_insert(next);
        self.requests.push((number, size));
    }

    /// Number of requests.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Of each request, whether its object was requested before.
    pub fn repeated(&self) -> Vec<bool> {
        // objects are numbered in the order of their first requests
        let mut seen = 0;
        let repeated = self.requests.iter().map(|(object, _)| {
            let new = *object == seen;
            seen += usize::from(new);
            !new
        });
        repeated.collect()
    }

    /// A cache of so much room that drops the object whose last request is longest ago, from empty. `stored` says of each request
    /// whether its object is stored if it is not there; one larger than the cache never is.
    pub fn replay(&self, capacity: u64, stored: &[bool]) -> Replayed {
        let mut cache = Cache::new(self.numbers.len());
        let mut done = Replayed::default();
        for ((object, size), stored) in self.requests.iter().zip(stored) {
            done.sizes += *size as f64;
            if cache.held[*object].is_some() {
                cache.unlink(*object);
                cache.append(*object);
                done.hits += 1;
                done.hit_sizes += *size as f64;
            } else if *stored && *size <= capacity {
                while cache.used + size > capacity {
                    cache.drop_oldest();
                }
                cache.held[*object] = Some(*size);
                cache.used += size;
                cache.append(*object);
                done.writes += 1;
                done.written += *size as f64;
            }
        }
        done
    }
}

/// The objects of a cache in a ring by their last requests; the place behind the last object stands before the oldest one.
struct Cache {
    /// Sizes of the objects that are held.
    held: Vec<Option<u64>>,
    older: Vec<usize>,
    newer: Vec<usize>,
    used: u64,
}

impl Cache {
    fn new(objects: usize) -> Self {
        Self {
            held: vec![None; objects],
            older: (0..=objects).collect(),
            newer: (0..=objects).collect(),
            used: 0,
        }
    }

    fn unlink(&mut self, object: usize) {
        let (older, newer) = (self.older[object], self.newer[object]);
        self.newer[older] = newer;
        self.older[newer] = older;
    }

    fn append(&mut self, object: usize) {
        let end = self.held.len();
        let last = self.older[end];
        self.newer[last] = object;
        self.older[object] = last;
        self.newer[object] = end;
        self.older[end] = object;
    }

    fn drop_oldest(&mut self) {
        let oldest = self.newer[self.held.len()];
        self.unlink(oldest);
        self.used -= self.held[oldest].take().unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomNew;

    /// The objects of a cache by the definition: the last requested ones that fit, from a list.
    fn by_list(requests: &[(u64, u64)], capacity: u64) -> u64 {
        let mut held: Vec<(u64, u64)> = Vec::new();
        let mut hits = 0;
        for (key, size) in requests {
            if let Some(place) = held.iter().position(|(other, _)| other == key) {
                let object = held.remove(place);
                held.push(object);
                hits += 1;
            } else if *size <= capacity {
                while held.iter().map(|(_, size)| size).sum::<u64>() + size > capacity {
                    held.remove(0);
                }
                held.push((*key, *size));
            }
        }
        hits
    }

    #[test]
    fn the_cache_drops_what_was_requested_longest_ago() {
        let mut random = RandomNew::new(64, 9).expect("a width");
        for case in 0..200 {
            let mut requests = Requests::default();
            let list: Vec<(u64, u64)> = (0..200)
                .map(|_| {
                    let word = random.next().unwrap_or_default();
                    (word % 20, 1 + (word >> 32) % 5)
                })
                .collect();
            list.iter()
                .for_each(|(object, size)| requests.push(*object, *size));
            let capacity = 1 + case % 30;
            let found = requests.replay(capacity, &[true; 200]);
            assert_eq!(found.hits, by_list(&list, capacity), "{case}");
            // every request hits, or stores if the object fits at all
            let fitting = list.iter().filter(|(_, size)| *size <= capacity).count() as u64;
            assert!(found.hits + found.writes >= fitting, "{case}");
        }
    }

    #[test]
    fn what_was_requested_before_is_repeated() {
        let mut requests = Requests::default();
        [7, 9, 7, 7, 3, 9]
            .iter()
            .for_each(|object| requests.push(*object, 1));
        assert_eq!(requests.repeated(), [false, false, true, true, false, true]);
        let found = requests.replay(1, &requests.repeated());
        assert_eq!((found.hits, found.writes), (1, 2));
    }
}
