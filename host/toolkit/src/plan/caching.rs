//! What a cache gains that stores objects on their second request, by a recycling filter.

use super::{Page, Table};
use crate::forecast::{stated, whole};
use crate::{Error, Filter};
use bloomline_model::RecyclingFilter;
use bloomline_spec::{Key, Operation, RecyclingGeometry};
use bloomline_stimulus::CsvColumn;
use bloomline_theory::caching::{caching, most_popular, Memory};
use bloomline_theory::sizing::Zipf;
use bloomline_theory::{Accuracy, TheoryError};
use bloomline_verify::text::percent;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Requests to a cache.
#[derive(Debug, Clone, PartialEq)]
pub enum CacheLoad {
    /// Independent requests of a popularity law.
    Law(Zipf),
    /// Requests as recorded.
    Trace {
        /// A table.
        file: PathBuf,
        /// Its column with the objects.
        column: String,
        /// Its column with their bytes; the capacity is in objects without.
        sizes: Option<String>,
    },
}

/// A least-recently-used cache with and without the filter before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Caching {
    /// Where the requests come from.
    requests: String,
    /// Requests of a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    /// Capacity, in `unit`.
    capacity: u64,
    /// `objects` or `bytes`.
    unit: &'static str,
    /// One row for each way to admit objects.
    admissions: Vec<Admission>,
    /// The share of the requests for as many of the most popular objects, a bound of every hit ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    most_popular: Option<f64>,
}

/// What a cache does under one rule of admission.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Admission {
    /// When an object is stored.
    stored: &'static str,
    /// Share of the requests that hit.
    hit_ratio: f64,
    /// Share of the requested bytes that hit; the same as `hit_ratio` where sizes have nothing to do with popularity.
    byte_hit_ratio: f64,
    /// Objects stored, a request.
    writes: f64,
    /// Bytes stored, a requested byte.
    byte_writes: f64,
    /// Of the hit ratio and of the writes.
    accuracy: [Accuracy; 2],
}

const AT_ONCE: &str = "at the first request";
const BY_FILTER: &str = "when this filter has seen it";
const PERFECT: &str = "at the second request ever";

impl Filter {
    /// Hit ratio and writes of a least-recently-used cache of `capacity` objects (bytes for a trace with sizes): with every object
    /// stored at its first request, and with those alone that this filter, told of every request, has seen.
    ///
    /// From a trace the numbers are exact for this trace: the cache and the filter's model are replayed, from empty.
    ///
    /// # Errors
    /// [`Error::NothingToCache`] for other kinds than recycling; the errors of the table and of theory.
    pub fn caching(&self, capacity: u64, load: &CacheLoad) -> Result<Caching, Error> {
        let geometry = self
            .design()
            .recycling()
            .ok_or_else(|| Error::NothingToCache {
                file: self.file().to_owned(),
                kind: self.design().kind().to_string(),
            })?;
        match load {
            CacheLoad::Law(law) => self.by_law(geometry, capacity, law),
            CacheLoad::Trace {
                file,
                column,
                sizes,
            } => {
                let requests = Requests::read(geometry, file, column, sizes.as_deref())?;
                Ok(requests.replayed(geometry, capacity))
            }
        }
    }

    fn by_law(
        &self,
        geometry: &RecyclingGeometry,
        capacity: u64,
        law: &Zipf,
    ) -> Result<Caching, Error> {
        let value = |key: &str| {
            let line = self.lines().iter().find(|line| line.key == key);
            line.map_or(f64::NAN, |line| line.value)
        };
        self.planned().check_rates()?;
        let filter = Memory::Filter {
            cycle_arrivals: value("messages_per_cycle"),
            fpr: value("fpr_average"),
            phases: geometry.phases(),
        };
        let row = |stored, memory| -> Result<Admission, TheoryError> {
            let found = caching(law, capacity as f64, memory)?;
            Ok(Admission {
                stored,
                hit_ratio: found.hit_ratio.value,
                byte_hit_ratio: found.hit_ratio.value,
                writes: found.writes.value,
                byte_writes: found.writes.value,
                accuracy: [found.hit_ratio.accuracy, found.writes.accuracy],
            })
        };
        let rows = || -> Result<_, TheoryError> {
            let admissions = vec![row(AT_ONCE, Memory::None)?, row(BY_FILTER, filter)?];
            Ok((admissions, most_popular(law, capacity as f64)?.value))
        };
        let (admissions, most) = rows().map_err(|source| Error::Theory {
            file: self.file().to_owned(),
            source,
        })?;
        Ok(Caching {
            requests: format!(
                "independent requests by a Zipf law with exponent {} over {} objects",
                law.exponent(),
                whole(law.universe() as f64)
            ),
            number: None,
            capacity,
            unit: "objects",
            admissions,
            most_popular: Some(most),
        })
    }
}

