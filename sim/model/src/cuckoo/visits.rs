use crate::error::ModelError;
use bloomline_spec::{CuckooGeometry, CUCKOO_TABLES};

/// When each row was last visited, and whether the scan kept its promise: no row is left alone for longer than ages can be told apart.
#[derive(Debug, Clone)]
pub(super) struct Visits {
    /// Elements counted when a row was last visited.
    visited: [Box<[u64]>; CUCKOO_TABLES],
    elements: u64,
    most: u64,
    /// No row was last visited before so many elements. Rows are visited later and later, so this holds until it is looked up anew.
    all_since: u64,
    late: Option<ModelError>,
}

impl Visits {
    pub fn new(geometry: &CuckooGeometry) -> Visits {
        let rows = geometry.rows() as usize;
        let values = geometry.generation_values() - geometry.generations() - 2;
        Visits {
            visited: std::array::from_fn(|_| vec![0; rows].into()),
            elements: 0,
            most: u64::from(values) * geometry.generation_items(),
            all_since: 0,
            late: None,
        }
    }

    /// An element is counted.
    pub fn element(&mut self) {
        self.elements += 1;
        if self.elements - self.all_since > self.most {
            let all = self.visited.iter().flatten();
            self.all_since = all.copied().min().unwrap_or(0);
        }
    }

    /// A row is visited.
    pub fn visit(&mut self, table: usize, row: u32) {
        let late = self.lateness(table, row);
        self.late = self.late.take().or(late);
        self.visited[table][row as usize] = self.elements;
    }

    fn lateness(&self, table: usize, row: u32) -> Option<ModelError> {
        let elements = self.elements - self.visited[table][row as usize];
        (elements > self.most).then_some(ModelError::LateVisit {
            table,
            row,
            elements,
            most: self.most,
        })
    }

    /// The wipe that follows goes to every row.
    pub fn restart(&mut self) {
        self.elements = 0;
        self.all_since = 0;
        self.visited.iter_mut().for_each(|rows| rows.fill(0));
    }

    /// The first row that was visited too late, or has been left alone for too long by now.
    pub fn late(&self) -> Option<ModelError> {
        let waiting = || {
            if self.elements - self.all_since <= self.most {
                return None;
            }
            let rows = 0..self.visited[0].len() as u32;
            (0..CUCKOO_TABLES)
                .flat_map(|table| rows.clone().map(move |row| (table, row)))
                .find_map(|(table, row)| self.lateness(table, row))
        };
        self.late.or_else(waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, CUCKOO_EXAMPLES};
    use std::path::Path;

    #[test]
    fn a_row_is_late_as_soon_as_it_has_been_left_alone_for_too_long() {
        let (file, text) = CUCKOO_EXAMPLES[0];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let mut visits = Visits::new(&spec.cuckoo().expect("an example"));
        visits.most = 50;
        visits
            .visited
            .iter_mut()
            .for_each(|rows| *rows = vec![0; 4].into());
        // rows in turn, each 48 elements behind its last visit; then all but one
        for element in 0..1000_u64 {
            visits.element();
            let (table, row) = (element / 3 % 4, element / 12 % 4);
            if element % 3 == 0 && (element < 500 || (table, row) != (2, 1)) {
                visits.visit(table as usize, row as u32);
            }
            let alone = |row: &&u64| visits.elements - **row > visits.most;
            let late = visits.visited.iter().flatten().find(alone);
            assert_eq!(visits.late().is_some(), late.is_some(), "{element}");
        }
        let late = visits.late();
        assert!(
            matches!(
                late,
                Some(ModelError::LateVisit {
                    table: 2,
                    row: 1,
                    ..
                })
            ),
            "{late:?}"
        );
        visits.restart();
        assert_eq!(visits.late(), None);
    }
}
