use crate::filter::{design, emitted_cell_design, emitted_design, emitted_sliding_design};
use crate::verilator::{Design, Port};
use bloomline_hdl::card_verilog;
use bloomline_hdl::emit::EmitError;
use bloomline_spec::{Card, CellGeometry, Common, Geometry, SlidingGeometry};

/// The filter that a card is made of, whatever its kind.
#[derive(Debug, Clone, Copy)]
pub enum AnyFilter<'a> {
    /// `recycling`.
    Recycling(&'a Geometry),
    /// `static`, `counting`, `count-min`.
    Cells(&'a CellGeometry),
    /// `sliding`.
    Sliding(&'a SlidingGeometry),
}

impl AnyFilter<'_> {
    /// What every kind has.
    pub fn common(&self) -> &Common {
        match self {
            AnyFilter::Recycling(geometry) => geometry,
            AnyFilter::Cells(geometry) => geometry,
            AnyFilter::Sliding(geometry) => geometry,
        }
    }

    /// The emitted Verilog with its ports: of the card where the specification has one, else of the filter.
    pub(super) fn design(&self) -> Result<Design, EmitError> {
        let common = self.common();
        if let Some(card) = common.card() {
            let emitted = match self {
                AnyFilter::Recycling(geometry) => card_verilog(*geometry, ""),
                AnyFilter::Cells(geometry) => card_verilog(*geometry, ""),
                AnyFilter::Sliding(geometry) => card_verilog(*geometry, ""),
            }?;
            return Ok(card_design(common, card, emitted.text()));
        }
        let (design, _) = match self {
            AnyFilter::Recycling(geometry) => emitted_design(geometry),
            AnyFilter::Cells(geometry) => emitted_cell_design(geometry),
            AnyFilter::Sliding(geometry) => emitted_sliding_design(geometry),
        }?;
        Ok(design)
    }
}

/// The ports of a card around a text: those of its filter but for the host's tag bit, with longer addresses or a UART.
fn card_design(common: &Common, card: Card, text: String) -> Design {
    let top = format!("{}_card", common.name());
    let mut design = design(common, vec![(format!("{top}.v"), text)]);
    design.top = top;
    for port in &mut design.ports {
        match port.name.as_str() {
            "s_item_tid" | "m_verdict_tid" => port.width = common.stream_tag_bits() as usize,
            "s_axil_awaddr" | "s_axil_araddr" => port.width = common.map_address_bits() as usize,
            _ => {}
        }
    }
    if card.uart.is_some() {
        design
            .ports
            .retain(|port| !port.name.starts_with("s_axil_"));
        design.ports.push(Port::input("uart_rx", 1));
        design.ports.push(Port::output("uart_tx", 1));
    }
    design
}

impl<'a> From<&'a Geometry> for AnyFilter<'a> {
    fn from(geometry: &'a Geometry) -> Self {
        AnyFilter::Recycling(geometry)
    }
}

impl<'a> From<&'a CellGeometry> for AnyFilter<'a> {
    fn from(geometry: &'a CellGeometry) -> Self {
        AnyFilter::Cells(geometry)
    }
}

impl<'a> From<&'a SlidingGeometry> for AnyFilter<'a> {
    fn from(geometry: &'a SlidingGeometry) -> Self {
        AnyFilter::Sliding(geometry)
    }
}
