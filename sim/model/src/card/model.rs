use super::bus::BusOutputs;
use super::item_port::ItemPort;
use super::ports::{CardInputs, CardOutputs};
use super::split::BusSplit;
use super::uart::UartHost;
use crate::{ClockedModel, Inputs, Modelled};
use bloomline_spec::registers::RegisterMap;
use bloomline_spec::{Card, Design};

/// The gateware of a card, clock by clock: same ports, same values on every output that is compared.
///
/// `outputs` gives the ports' values in the present clock, a function of state only; `clock` takes the inputs of the
/// present clock and goes on to the next. The model starts as configured: the first clock is clock 0, as after reset.
///
/// ```
/// use bloomline_model::{CardInputs, CardModel};
/// use bloomline_spec::{FilterSpec, CARD_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CARD_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(30_000)?;
/// let mut card = CardModel::new(&geometry).expect("the example has a card");
/// let at_rest = CardInputs { m_verdict_tready: true, ..CardInputs::default() };
/// while !card.outputs().s_item_tready {
///     card.clock(&at_rest);
/// }
/// assert!(card.outputs().uart_tx);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CardModel<M> {
    filter: M,
    item_port: ItemPort,
    split: BusSplit,
    uart: Option<UartHost>,
}

/// What a card is about, beside its filter's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardStatus {
    /// ITEM_RESULT.
    pub item_result: u32,
    /// Accesses that the bridge has made since reset; 0 without a UART.
    pub accesses: u32,
    /// Tag of the last of them; 0 for a command's.
    pub tag: u16,
}

impl<M: ClockedModel> CardModel<M> {
    /// The card of a geometry as configured; `None` where the specification has none.
    pub fn new<G>(geometry: &G) -> Option<Self>
    where
        G: Modelled<Pipeline = M>,
        for<'g> &'g G: Into<Design>,
    {
        let common = geometry.common();
        let Card { uart } = common.card()?;
        Some(CardModel {
            filter: geometry.pipeline(),
            item_port: ItemPort::new(common, &RegisterMap::of(geometry)),
            split: BusSplit::default(),
            uart: uart.as_ref().map(UartHost::new),
        })
    }

    /// Values of the output ports in the present clock.
    pub fn outputs(&self) -> CardOutputs {
        let filter = self.filter.outputs();
        let to_stream = filter.m_verdict_tvalid && !self.item_port.owns_verdict(&filter);
        let slaves = BusOutputs::of_filter(&filter).or(self.item_port.bus());
        CardOutputs {
            s_item_tready: filter.s_item_tready && !self.item_port.grants(),
            m_verdict_tvalid: to_stream,
            m_verdict_tdata: filter.m_verdict_tdata.filter(|_| to_stream),
            m_verdict_tid: filter.m_verdict_tid.filter(|_| to_stream),
            uart_tx: self.uart.as_ref().is_none_or(UartHost::tx),
            s_axil: match self.uart {
                Some(_) => BusOutputs::default(),
                None => slaves,
            },
        }
    }

    /// Ends the present clock, in which the inputs had these values.
    pub fn clock(&mut self, inputs: &CardInputs) {
        let filter = self.filter.outputs();
        let slaves = BusOutputs::of_filter(&filter).or(self.item_port.bus());
        let master = match &self.uart {
            Some(uart) => uart.bus(),
            None => inputs.s_axil,
        };
        let routed = self.split.route(&master);

        let mut to_filter = Inputs {
            reset: inputs.reset,
            s_item_tvalid: inputs.s_item_tvalid,
            s_item_tdata: inputs.s_item_tdata,
            s_item_tuser: inputs.s_item_tuser,
            s_item_tid: inputs.s_item_tid,
            m_verdict_tready: inputs.m_verdict_tready,
            ..Inputs::default()
        };
        self.item_port.merge(&filter, &mut to_filter);
        routed.to_filter.onto(&mut to_filter);
        self.filter.clock(&to_filter);

        if inputs.reset {
            self.item_port.reset();
            self.split.reset();
            if let Some(uart) = &mut self.uart {
                uart.reset();
            }
            return;
        }
        self.item_port
            .clock(inputs.s_item_tvalid, &filter, &routed.to_item_port);
        self.split.clock(&master, &slaves);
        if let Some(uart) = &mut self.uart {
            uart.clock(inputs.uart_rx, &slaves);
        }
    }

    /// The filter.
    pub fn filter(&self) -> &M {
        &self.filter
    }

    /// What the card is about in the present clock.
    pub fn status(&self) -> CardStatus {
        CardStatus {
            item_result: self.item_port.result(),
            accesses: self.uart.as_ref().map_or(0, |uart| uart.record().count),
            tag: self.uart.as_ref().map_or(0, |uart| uart.record().tag),
        }
    }
}
