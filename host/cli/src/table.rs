//! A column of a table, as options name it: `FILE:COLUMN`, or `FILE:#1` by its position.

use anyhow::Context;
use std::path::PathBuf;

/// File and column of what was given to `option`. Warns of a column whose name is a number: it is likely a key.
///
/// # Errors
/// That there is no colon.
pub fn column(option: &str, text: &str) -> anyhow::Result<(PathBuf, String)> {
    let (file, column) = text.rsplit_once(':').with_context(|| {
        format!("{option} {text}: must be FILE:COLUMN, for example trace.csv:lbn, or trace.csv:#1 for the first column")
    })?;
    if column.parse::<f64>().is_ok() {
        note!(
            "warning: {option} {text}: the first line of {file} is taken as the names of its columns, and {column} is a number; if that line holds keys too, \
             give the position of the column, {file}:#1 for the first"
        );
    }
    Ok((file.into(), column.to_owned()))
}
