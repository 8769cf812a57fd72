//! Emitted counters that have counted before.

use bloomline_bench::verilator::Design;

/// Makes each counter of a design stand at `count` when the power comes.
///
/// # Panics
/// Where the text has no `event_counters`, or has them otherwise than this knows.
pub fn with_counts(design: &mut Design, count: u64) {
    let mut changes = 0;
    for (_, text) in &mut design.sources {
        let mut module = String::new();
        let lines = text.lines().map(|line| {
            if let Some(name) = line.strip_prefix("module ") {
                module = name.trim_end_matches(" (").to_string();
            }
            let aged = aged(&module, line, count);
            changes += usize::from(aged.is_some());
            aged.unwrap_or_else(|| line.to_string()) + "\n"
        });
        *text = lines.collect();
    }
    // A narrow counter, what says that the memory counts, and the memory of the lower halves.
    assert!(changes >= 3, "{}: {changes} values at power-up", design.top);
}

/// A line of a module that says what stands at power-up in a counter that stands at `count`.
fn aged(module: &str, line: &str, count: u64) -> Option<String> {
    let (name, value) = line.trim_start().rsplit_once(" = ")?;
    let name = name.rsplit("] ").next().unwrap_or(name).trim();
    let width: u32 = value.strip_suffix("'d0;")?.parse().ok()?;
    let low = count & 0xffff_ffff;
    let value = match module {
        "event_counters" if name == "valid" => (1 << width) - 1,
        "event_counters" if name.starts_with("recent_") && name != "recent_late" => {
            count & ((1 << width) - 1)
        }
        "counter_memory" | "counter_memory_2" if name.ends_with("entries[i]") => match width {
            32 => count >> 32,
            // The bits above the narrow counter, and that one's highest bit.
            _ => {
                let narrow = 33 - width;
                (low >> narrow << 1) | (low >> (narrow - 1) & 1)
            }
        },
        _ => return None,
    };
    let zero = format!("{width}'d0;");
    Some(line.replace(&zero, &format!("{width}'d{value};")))
}
