//! Formats numbers for people.

/// A number for a table: whole numbers in full, others with six significant digits; thousands are separated by commas.
pub fn format_value(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        whole(value)
    } else if (1e-3..1e6).contains(&value.abs()) {
        let decimals = (5 - value.abs().log10().floor() as i32).max(0) as usize;
        grouped(&format!("{value:.decimals$}"))
    } else {
        format!("{value:.5e}")
    }
}

/// A number for a table, from its logarithm where doubles end.
pub fn format_number(value: f64, ln: Option<f64>) -> String {
    let Some(ln) = ln else {
        return format_value(value);
    };
    let log10 = ln / std::f64::consts::LN_10;
    let exponent = log10.floor();
    format!("{:.5}e{exponent:.0}", 10f64.powf(log10 - exponent))
}

/// A rate with three significant digits.
pub fn short(rate: f64) -> String {
    let scientific = format!("{rate:.2e}");
    let rounded = scientific.parse().unwrap_or(rate);
    if rounded == 0.0 {
        "0".to_owned()
    } else if rounded >= 1e-3 {
        let digits = (2 - f64::log10(rounded).floor() as i32).max(0) as usize;
        format!("{rounded:.digits$}")
    } else {
        scientific
    }
}

/// A rate or share as people read it: percent with three significant digits, or a power of ten where it is small.
pub fn percent(rate: f64) -> String {
    match rate {
        0.0 => "0 %".to_owned(),
        rate if rate.abs() >= 1e-5 => format!("{} %", short(100.0 * rate)),
        rate => short(rate),
    }
}

/// A predicted rate with its own error, where that shows in the digits that are printed: `2.40 % ± 0.0406 %`.
pub fn with_error(rate: f64, error: f64) -> String {
    if error <= 1e-3 * rate {
        return percent(rate);
    }
    format!("{} \u{b1} {}", percent(rate), percent(error))
}

/// A rate with the ends of its interval: `1.02 % (0.94 % to 1.10 %)`, all with the same decimals.
pub fn interval_text(rate: f64, low: f64, high: f64) -> String {
    // one digit of the interval's half width, in percent
    let half = (high - low).abs() / 2.0;
    if !(half.is_finite() && half >= 1e-7) {
        return format!("{} ({} to {})", percent(rate), percent(low), percent(high));
    }
    let decimals = match (100.0 * half).log10().floor() as i32 {
        power if power >= 1 => 0,
        power => (-power).clamp(1, 6) as usize,
    };
    let text = |value: f64| format!("{:.decimals$} %", 100.0 * value);
    format!("{} ({} to {})", text(rate), text(low), text(high))
}

/// A number of things a second: `250 million`.
pub fn per_second(items: f64) -> String {
    match items {
        n if n >= 1e9 => format!("{} billion", trimmed(n / 1e9)),
        n if n >= 1e6 => format!("{} million", trimmed(n / 1e6)),
        n => whole(n),
    }
}

fn trimmed(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A number of things, with an `s` where there are none or several.
pub fn things(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", whole(number as f64))
}

/// A whole number with its thousands set apart.
pub fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

/// A decimal number with commas between the thousands before its point.
fn grouped(number: &str) -> String {
    let (sign, number) = number.split_at(usize::from(number.starts_with('-')));
    let end = number.find('.').unwrap_or(number.len());
    let mut text = sign.to_owned();
    for (i, digit) in number.chars().enumerate() {
        if i > 0 && i < end && (end - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{format_value, interval_text, per_second, percent, short, things, whole};

    #[test]
    fn values_keep_six_digits_and_whole_numbers_all() {
        let cases = [
            (0.0, "0"),
            (65_536.0, "65,536"),
            (-1_000.0, "-1,000"),
            (-999.0, "-999"),
            (123_456.7, "123,457"),
            (0.012_345_678, "0.0123457"),
            (8_710.123_456, "8,710.12"),
            (250e6, "250,000,000"),
            (1.234_567_89e-7, "1.23457e-7"),
        ];
        for (value, expected) in cases {
            assert_eq!(format_value(value), expected);
        }
    }

    #[test]
    fn rates_are_in_percent_with_the_digits_that_the_interval_allows() {
        assert_eq!(
            interval_text(0.010_2, 0.009_4, 0.011),
            "1.02 % (0.94 % to 1.10 %)"
        );
        assert_eq!(interval_text(0.0102, 0.001, 0.03), "1.0 % (0.1 % to 3.0 %)");
        assert_eq!(interval_text(0.0, 0.0, 1.0), "0 % (0 % to 100 %)");
        assert_eq!(
            [
                percent(0.01),
                percent(0.000_098),
                percent(1.2e-7),
                percent(0.0)
            ],
            ["1.00 %", "0.00980 %", "1.20e-7", "0 %"]
        );
        assert_eq!(
            [per_second(250e6), per_second(17.857e6), per_second(9_600.0)],
            ["250 million", "17.9 million", "9,600"]
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [short(0.009998), short(0.0158), short(1.234e-6), short(0.5)],
            ["0.0100", "0.0158", "1.23e-6", "0.500"]
        );
        assert_eq!(
            [whole(7.4), whole(1234.6), whole(12_345_678.0)],
            ["7", "1,235", "12,345,678"]
        );
        assert_eq!(
            [0, 1, 1234].map(|number| things(number, "bank")),
            ["0 banks", "1 bank", "1,234 banks"]
        );
    }
}
