//! Ports that every filter, and every card around one, has in common.

use crate::interface::{Axil, ItemStream, VerdictStream};
use crate::wires::derived::{show_prefix, Clocked};
use crate::wires::{Master, Prefix, Slave, Wire};
use rust_hdl::prelude::{Block, Clock, In, Logic, Probe};
use std::ops::{Deref, DerefMut};

/// The ports of a filter, or of a card around one, beside its clock: items in, verdicts out, registers.
///
/// In Verilog they have no prefix: `reset`, `s_item_tvalid` and so on.
pub struct FilterPorts {
    /// Synchronous, active high.
    pub reset: Wire<In>,
    /// Items.
    pub s_item: ItemStream<Slave>,
    /// Verdicts.
    pub m_verdict: VerdictStream<Master>,
    /// Registers.
    pub s_axil: Axil<Slave>,
}

/// A filter of any kind, or a card around one: its ports are fields of it, `filter.s_item`.
pub trait FilterBlock: Block + Clocked + Deref<Target = FilterPorts> + DerefMut {}

impl<B: Block + Clocked + Deref<Target = FilterPorts> + DerefMut> FilterBlock for B {}

impl Logic for FilterPorts {
    fn update(&mut self) {}
}

impl Clocked for FilterPorts {}

impl Block for FilterPorts {
    fn connect_all(&mut self) {}

    #[inline]
    fn update_all(&mut self) {
        self.reset.update_all();
        self.s_item.update_all();
        self.m_verdict.update_all();
        self.s_axil.update_all();
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.reset.has_changed()
            || self.s_item.has_changed()
            || self.m_verdict.has_changed()
            || self.s_axil.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_namespace(name, self);
        show_prefix(Some(&Prefix(String::new())), probe);
        self.reset.accept("reset", probe);
        self.s_item.accept("s_item", probe);
        self.m_verdict.accept("m_verdict", probe);
        self.s_axil.accept("s_axil", probe);
        probe.visit_end_namespace(name, self);
    }
}

impl Logic for Box<dyn FilterBlock> {
    fn update(&mut self) {}
}

impl Clocked for Box<dyn FilterBlock> {
    #[inline]
    fn drive_clock(&mut self, clock: Clock) {
        (**self).drive_clock(clock);
    }

    fn claim_clock(&mut self) {
        (**self).claim_clock();
    }
}

impl Block for Box<dyn FilterBlock> {
    fn connect_all(&mut self) {
        (**self).connect_all();
    }

    #[inline]
    fn update_all(&mut self) {
        (**self).update_all();
    }

    #[inline]
    fn has_changed(&self) -> bool {
        (**self).has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        (**self).accept(name, probe);
    }
}

/// Lets the ports of a filter stand as fields of it.
macro_rules! filter_block {
    ($($block:ident)+) => { $(
        impl std::ops::Deref for $block {
            type Target = $crate::interface::FilterPorts;

            fn deref(&self) -> &Self::Target {
                &self.ports
            }
        }

        impl std::ops::DerefMut for $block {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.ports
            }
        }
    )+ };
}

pub(crate) use filter_block;
