use crate::{CellSample, Sample, SlidingSample};
use bloomline_spec::{CellGeometry, Common, Design, FilterSpec, Geometry, SlidingGeometry};
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

/// The geometry of a card's filter.
#[derive(Debug, Clone)]
pub enum CardGeometry {
    /// Of a recycling filter.
    Recycling(Geometry),
    /// Of a filter of cells.
    Cells(CellGeometry),
    /// Of a sliding-window filter.
    Sliding(SlidingGeometry),
}

impl CardGeometry {
    /// What every kind has.
    pub fn common(&self) -> &Common {
        match self {
            CardGeometry::Recycling(geometry) => geometry,
            CardGeometry::Cells(geometry) => geometry,
            CardGeometry::Sliding(geometry) => geometry,
        }
    }
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
                .unwrap_or_else(|error| panic!("{self:?}: {error}"))
        };
        let geometry = match &self.filter {
            SampleFilter::Recycling(sample) => CardGeometry::Recycling(
                read(sample.toml())
                    .validate()
                    .and_then(|sizing| sizing.with_threshold(sample.threshold))
                    .unwrap_or_else(|error| panic!("{self:?}: {error}")),
            ),
            SampleFilter::Cells(sample) => match read(sample.toml()).design() {
                Ok(Design::Cells(geometry)) => CardGeometry::Cells(geometry),
                other => panic!("{self:?}: {other:?}"),
            },
            SampleFilter::Sliding(sample) => CardGeometry::Sliding(sample.geometry_with(&sections)),
        };
        let uart = geometry.common().card().expect("has a card").uart;
        let clocks_per_bit = uart.map(|uart| u64::from(uart.clocks_per_bit));
        assert_eq!(clocks_per_bit, self.clocks_per_bit, "{self:?}");
        geometry
    }
}
