//! From a geometry to Verilog.

use crate::card::{
    CellAxilCard, CellUartCard, FoldedAxilCard, FoldedUartCard, RecyclingAxilCard,
    RecyclingUartCard, SlidingAxilCard, SlidingUartCard,
};
use crate::emit::{self, EmitError, Emitted, Options};
use crate::folded::FoldedFilter;
use crate::linecard::{CellLineCard, FoldedLineCard, RecyclingLineCard, SlidingLineCard};
use crate::packet::{
    CellAxilBytePath, CellAxilWidePath, CellUartBytePath, CellUartWidePath, FoldedAxilBytePath,
    FoldedAxilWidePath, FoldedUartBytePath, FoldedUartWidePath, RecyclingAxilBytePath,
    RecyclingAxilWidePath, RecyclingUartBytePath, RecyclingUartWidePath, SlidingAxilBytePath,
    SlidingAxilWidePath, SlidingUartBytePath, SlidingUartWidePath,
};
use crate::pipeline::{CellFilter, RecyclingFilter, SlidingFilter};
use bloomline_spec::{by_kind, CellGeometry, Common, Design, Geometry, Layout, SlidingGeometry};
use rust_hdl::prelude::Block;

/// The Verilog of a filter of any kind alone: top module `<name>`. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError`] when a block says something that the back end cannot print; that is a fault of the gateware, not of the geometry.
pub fn filter_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    print(filter.filter(), filter.common().name(), header)
}

/// A geometry whose filter can stand in a card.
pub trait CardFilter {
    /// What all kinds have.
    fn common(&self) -> &Common;

    /// The filter alone.
    fn filter(&self) -> Box<dyn Block>;

    /// The card with AXI4-Lite pins. Only for geometries with a card.
    fn axil_card(&self) -> Box<dyn Block>;

    /// The card with a UART. Only for geometries whose card has one.
    fn uart_card(&self) -> Box<dyn Block>;

    /// The packet path. Only for geometries with one.
    fn path(&self) -> Box<dyn Block>;

    /// The line card. Only for geometries of one.
    fn line_card(&self) -> Box<dyn Block>;
}

/// The gateware of a design is that of its kind.
impl CardFilter for Design {
    fn common(&self) -> &Common {
        self.common()
    }

    fn filter(&self) -> Box<dyn Block> {
        by_kind!(self, geometry => geometry.filter())
    }

    fn axil_card(&self) -> Box<dyn Block> {
        by_kind!(self, geometry => geometry.axil_card())
    }

    fn uart_card(&self) -> Box<dyn Block> {
        by_kind!(self, geometry => geometry.uart_card())
    }

    fn path(&self) -> Box<dyn Block> {
        by_kind!(self, geometry => geometry.path())
    }

    fn line_card(&self) -> Box<dyn Block> {
        by_kind!(self, geometry => geometry.line_card())
    }
}

/// The packet path of a geometry, of four blocks: without and with a UART at 8 bits, without and with at more.
macro_rules! path_of {
    ($geometry:expr, $axil_byte:ident, $uart_byte:ident, $axil_wide:ident, $uart_wide:ident) => {{
        let common: &Common = $geometry;
        let bytewise = common
            .packet()
            .is_some_and(|packet| packet.beat_bytes() == 1);
        let uart = common.card().is_some_and(|card| card.uart.is_some());
        match (bytewise, uart) {
            (true, false) => Box::new($axil_byte::new($geometry)) as Box<dyn Block>,
            (true, true) => Box::new($uart_byte::new($geometry)),
            (false, false) => Box::new($axil_wide::new($geometry)),
            (false, true) => Box::new($uart_wide::new($geometry)),
        }
    }};
}

macro_rules! card_filter {
    ($geometry:ident, $filter:ident, $axil:ident, $uart:ident, $line_card:ident, $($path:ident),+) => {
        impl CardFilter for $geometry {
            fn common(&self) -> &Common {
                self
            }

            fn filter(&self) -> Box<dyn Block> {
                Box::new($filter::new(self))
            }

            fn axil_card(&self) -> Box<dyn Block> {
                Box::new($axil::new(self))
            }

            fn uart_card(&self) -> Box<dyn Block> {
                Box::new($uart::new(self))
            }

            fn path(&self) -> Box<dyn Block> {
                path_of!(self, $($path),+)
            }

            fn line_card(&self) -> Box<dyn Block> {
                Box::new($line_card::new(self))
            }
        }
    };
}

impl CardFilter for Geometry {
    fn common(&self) -> &Common {
        self
    }

