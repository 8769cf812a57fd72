//! Indices of `Vec` fields, which rust-hdl's macro hands over as text: `i+1`, `2*i`, `last$position()-1`.

/// The value of `text`; `name` resolves what is neither number nor operator.
///
/// # Errors
/// The part that cannot be resolved, or the whole text when it is no number from 0 to `usize::MAX`.
pub(super) fn value(text: &str, name: &dyn Fn(&str) -> Option<usize>) -> Result<usize, String> {
    let mut parser = Parser { rest: text, name };
    let value = parser.sum()?;
    if !parser.rest.is_empty() {
        return Err(text.to_string());
    }
    usize::try_from(value).map_err(|_| text.to_string())
}

struct Parser<'t> {
    rest: &'t str,
    name: &'t dyn Fn(&str) -> Option<usize>,
}

impl Parser<'_> {
    fn take(&mut self, operators: &[char]) -> Option<char> {
        let c = self.rest.chars().next().filter(|c| operators.contains(c))?;
        self.rest = &self.rest[1..];
        Some(c)
    }

    fn sum(&mut self) -> Result<i128, String> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let other = self.product()?;
            value += if operator == '+' { other } else { -other };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i128, String> {
        let mut value = self.atom()?;
        while let Some(operator) = self.take(&['*', '/', '%']) {
            let other = self.atom()?;
            let result = match operator {
                '*' => value.checked_mul(other),
                '/' => value.checked_div(other),
                _ => value.checked_rem(other),
            };
            value = result.ok_or_else(|| self.rest.to_string())?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<i128, String> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return self
                .take(&[')'])
                .map(|_| value)
                .ok_or_else(|| self.rest.to_string());
        }
        let mut end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
            .unwrap_or(self.rest.len());
        if self.rest[end..].starts_with("()") {
            end += 2;
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = word.trim_end_matches("usize");
        let value = number.parse().ok().or_else(|| (self.name)(word));
        value
            .map(|v: usize| v as i128)
            .ok_or_else(|| word.to_string())
    }
}
