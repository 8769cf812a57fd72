use crate::error::ModelError;

/// Where the scan stands, and whether it kept its promise: no bucket is left alone for longer than ages can be told apart.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    address: usize,
    /// Elements counted when the scan was last at a bucket of the front table.
    visited: Vec<u64>,
    elements: u64,
    most: u64,
    late: Option<ModelError>,
}

impl Scan {
    /// Of `buckets` buckets, each to be met within `most` elements.
    pub fn new(buckets: usize, most: u64) -> Scan {
        Scan {
            address: 0,
            visited: vec![0; buckets],
            elements: 0,
            most,
            late: None,
        }
    }

    /// An element is counted.
    pub fn element(&mut self) {
        self.elements += 1;
    }

    /// The scan goes on to the next bucket.
    pub fn visit(&mut self) {
        let elements = self.elements - self.visited[self.address];
        if elements > self.most {
            self.late.get_or_insert(ModelError::LateScan {
                bucket: self.address,
                elements,
                most: self.most,
            });
        }
        self.visited[self.address] = self.elements;
        self.address = (self.address + 1) % self.visited.len();
    }

    /// The wipe that follows goes to every bucket.
    pub fn restart(&mut self) {
        self.address = 0;
        self.elements = 0;
        self.visited.fill(0);
    }

    pub fn late(&self) -> Option<&ModelError> {
        self.late.as_ref()
    }
}
