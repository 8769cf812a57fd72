//! The bus behind the host port, as a run of it was.

use bloomline_model::{HostAccess, HostBus, HostResponse};
use bloomline_spec::host_port::HOST_BUS_CLOCKS;
use std::collections::VecDeque;

/// An access on the bus.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OnBus {
    pub(crate) access: HostAccess,
    pub(crate) begun: u64,
    pub(crate) address_taken: bool,
    pub(crate) data_taken: bool,
    /// Clocks from behind its first to its response, if it is to come then; else when nothing else goes on.
    pub(crate) due: Option<u64>,
    pub(crate) response: HostResponse,
    pub(crate) answered: Option<u64>,
}

/// The bus as it was in the accesses of one frame.
pub(crate) struct Played {
    pub(crate) log: VecDeque<OnBus>,
    pub(crate) owed: bool,
    pub(crate) wrong: Option<String>,
}

impl HostBus for Played {
    fn access(&mut self, access: HostAccess) -> Option<HostResponse> {
        let Some(made) = self.log.pop_front() else {
            self.wrong
                .get_or_insert_with(|| format!("{access:X?} was not made"));
            return None;
        };
        if made.access != access {
            self.wrong
                .get_or_insert_with(|| format!("{:X?} instead of {access:X?}", made.access));
        }
        let in_time = |at: u64| at <= made.begun + u64::from(HOST_BUS_CLOCKS);
        made.answered.is_some_and(in_time).then_some(made.response)
    }

    fn owes(&self) -> bool {
        self.owed
    }
}
