//! Gain of a cache that stores objects on their second request, with a recycling filter.

use super::{Page, Table};
use crate::forecast::{stated, whole};
use crate::{Error, Filter};
use bloomline_model::RecyclingFilter;
use bloomline_spec::{Key, Operation, RecyclingGeometry};
use bloomline_stimulus::{CsvColumn, Replayed, Requests};
use bloomline_theory::caching::{caching, most_popular, Memory};
use bloomline_theory::sizing::Zipf;
use bloomline_theory::{Accuracy, TheoryError};
use bloomline_verify::text::percent;
use serde::Serialize;
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
    /// Share of the requested bytes that hit; by a law the same as `hit_ratio`, for sizes that have nothing to do with popularity. None of a
    /// trace without sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_hit_ratio: Option<f64>,
    /// Objects stored, a request.
    writes: f64,
    /// Bytes stored, a requested byte; likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_writes: Option<f64>,
    /// Of the hit ratio and of the writes.
    accuracy: [Accuracy; 2],
}

const BYTES: &str = "bytes";
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
                let trace = Trace::read(geometry, file, column, sizes.as_deref())?;
                Ok(trace.replayed(geometry, capacity))
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
                byte_hit_ratio: Some(found.hit_ratio.value),
                writes: found.writes.value,
                byte_writes: Some(found.writes.value),
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
struct Trace {
    name: String,
    unit: &'static str,
    keys: Vec<Key>,
    requests: Requests,
}

impl Trace {
    fn read(
        geometry: &RecyclingGeometry,
        file: &Path,
        column: &str,
        sizes: Option<&str>,
    ) -> Result<Trace, Error> {
        let refuse = |why: String| Error::Requests {
            file: file.to_path_buf(),
            why,
        };
        let mut sizes_of = sizes
            .map(|sizes| CsvColumn::open(file, sizes))
            .transpose()?;
        let format = geometry.key_format();
        let mut keys = Vec::new();
        let mut requests = Requests::default();
        for (number, value) in CsvColumn::open(file, column)?.enumerate() {
            let value = value?;
            let key = format
                .of_integer(value.into())
                .map_err(|error| refuse(format!("request {}: {error}", number + 1)))?;
            let size = match &mut sizes_of {
                None => 1,
                Some(sizes) => sizes
                    .next()
                    .transpose()?
                    .filter(|size| *size > 0)
                    .ok_or_else(|| refuse(format!("request {}: no size above 0; give the column with the bytes of each request", number + 1)))?,
            };
            keys.push(key);
            requests.push(value, size);
        }
        if requests.is_empty() {
            return Err(refuse("no requests; give a column with some".to_owned()));
        }
        Ok(Trace {
            name: format!("{}:{column}", file.display()),
            unit: if sizes.is_some() { BYTES } else { "objects" },
            keys,
            requests,
        })
    }

    fn replayed(self, geometry: &RecyclingGeometry, capacity: u64) -> Caching {
        let mut filter = RecyclingFilter::new(geometry);
        let keys = self.keys.iter();
        let seen: Vec<bool> = keys
            .map(|key| filter.apply(key, Operation::TestAndInsert).seen())
            .collect();
        let repeated = self.requests.repeated();
        let sized = self.unit == BYTES;
        let row = |stored, replayed: Replayed| {
            let requests = self.requests.len() as f64;
            Admission {
                stored,
                hit_ratio: replayed.hits as f64 / requests,
                byte_hit_ratio: sized.then(|| replayed.hit_sizes / replayed.sizes),
                writes: replayed.writes as f64 / requests,
                byte_writes: sized.then(|| replayed.written / replayed.sizes),
                accuracy: [Accuracy::exact(1e-12); 2],
            }
        };
        let replay = |stored: &[bool]| self.requests.replay(capacity, stored);
        let always = vec![true; self.keys.len()];
        Caching {
            admissions: vec![
                row(AT_ONCE, replay(&always)),
                row(BY_FILTER, replay(&seen)),
                row(PERFECT, replay(&repeated)),
            ],
            number: Some(self.requests.len() as u64),
            requests: self.name,
            capacity,
            unit: self.unit,
            most_popular: None,
        }
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
        let bytes = self.unit == BYTES;
        let mut header = vec!["an object is stored", "hits"];
        if bytes {
            header.extend(["of bytes", "writes", "of bytes"]);
        } else {
            header.push("writes");
        }
        header.push("accuracy");
        let mut table = Table::of_numbers(header);
        for row in &self.admissions {
            let of_bytes = |share: Option<f64>| share.filter(|_| bytes).map(percent);
            let mut cells = vec![row.stored.to_owned(), percent(row.hit_ratio)];
            cells.extend(of_bytes(row.byte_hit_ratio));
            cells.push(percent(row.writes));
            cells.extend(of_bytes(row.byte_writes));
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
                "Both are those of the long run, which a large cache with few writes reaches after millions of requests. The most popular objects would hit {}, which no cache exceeds. Where sizes have nothing to do with popularity, as many bytes hit as requests.\n",
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