/// A recorded stream.
struct Requests {
    name: String,
    unit: &'static str,
    /// Object and size of each.
    all: Vec<(Key, u64)>,
}

impl Requests {
    fn read(
        geometry: &RecyclingGeometry,
        file: &Path,
        column: &str,
        sizes: Option<&str>,
    ) -> Result<Requests, Error> {
        let refuse = |why: String| Error::Requests {
            file: file.to_path_buf(),
            why,
        };
        let mut sizes_of = sizes
            .map(|sizes| CsvColumn::open(file, sizes))
            .transpose()?;
        let format = geometry.key_format();
        let mut all = Vec::new();
        for (number, value) in CsvColumn::open(file, column)?.enumerate() {
            let key = format
                .of_integer(value?.into())
                .map_err(|error| refuse(format!("request {}: {error}", number + 1)))?;
            let size = match &mut sizes_of {
                None => 1,
                Some(sizes) => sizes
                    .next()
                    .transpose()?
                    .filter(|size| *size > 0)
                    .ok_or_else(|| refuse(format!("request {}: no size above 0; give the column with the bytes of each request", number + 1)))?,
            };
            all.push((key, size));
        }
        if all.is_empty() {
            return Err(refuse("no requests; give a column with some".to_owned()));
        }
        Ok(Requests {
            name: format!("{}:{column}", file.display()),
            unit: if sizes.is_some() { "bytes" } else { "objects" },
            all,
        })
    }

    fn replayed(self, geometry: &RecyclingGeometry, capacity: u64) -> Caching {
        let mut before = HashSet::new();
        let mut filter = RecyclingFilter::new(geometry);
        let admissions = vec![
            self.replay(AT_ONCE, capacity, |_| true),
            self.replay(BY_FILTER, capacity, |key| {
                filter.apply(key, Operation::TestAndInsert).seen()
            }),
            self.replay(PERFECT, capacity, |key| !before.insert(*key)),
        ];
        Caching {
            requests: self.name,
            number: Some(self.all.len() as u64),
            capacity,
            unit: self.unit,
            admissions,
            most_popular: None,
        }
    }

    /// `known` is asked at every request whether the object may be stored.
    fn replay(
        &self,
        stored: &'static str,
        capacity: u64,
        mut known: impl FnMut(&Key) -> bool,
    ) -> Admission {
        let mut cache = Lru::new(capacity);
        let (mut hits, mut hit_bytes, mut bytes) = (0_u64, 0.0, 0.0);
        let (mut writes, mut written) = (0_u64, 0.0);
        for (key, size) in &self.all {
            let size_bytes = *size as f64;
            bytes += size_bytes;
            let admitted = known(key);
            if cache.hit(key) {
                hits += 1;
                hit_bytes += size_bytes;
            } else if admitted && cache.store(*key, *size) {
                writes += 1;
                written += size_bytes;
            }
        }
        let requests = self.all.len() as f64;
        Admission {
            stored,
            hit_ratio: hits as f64 / requests,
            byte_hit_ratio: hit_bytes / bytes,
            writes: writes as f64 / requests,
            byte_writes: written / bytes,
            accuracy: [Accuracy::exact(1e-12); 2],
        }
    }
}

/// A cache that drops the object whose last request is longest ago.
struct Lru {
    capacity: u64,
    used: u64,
    now: u64,
    /// Last request and size.
    objects: HashMap<Key, (u64, u64)>,
    by_age: BTreeMap<u64, Key>,
}

