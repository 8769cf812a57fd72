use super::{Check, ClaimsError, Journal, Table};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Sorts checks: first those of claims about a file that changed, then those whose last pass is longest ago or that never passed. A run that ends
/// early therefore leaves for the next one what that one begins with. Equal ones come in an order that is another for each source tree, so
/// that machines which keep no journal come to every check in the end.
pub fn most_urgent_first(
    checks: &mut [Check],
    table: &Table,
    changed: &[String],
    journal: &Journal,
    tree: &str,
) {
    let touched: BTreeMap<&str, bool> = table
        .claims
        .iter()
        .map(|claim| (claim.name.as_str(), claim.is_about(changed)))
        .collect();
    checks.sort_by_cached_key(|check| {
        let key = check.key();
        let untouched = !touched.get(check.claim.as_str()).copied().unwrap_or(false);
        let turn = Sha256::digest(format!("{tree} {key}"));
        (untouched, journal.last_pass(&key), turn)
    });
}

/// The checks of shard `text`, `i/n` with i from 1 to n: the same number of seconds in each, as nearly as whole checks allow, and each check in
/// exactly one.
///
/// # Errors
/// When the text is no shard.
pub fn shard(checks: Vec<Check>, text: &str) -> Result<Vec<Check>, ClaimsError> {
    let wrong = || {
        ClaimsError::Usage(format!(
            "--shard {text}: expected i/n with 1 <= i <= n, for example 1/4"
        ))
    };
    let (index, shards) = text.split_once('/').ok_or_else(wrong)?;
    let index: usize = index.parse().map_err(|_| wrong())?;
    let shards: usize = shards.parse().map_err(|_| wrong())?;
    if index < 1 || index > shards {
        return Err(wrong());
    }
    // The longest first, each to the shard that has least; the order within a shard stays as it was.
    let mut by_length: Vec<usize> = (0..checks.len()).collect();
    by_length.sort_by(|&a, &b| {
        checks[b]
            .estimate_seconds
            .total_cmp(&checks[a].estimate_seconds)
    });
    let mut sums = vec![0.0; shards];
    let mut mine = vec![false; checks.len()];
    for check in by_length {
        let least = (0..shards)
            .min_by(|&a, &b| f64::total_cmp(&sums[a], &sums[b]))
            .unwrap_or(0);
        sums[least] += checks[check].estimate_seconds;
        mine[check] = least + 1 == index;
    }
    let kept = checks.into_iter().zip(mine).filter(|(_, mine)| *mine);
    Ok(kept.map(|(check, _)| check).collect())
}
