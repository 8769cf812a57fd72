//! Emits the Verilog of a geometry: filter, card, packet path or line card.

use crate::card::{AxilCard, UartCard};
use crate::cuckoo::CuckooFilter;
use crate::emit::{self, EmitError, Emitted, Options};
use crate::in_place::InPlaceFilter;
use crate::interface::FilterBlock;
use crate::linecard::LineCard;
use crate::packet::{AxilPath, UartPath};
use crate::pipeline::{CellFilter, RecyclingFilter, SlidingFilter};
use crate::shared_array::SharedArrayFilter;
use crate::spare_half::SpareHalfFilter;
use bloomline_spec::{
    by_kind, CellGeometry, Common, CuckooGeometry, Design, Erase, Layout, RecyclingGeometry,
    RegisterMap, SlidingGeometry,
};
use rust_hdl::prelude::Block;

/// The Verilog of a filter of any kind alone: top module `<name>`. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError`] when a block says something that the back end cannot print; that is a fault of the gateware, not of the geometry.
pub fn filter_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    print(&mut filter.filter(), filter.common().name(), header)
}

/// A geometry whose filter can stand in a card.
pub trait CardFilter {
    /// What all kinds have.
    fn common(&self) -> &Common;

    /// Its registers.
    fn map(&self) -> RegisterMap;

    /// The filter alone.
    fn filter(&self) -> Box<dyn FilterBlock>;

    /// The card with AXI4-Lite pins. Only for geometries with a card.
    fn axil_card(&self) -> AxilCard {
        AxilCard::new(self.common(), &self.map(), self.filter())
    }

    /// The card with a UART. Only for geometries whose card has one.
    fn uart_card(&self) -> UartCard {
        UartCard::new(self.common(), &self.map(), self.filter())
    }

    /// The packet path. Only for geometries with one.
    fn path(&self) -> Box<dyn Block> {
        let (common, map, card) = (self.common(), self.map(), self.axil_card());
        match common.card().is_some_and(|card| card.uart.is_some()) {
            true => Box::new(UartPath::new(common, &map, card)),
            false => Box::new(AxilPath::new(common, &map, card)),
        }
    }

    /// The line card. Only for geometries of one.
    fn line_card(&self) -> LineCard {
        LineCard::new(self.common(), &self.map(), self.axil_card())
    }
}

/// The gateware of a design is that of its kind.
impl CardFilter for Design {
    fn common(&self) -> &Common {
        self.common()
    }

    fn map(&self) -> RegisterMap {
        self.register_map()
    }

    fn filter(&self) -> Box<dyn FilterBlock> {
        by_kind!(self, geometry => geometry.filter())
    }
}

impl CardFilter for RecyclingGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn map(&self) -> RegisterMap {
        RegisterMap::of(self)
    }

    fn filter(&self) -> Box<dyn FilterBlock> {
        match self.layout() {
            Layout::Partitioned if self.erase() == Erase::SpareHalf => {
                Box::new(SpareHalfFilter::new(self))
            }
            Layout::Partitioned => Box::new(RecyclingFilter::new(self)),
            Layout::Shared => Box::new(SharedArrayFilter::new(self)),
        }
    }
}

impl CardFilter for CellGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn map(&self) -> RegisterMap {
        RegisterMap::of(self)
    }

    fn filter(&self) -> Box<dyn FilterBlock> {
        match self.erase() {
            Erase::InPlace => Box::new(InPlaceFilter::new(self)),
            Erase::Epoch | Erase::SpareHalf => Box::new(CellFilter::new(self)),
        }
    }
}

impl CardFilter for SlidingGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn map(&self) -> RegisterMap {
        RegisterMap::of(self)
    }

    fn filter(&self) -> Box<dyn FilterBlock> {
        Box::new(SlidingFilter::new(self))
    }
}

impl CardFilter for CuckooGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn map(&self) -> RegisterMap {
        RegisterMap::of(self)
    }

    fn filter(&self) -> Box<dyn FilterBlock> {
        Box::new(CuckooFilter::new(self))
    }
}

/// The Verilog of the card around a filter of any kind: top module `<name>_card`, with the filter `<name>` in it. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError::NoCard`] where the specification has no `[card]`; else as [`filter_verilog`].
pub fn card_verilog(filter: &impl CardFilter, header: &str) -> Result<Emitted, EmitError> {
    let common = filter.common();
    let card = common.card().ok_or_else(|| EmitError::NoCard {
        name: common.name().into(),
    })?;
    let name = format!("{}_card", common.name());
    match card.uart {
        Some(_) => print(&mut filter.uart_card(), &name, header),
        None => print(&mut filter.axil_card(), &name, header),
    }
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
    print(
        &mut *filter.path(),
        &format!("{}_path", common.name()),
        header,
    )
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
    print(&mut filter.line_card(), &name, header)
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

fn print(top: &mut dyn Block, name: &str, header: &str) -> Result<Emitted, EmitError> {
    top.connect_all();
    let header = header.into();
    emit::verilog(top, name, &Options { header })
}
