use crate::{CardGeometry, CellSample, Sample, SlidingSample};
use bloomline_spec::FilterSpec;
use std::path::Path;

/// A card for tests: a small filter, and how the host comes.
#[derive(Debug, Clone, Copy)]
pub struct CardSample {
    /// The filter.
    pub filter: SampleFilter,
    /// Clocks of a bit on the UART; `None` for AXI4-Lite pins.
    pub clocks_per_bit: Option<u64>,
    /// Clocks until a command is dropped.
    pub timeout: u64,
}

/// A small filter of any kind.
#[derive(Debug, Clone, Copy)]
pub enum SampleFilter {
    /// A recycling filter.
    Recycling(Sample),
    /// A filter of cells.
    Cells(CellSample),
    /// A sliding-window filter.
    Sliding(SlidingSample),
}

impl CardSample {
    /// The recycling filter of [`Sample::BASE`], eight clocks a bit.
    pub const BASE: CardSample = CardSample {
        filter: SampleFilter::Recycling(Sample::BASE),
        clocks_per_bit: Some(8),
        timeout: 3_200,
    };

    /// The sections that make a filter a card.
    fn sections(&self) -> String {
        let clock_hz = 10 * self.timeout;
        let uart = match self.clocks_per_bit {
            Some(n) => format!("uart_baud = {}\n", (clock_hz + n / 2) / n),
            None => String::new(),
        };
        format!("[target]\nclock_hz = {clock_hz}\n[card]\n{uart}")
    }

    /// The geometry.
    ///
    /// # Panics
    /// When the sample is no legal specification of a card with so many clocks a bit.
    pub fn geometry(&self) -> CardGeometry {
        let sections = self.sections();
        let read = |toml: String| {
            FilterSpec::from_toml(&(toml + &sections), Path::new("sample.toml"))
                .and_then(|spec| spec.design())
                .unwrap_or_else(|error| panic!("{self:?}: {error}"))
        };
        let geometry = match &self.filter {
            SampleFilter::Recycling(sample) => read(sample.toml()),
            SampleFilter::Cells(sample) => read(sample.toml()),
            SampleFilter::Sliding(sample) => sample.geometry_with(&sections).into(),
        };
        let uart = geometry.common().card().expect("has a card").uart;
        let clocks_per_bit = uart.map(|uart| u64::from(uart.clocks_per_bit));
        assert_eq!(clocks_per_bit, self.clocks_per_bit, "{self:?}");
        geometry
    }
}
