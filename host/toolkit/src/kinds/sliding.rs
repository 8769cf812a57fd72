use super::windows::Windowed;
use super::{Plannable, Planned};
use crate::forecast::SlidingForecast;
use crate::plan::{sliding, Plan, Summary};
use crate::resolved::Sliding;
use crate::Error;
use bloomline_spec::{Design, SlidingGeometry, SlidingTiming, WindowTable};
use serde_json::{json, Value};
use std::path::Path;

impl Plannable for SlidingGeometry {
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error> {
        Ok(Box::new(Sliding {
            forecast: SlidingForecast::of(file, self)?,
            geometry: self.clone(),
        }))
    }
}

impl Windowed for SlidingGeometry {
    const TABLE: WindowTable = WindowTable::Buckets;
    const NOUN: &'static str = "sliding-window Bloom filter";

    fn design(&self) -> Design {
        self.into()
    }

    fn window_and_slack(&self) -> (u64, u64) {
        (self.window(), self.slack())
    }

    fn tables(&self) -> String {
        format!("buckets of {} cells", self.bucket_cells())
    }

    fn plan(of: &Sliding) -> Plan {
        sliding::plan(of)
    }

    fn summary(of: &Sliding) -> Summary {
        sliding::summary(of)
    }

    fn own_values(&self) -> Value {
        json!({
            "generations": self.generations(),
            "generation_items": self.generation_items(),
            "live_items": self.live_items(),
            "generation_bits": self.generation_bits(),
            "scan_interval": self.scan_interval(),
            "front_buckets": self.front_buckets(),
            "back_buckets": self.back_buckets(),
            "bucket_cells": self.bucket_cells(),
            "store_cells": self.store_cells(),
            "fingerprint_bits": self.fingerprint_bits(),
            "cell_bits": self.cell_bits(),
            "position": {
                "front_bits": self.front_bits(),
                "back_bits": self.back_bits(),
                "doc": "position 0: the low front_bits are the front bucket; position 1: the low back_bits are the back bucket; the high \
                        fingerprint_bits of each are its fingerprint; a cell of the store holds all of position 0",
            },
        })
    }

    fn stages_and_scan(&self) -> (SlidingTiming, (&'static str, Value)) {
        (
            self.timing(),
            ("scan_interval", self.scan_interval().into()),
        )
    }
}
