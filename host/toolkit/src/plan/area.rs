//! Plan section about the area on three families of FPGAs.

use super::{Page, Plan};
use crate::forecast::{whole, AreaEstimate, AreaFit, Family};
use serde::Serialize;
use serde_json::json;

/// A part to fill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartSize {
    /// Ordering code.
    pub name: String,
    /// Its family.
    pub family: Family,
    /// Lookup tables.
    pub lookup_tables: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Block RAMs: of 18 kbit where the family has no other, otherwise of 36 kbit.
    pub block_rams: u64,
}

impl PartSize {
    /// Shares of lookup tables, flip-flops and block RAMs that an estimate takes.
    fn shares(&self, estimate: &AreaEstimate) -> [f64; 3] {
        let rams = match estimate.family.block_rams() {
            [None, _] => estimate.block_rams_18_kbit as f64,
            _ => estimate.block_rams_36_kbit as f64 + 0.5 * estimate.block_rams_18_kbit as f64,
        };
        [
            estimate.lookup_tables as f64 / self.lookup_tables as f64,
            estimate.flip_flops as f64 / self.flip_flops as f64,
            rams / self.block_rams as f64,
        ]
    }
}

impl Plan {
    /// Adds the estimated area, under the key `area` and at the end of the page; with a part also the shares of it.
    pub fn add_area(&mut self, fit: &AreaFit, estimates: &[AreaEstimate], part: Option<&PartSize>) {
        let filled = part.and_then(|part| {
            let estimate = estimates.iter().find(|it| it.family == part.family)?;
            Some((part, part.shares(estimate)))
        });
        let mut area = json!({
            "of": "the filter alone, without card and packet path",
            "by": format!("an estimate of what yosys {} maps; nothing is placed", fit.yosys),
            "families": estimates,
        });
        if let Some((part, [tables, flip_flops, rams])) = filled {
            area["part"] = json!(part);
            area["share"] = json!({
                "lookup_tables": tables,
                "flip_flops": flip_flops,
                "block_rams": rams,
            });
        }
        self.values.insert("area".to_owned(), area);
        describe(&mut self.page, fit, estimates);
        if let Some((part, [tables, flip_flops, rams])) = filled {
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            self.page.briefly(format!(
                "\nOf {} that is about {} of the lookup tables, {} of the flip-flops and {} of the block RAMs.\n",
                part.name,
                percent(tables),
                percent(flip_flops),
                percent(rams)
            ));
        }
    }
}

fn describe(page: &mut Page, fit: &AreaFit, estimates: &[AreaEstimate]) {
    let families: Vec<String> = estimates.iter().map(in_words).collect();
    page.briefly(format!(
        "\nArea of the filter alone, an estimate of what yosys {} maps before anything is placed: {}. A card or a packet path around it is not counted.\n",
        fit.yosys,
        families.join("; ")
    ));
}

/// The area on one family.
fn in_words(estimate: &AreaEstimate) -> String {
    let number = |count: u64| whole(count as f64);
    let mut parts = vec![
        format!(
            "{} {} (within {:.0} %)",
            number(estimate.lookup_tables),
            estimate.family.lookup_table(),
            100.0 * estimate.lookup_table_error
        ),
        format!(
            "{} flip-flops (within {:.0} %)",
            number(estimate.flip_flops),
            100.0 * estimate.flip_flop_error
        ),
    ];
    let counts = [estimate.block_rams_36_kbit, estimate.block_rams_18_kbit];
    for (name, count) in estimate.family.block_rams().into_iter().zip(counts) {
        if let (Some(name), 1..) = (name, count) {
            parts.push(format!("{} {name}", number(count)));
        }
    }
    if counts == [0, 0] {
        parts.push("no block RAM".to_owned());
    }
    format!("{} {}", estimate.family.name(), parts.join(", "))
}