    fn filter(&self) -> Box<dyn Block> {
        match self.layout() {
            Layout::Partitioned => Box::new(RecyclingFilter::new(self)),
            Layout::Shared => Box::new(FoldedFilter::new(self)),
        }
    }

    fn axil_card(&self) -> Box<dyn Block> {
        match self.layout() {
            Layout::Partitioned => Box::new(RecyclingAxilCard::new(self)),
            Layout::Shared => Box::new(FoldedAxilCard::new(self)),
        }
    }

    fn uart_card(&self) -> Box<dyn Block> {
        match self.layout() {
            Layout::Partitioned => Box::new(RecyclingUartCard::new(self)),
            Layout::Shared => Box::new(FoldedUartCard::new(self)),
        }
    }

    fn path(&self) -> Box<dyn Block> {
        match self.layout() {
            Layout::Partitioned => path_of!(
                self,
                RecyclingAxilBytePath,
                RecyclingUartBytePath,
                RecyclingAxilWidePath,
                RecyclingUartWidePath
            ),
            Layout::Shared => path_of!(
                self,
                FoldedAxilBytePath,
                FoldedUartBytePath,
                FoldedAxilWidePath,
                FoldedUartWidePath
            ),
        }
    }

    fn line_card(&self) -> Box<dyn Block> {
        match self.layout() {
            Layout::Partitioned => Box::new(RecyclingLineCard::new(self)),
            Layout::Shared => Box::new(FoldedLineCard::new(self)),
        }
    }
}

card_filter!(
    CellGeometry,
    CellFilter,
    CellAxilCard,
    CellUartCard,
    CellLineCard,
    CellAxilBytePath,
    CellUartBytePath,
    CellAxilWidePath,
    CellUartWidePath
);
card_filter!(
    SlidingGeometry,
    SlidingFilter,
    SlidingAxilCard,
    SlidingUartCard,
    SlidingLineCard,
    SlidingAxilBytePath,
    SlidingUartBytePath,
    SlidingAxilWidePath,
    SlidingUartWidePath
);

/// The Verilog of the card around a filter of any kind: top module `<name>_card`, with the filter `<name>` in it. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError::NoCard`] where the specification has no `[card]`; else as [`filter_verilog`].
pub fn card_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    let common = filter.common();
    let card = common.card().ok_or_else(|| EmitError::NoCard {
        name: common.name().into(),
    })?;
    let top = match card.uart {
        Some(_) => filter.uart_card(),
        None => filter.axil_card(),
    };
    print(top, &format!("{}_card", common.name()), header)
}

/// The Verilog of the packet path around the card of a filter of any kind: top module `<name>_path`. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError::NoPath`] where the specification has no `[packet]`; else as [`filter_verilog`].
pub fn path_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    let common = filter.common();
    if common.packet().is_none() {
        return Err(EmitError::NoPath {
            name: common.name().into(),
        });
    }
    print(filter.path(), &format!("{}_path", common.name()), header)
}

/// The Verilog of the line card around a filter of any kind: top module `<name>_linecard`. Every module starts with `header` as a comment.
/// The leaves at the pins are those of simulation: see [`crate::mac::ecp5_rgmii_leaves`].
///
/// # Errors
/// [`EmitError::NoPorts`] where the specification has no Ethernet ports; else as [`filter_verilog`].
pub fn linecard_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    let common = filter.common();
    if common.line_card().is_none() {
        return Err(EmitError::NoPorts {
            name: common.name().into(),
        });
    }
    let name = format!("{}_linecard", common.name());
    print(filter.line_card(), &name, header)
}

/// The Verilog of what a specification asks for: the line card if there are Ethernet ports ([`linecard_verilog`]), else the packet path if there is one ([`path_verilog`]), else the card around the filter if there is one ([`card_verilog`]), else the filter alone, with
/// top module `<name>`.
///
/// # Errors
/// As [`filter_verilog`].
pub fn design_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    if filter.common().line_card().is_some() {
        return linecard_verilog(filter, header);
    }
    match (filter.common().packet(), filter.common().card()) {
        (Some(_), _) => path_verilog(filter, header),
        (None, Some(_)) => card_verilog(filter, header),
        (None, None) => filter_verilog(filter, header),
    }
}

fn print(mut top: Box<dyn Block>, name: &str, header: &str) -> Result<Emitted, EmitError> {
    top.connect_all();
    emit::verilog(
        &*top,
        name,
        &Options {
            header: header.into(),
        },
    )
}