impl Lru {
    fn new(capacity: u64) -> Lru {
        Lru {
            capacity,
            used: 0,
            now: 0,
            objects: HashMap::new(),
            by_age: BTreeMap::new(),
        }
    }

    /// Whether the object is there; then this is its last request.
    fn hit(&mut self, key: &Key) -> bool {
        self.now += 1;
        let Some((last, _)) = self.objects.get_mut(key) else {
            return false;
        };
        self.by_age.remove(last);
        *last = self.now;
        self.by_age.insert(self.now, *key);
        true
    }

    /// Stores an object that is not there; false if it is larger than the cache.
    fn store(&mut self, key: Key, size: u64) -> bool {
        if size > self.capacity {
            return false;
        }
        while self.used + size > self.capacity {
            let Some((_, oldest)) = self.by_age.pop_first() else {
                return false;
            };
            self.used -= self.objects.remove(&oldest).map_or(0, |(_, size)| size);
        }
        self.used += size;
        self.by_age.insert(self.now, key);
        self.objects.insert(key, (self.now, size));
        true
    }
}

impl Caching {
    /// Texts and tables.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        let number = self.number.map_or_else(String::new, |number| {
            format!(" ({} requests, from an empty cache)", whole(number as f64))
        });
        page.text(format!(
            "\nA cache of {} {}, least recently used, on {}{number}\n\n",
            whole(self.capacity as f64),
            self.unit,
            self.requests,
        ));
        let bytes = self.unit == "bytes";
        let mut header = vec!["an object is stored", "hits"];
        if bytes {
            header.extend(["of bytes", "writes", "of bytes"]);
        } else {
            header.push("writes");
        }
        header.push("accuracy");
        let mut table = Table::of_numbers(header);
        for row in &self.admissions {
            let mut cells = vec![row.stored.to_owned(), percent(row.hit_ratio)];
            if bytes {
                cells.extend([
                    percent(row.byte_hit_ratio),
                    percent(row.writes),
                    percent(row.byte_writes),
                ]);
            } else {
                cells.push(percent(row.writes));
            }
            let [hits, writes] = row.accuracy.map(stated);
            cells.push(match hits == writes {
                true => hits,
                false => format!("{hits}, {writes}"),
            });
            table.add_row(cells);
        }
        page.table(table);
        page.text("\n\nhits: requests for an object in the cache. writes: requests after which one is stored\n");
        if let Some(most) = self.most_popular {
            page.text(format!(
                "The most popular objects would hit {}, which no cache exceeds. Where sizes have nothing to do with popularity, as many bytes hit as requests.\n",
                percent(most)
            ));
        }
        if let [all, filtered, ..] = &self.admissions[..] {
            page.text(format!(
                "\nThe filter changes the hits from {} to {}, and the writes by a factor of {:.3}.\n",
                percent(all.hit_ratio),
                percent(filtered.hit_ratio),
                filtered.writes / all.writes,
            ));
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut random = bloomline_stimulus::RandomNew::new(64, 9).expect("a width");
        for case in 0..200 {
            let requests: Vec<(u64, u64)> = (0..200)
                .map(|_| {
                    let word = random.next().unwrap_or_default();
                    (word % 20, 1 + (word >> 32) % 5)
                })
                .collect();
            let capacity = 1 + case % 30;
            let all = requests.iter().map(|(key, size)| {
                let key = Key::from_integer((*key).into(), 64).expect("fits");
                (key, *size)
            });
            let replay = Requests {
                name: String::new(),
                unit: "bytes",
                all: all.collect(),
            };
            let found = replay.replay(AT_ONCE, capacity, |_| true);
            let hits = (found.hit_ratio * requests.len() as f64).round() as u64;
            assert_eq!(hits, by_list(&requests, capacity), "{case}");
            // every request hits, or stores if the object fits at all
            let fitting = requests
                .iter()
                .filter(|(_, size)| *size <= capacity)
                .count();
            assert!(found.hit_ratio + found.writes >= fitting as f64 / 200.0 - 1e-9);
        }
    }
}
