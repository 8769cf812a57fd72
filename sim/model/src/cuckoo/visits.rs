use crate::error::ModelError;
use bloomline_spec::{CuckooGeometry, CUCKOO_TABLES};

/// When each row was last visited, and whether the scan kept its promise: no row is left alone for longer than ages can be told apart.
#[derive(Debug, Clone)]
pub(super) struct Visits {
    /// Elements counted when a row was last visited.
    visited: [Box<[u64]>; CUCKOO_TABLES],
    elements: u64,
    most: u64,
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
            late: None,
        }
    }

    /// An element is counted.
    pub fn element(&mut self) {
        self.elements += 1;
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
        self.visited.iter_mut().for_each(|rows| rows.fill(0));
    }

    /// The first row that was visited too late, or has been left alone for too long by now.
    pub fn late(&self) -> Option<ModelError> {
        let waiting = || {
            let rows = 0..self.visited[0].len() as u32;
            (0..CUCKOO_TABLES)
                .flat_map(|table| rows.clone().map(move |row| (table, row)))
                .find_map(|(table, row)| self.lateness(table, row))
        };
        self.late.or_else(waiting)
    }
}
