use super::bridge::Bridge;
use super::bus::{BusInputs, BusOutputs};
use super::queue::ByteQueue;
use super::receiver::Receiver;
use super::record::Record;
use super::transmitter::Transmitter;
use bloomline_spec::Uart;

/// The host's UART: receiver, queue, bridge and transmitter.
#[derive(Debug, Clone)]
pub(super) struct UartHost {
    receiver: Receiver,
    queue: ByteQueue,
    bridge: Bridge,
    transmitter: Transmitter,
}

impl UartHost {
    /// As after reset.
    pub fn new(uart: &Uart) -> UartHost {
        UartHost {
            receiver: Receiver::new(uart.clocks_per_bit),
            queue: ByteQueue::default(),
            bridge: Bridge::new(uart.timeout_clocks),
            transmitter: Transmitter::new(uart.clocks_per_bit),
        }
    }

    /// `uart_tx`.
    pub fn tx(&self) -> bool {
        self.transmitter.pin()
    }

    /// What the bridge shows on the bus.
    pub fn bus(&self) -> BusInputs {
        self.bridge.bus()
    }

    /// The last access that the bridge made.
    pub fn record(&self) -> &Record {
        self.bridge.record()
    }

    /// One clock without reset, in which `uart_rx` and the bus show these.
    pub fn clock(&mut self, rx: bool, bus: &BusOutputs) {
        let received = self.receiver.clock(rx);
        let dropped = received.is_some() && self.queue.is_full();
        let moved = self
            .bridge
            .clock(self.queue.head(), dropped, self.transmitter.idle(), bus);
        self.queue.clock(moved.takes, received);
        self.transmitter.clock(moved.sends);
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.receiver.reset();
        self.queue.reset();
        self.bridge.reset();
        self.transmitter.reset();
    }
}
