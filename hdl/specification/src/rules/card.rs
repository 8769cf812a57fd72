//! Rules for `[card]`.

use super::Rules;
use crate::card::{nearest_divider, Card, Uart, MAX_CLOCKS_PER_BIT, MIN_CLOCKS_PER_BIT};
use crate::error::SpecError;
use crate::specification::FilterSpec;

/// Most that the UART's bits may be off, in thousandths: ten bits later, the stop bit is still met.
const MAX_BAUD_ERROR_PER_MILLE: u64 = 10;

impl Rules<'_> {
    /// The card, if the specification has one.
    pub fn card(&self, spec: &FilterSpec, clock_hz: u64) -> Result<Option<Card>, SpecError> {
        let Some(section) = &spec.card else {
            return Ok(None);
        };
        let uart = match section.uart_baud {
            None => None,
            Some(baud) => Some(self.uart(baud, clock_hz)?),
        };
        Ok(Some(Card { uart }))
    }

    fn uart(&self, baud: u64, clock_hz: u64) -> Result<Uart, SpecError> {
        const KEY: &str = "card.uart_baud";
        let most = clock_hz / MIN_CLOCKS_PER_BIT;
        let least = clock_hz.div_ceil(MAX_CLOCKS_PER_BIT).max(1);
        if most < least {
            let rule = format!(
                "needs a clock of at least {MIN_CLOCKS_PER_BIT} Hz, {MIN_CLOCKS_PER_BIT} clocks a bit; target.clock_hz = {clock_hz}"
            );
            return Err(self.broken(KEY, baud, rule, "raise target.clock_hz"));
        }
        let whole = self.integer(KEY, baud, least, most)?;
        let divider = nearest_divider(clock_hz, baud);
        let real = divider * baud;
        if real.abs_diff(clock_hz) * 1000 > clock_hz * MAX_BAUD_ERROR_PER_MILLE {
            let rule = format!(
                "is no whole number of clocks of target.clock_hz = {clock_hz} within 1 %: {divider} clocks a bit is nearest"
            );
            return Err(self.broken(KEY, baud, rule, super::nearest(clock_hz / divider)));
        }
        Ok(Uart::new(whole, clock_hz))
    }
}
