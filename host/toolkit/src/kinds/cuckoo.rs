use super::windows::Windowed;
use super::{Plannable, Planned};
use crate::forecast::SlidingForecast;
use crate::plan::{cuckoo, Plan, Summary};
use crate::resolved::Cuckoo;
use crate::Error;
use bloomline_spec::{CuckooGeometry, Design, SlidingTiming, WindowTable, CUCKOO_TABLES};
use serde_json::{json, Value};
use std::path::Path;

impl Plannable for CuckooGeometry {
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error> {
        let forecast = SlidingForecast::on_cuckoo_tables(file, self)?;
        let geometry = self.clone();
        Ok(Box::new(Cuckoo { geometry, forecast }))
    }
}

impl Windowed for CuckooGeometry {
    const TABLE: WindowTable = WindowTable::Cuckoo;
    const NOUN: &'static str = "sliding-window filter on cuckoo tables";

    fn design(&self) -> Design {
        self.into()
    }

    fn window_and_slack(&self) -> (u64, u64) {
        (self.window(), self.slack())
    }

    fn tables(&self) -> String {
        format!("rows of {} cells", self.row_cells())
    }

    fn plan(of: &Cuckoo) -> Plan {
        cuckoo::plan(of)
    }

    fn summary(of: &Cuckoo) -> Summary {
        cuckoo::summary(of)
    }

    fn own_values(&self) -> Value {
        json!({
            "tables": CUCKOO_TABLES,
            "rows": self.rows(),
            "row_cells": self.row_cells(),
            "row_masks": self.masks(),
            "stash_cells": self.stash_cells(),
            "fingerprint_bits": self.fingerprint_bits(),
            "fingerprints": self.fingerprints(),
            "generation_bits": self.generation_bits(),
            "generation_values": self.generation_values(),
            "cell_bits": self.cell_bits(),
            "generations": self.generations(),
            "generation_items": self.generation_items(),
            "live_items": self.live_items(),
            "scan_quota": self.scan_quota(),
            "scan_room": self.scan_room(),
            "position": {
                "row_bits": self.row_bits(),
                "doc": "position 0 is the identity: the low row_bits are its row in table 0, the rest is its fingerprint; bit j of the row in table T \
                        is that of table 0, plus the bits of the fingerprint under row_masks[T - 1][j], modulo 2",
            },
        })
    }

    fn stages_and_scan(&self) -> (SlidingTiming, (&'static str, Value)) {
        (self.timing(), ("scan_quota", self.scan_quota().into()))
    }
}
