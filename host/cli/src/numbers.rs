//! Numbers as people write them: `1e6`, `1_000_000`, `1M`, `64Ki`, and rates as `1%`.

/// How often something happened, in words.
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// A whole number below 2^64: digits, with `_` between them or a `,` before each group of three, a decimal point, a power of ten (`1e6`), and a unit
/// k, M, G, Ki, Mi, Gi; or `0x` and hexadecimal digits.
pub fn whole(text: &str) -> Result<u64, String> {
    let refused = || {
        format!("`{text}` is no whole number; write it as 65536, 65_536, 64Ki, 1e6, 1M or 0x10000")
    };
    let too_large =
        || format!("`{text}` is too large; write a whole number below 2^64, such as 65536 or 1e6");
    let plain = without_commas(text).ok_or_else(|| {
        format!("`{text}`: a comma separates groups of three digits, as in 65,536, and the decimal point is a dot; write 1.5M or 1500000")
    })?;
    let plain = without_underscores(&plain)
        .ok_or_else(|| format!("`{text}`: `_` stands between two digits, as in 65_536"))?;
    if let Some(digits) = plain.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).map_err(|_| refused());
    }
    let (number, factor) = with_unit(&plain);
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{behind}");
    let exponent = exponent.parse::<i32>().map_err(|_| refused())?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(refused());
    }
    let places = i32::try_from(behind.len()).map_err(|_| refused())?;
    let tens = exponent.saturating_sub(places);
    let power = 10_u128.checked_pow(tens.unsigned_abs());
    let digits = digits.parse::<u128>().map_err(|_| too_large())?;
    let value = digits.checked_mul(factor.into()).ok_or_else(too_large)?;
    let value = match power {
        _ if value == 0 => 0,
        Some(power) if tens < 0 && value % power == 0 => value / power,
        _ if tens < 0 => return Err(refused()),
        power => power
            .and_then(|power| value.checked_mul(power))
            .ok_or_else(too_large)?,
    };
    u64::try_from(value).map_err(|_| too_large())
}

/// The text without `_`, if each stands between two digits.
fn without_underscores(text: &str) -> Option<String> {
    let hexadecimal = text.starts_with("0x");
    let is_digit = |byte: Option<&u8>| match byte {
        Some(byte) if hexadecimal => byte.is_ascii_hexdigit(),
        byte => byte.is_some_and(u8::is_ascii_digit),
    };
    let bytes = text.as_bytes();
    let mut places = text.match_indices('_').map(|(place, _)| place);
    places
        .all(|place| is_digit(bytes[..place].last()) && is_digit(bytes.get(place + 1)))
        .then(|| text.replace('_', ""))
}

/// The text without commas, if they separate groups of three digits of a number without a decimal point.
fn without_commas(text: &str) -> Option<String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit() && c != ',');
    let mut groups = digits.split(',');
    let first = groups.next().unwrap_or_default();
    let fits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let separated = (1..=3).contains(&first.len())
        && fits(first)
        && groups.all(|group| group.len() == 3 && fits(group));
    (separated || !text.contains(',')).then(|| text.replace(',', ""))
}

/// The same, from 1.
pub fn count(text: &str) -> Result<u64, String> {
    match whole(text)? {
        0 => Err("must be at least 1".to_owned()),
        number => Ok(number),
    }
}

/// A mean number of things: from 1, or a fraction above 0.
pub fn mean(text: &str) -> Result<f64, String> {
    count(text).map(|number| number as f64).or_else(|refused| {
        let value = text.parse::<f64>().ok();
        let value = value.filter(|value| *value > 0.0 && value.is_finite());
        let zero = text.parse::<f64>() == Ok(0.0);
        value.ok_or_else(|| match zero {
            true => "must be above 0".to_owned(),
            false => refused,
        })
    })
}

/// A seed of nextpnr: it takes 31 bits.
pub fn placer_seed(text: &str) -> Result<u64, String> {
    let number = whole(text)?;
    let fits = i32::try_from(number).is_ok();
    fits.then_some(number)
        .ok_or_else(|| format!("{number} is above {}: take a smaller seed", i32::MAX))
}

