//! A chart as CSV.

use super::{Chart, FigureError};

/// One line a point: series, role, x, y and, where measured, the interval and the counts. Comment lines before say what it is.
///
/// # Errors
/// [`FigureError::Chart`] if a name cannot be written, which does not happen.
pub fn csv(figure: &str, chart: &Chart, run: &str) -> Result<String, FigureError> {
    let failed = |why: String| FigureError::Chart {
        figure: figure.to_owned(),
        why,
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [String; 9]| {
        writer
            .write_record(row)
            .map_err(|error| failed(error.to_string()))
    };
    write(
        [
            "series",
            "role",
            "x",
            "y",
            "low",
            "high",
            "confidence",
            "trials",
            "events",
        ]
        .map(str::to_owned),
    )?;
    for series in &chart.series {
        for point in &series.points {
            let interval = |part: fn(&crate::stats::Interval) -> f64| {
                point
                    .interval
                    .as_ref()
                    .map_or(String::new(), |interval| part(interval).to_string())
            };
            let count = |part: fn(&(u64, u64)) -> u64| {
                point
                    .counts
                    .as_ref()
                    .map_or(String::new(), |counts| part(counts).to_string())
            };
            write([
                series.name.clone(),
                series.role.word().to_owned(),
                point.x.to_string(),
                point.y.to_string(),
                interval(|interval| interval.low),
                interval(|interval| interval.high),
                interval(|interval| interval.confidence),
                count(|counts| counts.0),
                count(|counts| counts.1),
            ])?;
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| failed(error.to_string()))?;
    let rows = String::from_utf8(bytes).map_err(|error| failed(error.to_string()))?;
    Ok(format!(
        "# {}\n# {}\n# {run}\n# x: {}; y: {}\n{rows}",
        chart.title, chart.setting, chart.x.label, chart.y.label
    ))
}
