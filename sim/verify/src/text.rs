//! Formats numbers for people.

/// A number for a table: whole numbers in full, others with six significant digits.
pub fn format_value(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        format!("{value:.0}")
    } else if (1e-3..1e6).contains(&value.abs()) {
        let decimals = (5 - value.abs().log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
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

/// A whole number with its thousands set apart.
pub fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{format_value, short, whole};

    #[test]
    fn values_keep_six_digits_and_whole_numbers_all() {
        let cases = [
            (0.0, "0"),
            (65_536.0, "65536"),
            (0.012_345_678, "0.0123457"),
            (8_710.123_456, "8710.12"),
            (250e6, "250000000"),
            (1.234_567_89e-7, "1.23457e-7"),
        ];
        for (value, expected) in cases {
            assert_eq!(format_value(value), expected);
        }
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
    }
}
