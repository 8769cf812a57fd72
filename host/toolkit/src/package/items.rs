//! Items with the verdicts that a filter gives to them, from an empty filter on.

use super::vectors::keys;
use bloomline_model::functional_model;
use bloomline_spec::{CellOperation, Common, Design, Key, OPERATION_BITS};
use serde::Serialize;

/// An item as the item stream carries it, and its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The key as an integer, hexadecimal: `s_item_tdata`.
    pub key: String,
    /// What is asked: `s_item_tuser`.
    pub tuser: u64,
    /// What is answered, hexadecimal: `m_verdict_tdata`; nothing for a plain insert.
    pub verdict: Option<String>,
}

/// The items: every key of the vectors queried; some inserted, some test-and-inserted; every key queried again; then a removal where a
/// filter has it, else one more test-and-insert, of every fourth key. Verdicts are the functional model's.
pub fn items(design: &Design) -> Vec<Item> {
    let common: &Common = design;
    let keys = keys(common);
    let mut model = functional_model(design);
    let amount_bits = common.operation_bits() - OPERATION_BITS;
    let query = |_| Some(CellOperation::Query);
    let insert = |place: usize| match place % 4 {
        0 | 3 => Some(CellOperation::TestAndInsert),
        1 => Some(CellOperation::Insert),
        _ => None,
    };
    let last = |place: usize| place.is_multiple_of(4).then_some(CellOperation::Remove);
    let rounds: [&dyn Fn(usize) -> Option<CellOperation>; 4] = [&query, &insert, &query, &last];
    let mut items = Vec::new();
    for round in rounds {
        for (place, key) in keys.iter().enumerate() {
            if let Some(operation) = round(place) {
                let amount =
                    (place as u32 + 1) & u32::MAX.checked_shr(32 - amount_bits).unwrap_or(0);
                items.push(item(&mut *model, key, operation, amount));
            }
        }
    }
    items
}

fn item(
    model: &mut dyn bloomline_model::FilterModel,
    key: &Key,
    operation: CellOperation,
    amount: u32,
) -> Item {
    let verdict = model.item(key, operation, amount);
    Item {
        key: key.to_string(),
        tuser: u64::from(amount) << OPERATION_BITS | u64::from(operation.code()),
        verdict: operation.has_verdict().then(|| format!("0x{verdict:x}")),
    }
}