/// An amount that an item adds to a counter.
pub fn amount(text: &str) -> Result<u32, String> {
    let number = whole(text)?;
    u32::try_from(number).map_err(|_| format!("{number} is above 4,294,967,295"))
}

/// A number of hashes, or of other things of which there are few: from 1.
pub fn few(text: &str) -> Result<u32, String> {
    let number = count(text)?;
    u32::try_from(number).map_err(|_| format!("{number} is too many"))
}

/// A rate or probability, above 0 and below 1: `0.01`, `1e-2` or `1%`.
pub fn rate(text: &str) -> Result<f64, String> {
    let refused =
        || format!("`{text}` is no rate; write it as 0.01, 1e-2 or 1%, above 0 and below 1");
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|value| value / 100.0),
        None => text.parse::<f64>(),
    };
    let value = value.map_err(|_| refused())?;
    (value > 0.0 && value < 1.0)
        .then_some(value)
        .ok_or_else(refused)
}

/// A confidence, above 0 and below 1: `0.95` or `95%`.
pub fn confidence(text: &str) -> Result<f64, String> {
    rate(text)
        .map_err(|_| format!("`{text}` is no confidence; write it as 0.95 or 95%, between 0 and 1"))
}

fn with_unit(text: &str) -> (&str, u64) {
    const UNITS: [(&str, u64); 7] = [
        ("Ki", 1 << 10),
        ("Mi", 1 << 20),
        ("Gi", 1 << 30),
        ("k", 1_000),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
    ];
    let found = UNITS.iter().find_map(|&(unit, factor)| {
        let number = text.strip_suffix(unit)?;
        Some((number, factor))
    });
    found.unwrap_or((text, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for text in [
            "1000000",
            "1_000_000",
            "1,000,000",
            "1e6",
            "1M",
            "1000k",
            "0xF4240",
        ] {
            assert_eq!(whole(text), Ok(1_000_000), "{text}");
        }
        assert_eq!(whole("64Ki"), Ok(65_536));
        for (text, number) in [
            ("1.5k", 1_500),
            ("1.5Ki", 1_536),
            ("15e-1k", 1_500),
            ("2,500k", 2_500_000),
            ("0x1_0000", 65_536),
            ("1e16", 10_000_000_000_000_000),
            ("9223372036854775807", i64::MAX as u64),
            ("9.223372036854775807e18", i64::MAX as u64),
            ("0e99", 0),
        ] {
            assert_eq!(whole(text), Ok(number), "{text}");
        }
        for text in [
            "",
            "M",
            "1.5",
            "-1",
            "1e30",
            "ten",
            "0x",
            "1e",
            ".",
            "1e-3",
            "1e-99",
            "1e17Ki",
            "99999999999999999999",
        ] {
            assert!(whole(text).is_err(), "{text}");
        }
        for text in [
            "1,5M", "1,00", ",100", "1,000,", "1,000.5k", "1234,567", "1,0_00",
        ] {
            let refused = whole(text).expect_err(text);
            assert!(refused.contains("groups of three digits"), "{refused}");
        }
        for text in ["_1", "1_", "1__000", "1_k", "1_.5k"] {
            let refused = whole(text).expect_err(text);
            assert!(refused.contains("between two digits"), "{refused}");
        }
        assert_eq!((mean("10k"), mean("0.5")), (Ok(10_000.0), Ok(0.5)));
        assert!(["0", "-1", "nan", "inf", "ten"]
            .into_iter()
            .all(|text| mean(text).is_err()));
        let large = whole("18446744073709551616").expect_err("65 bits");
        assert!(large.contains("too large"), "{large}");
        assert_eq!(count("0"), Err("must be at least 1".to_owned()));
    }

    #[test]
    fn rates_are_read_as_people_write_them() {
        for text in ["0.01", "1%", "1e-2", "1 %"] {
            assert_eq!(rate(text), Ok(0.01), "{text}");
        }
        for text in ["0", "1", "100%", "-0.1", "nan", "low"] {
            assert!(rate(text).is_err(), "{text}");
        }
    }
}
