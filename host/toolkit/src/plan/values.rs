//! A plan as one flat object: a number a key, with the formulas and accuracies of the same keys beside them.

use super::{card, features};
use crate::forecast::Line;
use bloomline_spec::{Common, Design, Parity};
use serde_json::{json, Map, Value};

/// What the plans of all kinds say, each from sources of its own.
pub(super) struct Values<'a> {
    pub design: Design,
    /// What the specification states or its rules choose, an object.
    pub stated: Value,
    /// Data bits with the bits that protect them.
    pub stored_bits: u64,
    pub lines: &'a [Line],
    pub reasons: Vec<(&'static str, String)>,
    pub alternatives: Value,
    pub warnings: &'a [String],
}

impl Values<'_> {
    pub fn into_json(self) -> Map<String, Value> {
        let mut plan = Map::new();
        let mut formula = Map::new();
        let mut accuracy = Map::new();
        for line in self.lines {
            plan.insert(line.key.to_owned(), line.value.into());
            formula.insert(line.key.to_owned(), line.formula.clone().into());
            accuracy.insert(line.key.to_owned(), json!(line.accuracy));
        }
        // A size that is predicted too is whole only as it is stated.
        if let Value::Object(stated) = self.stated {
            plan.extend(stated);
        }
        plan.extend(protection(self.design.common(), self.stored_bits));
        if let Some(chosen) = features::as_json(&self.design) {
            plan.insert("features".to_owned(), chosen);
        }
        if let Some(card) = card::json(&self.design, self.lines) {
            plan.insert("card".to_owned(), card);
        }
        plan.insert("formula".to_owned(), formula.into());
        plan.insert("accuracy".to_owned(), accuracy.into());
        let reasons = self.reasons.into_iter();
        let reasons: Map<String, Value> = reasons
            .map(|(key, text)| (key.to_owned(), text.into()))
            .collect();
        plan.insert("reasons".to_owned(), reasons.into());
        plan.insert("alternatives".to_owned(), self.alternatives);
        plan.insert("warnings".to_owned(), self.warnings.to_vec().into());
        plan
    }
}

/// What is stored beside the data; nothing where nothing is.
fn protection(common: &Common, stored_bits: u64) -> impl Iterator<Item = (String, Value)> {
    let parity = (common.parity() != Parity::None).then(|| common.parity().word().into());
    let ecc = common.ecc().then(|| true.into());
    let stored = (parity.is_some() || ecc.is_some()).then(|| stored_bits.into());
    let values = [("parity", parity), ("ecc", ecc), ("stored_bits", stored)];
    values
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
}
