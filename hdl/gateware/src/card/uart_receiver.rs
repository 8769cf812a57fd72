//! UART receiver: 8 data bits, no parity, one stop bit.

use crate::prelude::*;
use bloomline_spec::Uart;

block! {
    /// A UART receiver: 8 data bits, least first, no parity, one stop bit.
    ///
    /// A byte counts in the clock in which the middle of its stop bit is met; one without a stop bit is dropped, and the line must rest before the next.
    /// Timing: `docs/card.md`, "UART".
    /// `reset` is synchronous and active high.
    pub struct UartReceiver {
        about: About = About::new(
            "uart_receiver",
            format!("Receives bytes of 8 bits, least first, no parity, one stop bit; {clocks} clocks a bit."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("idle"),
        pub line: Wire<In> = Wire::default().doc("the line, of any clock"),
        pub received: Wire<Out> = Wire::default().doc("a byte is received"),
        pub data: Bus<Out> = Bus::new(8).doc("it, in this clock"),
        rx1: Flag = Flag::with_init(true).asynchronous().doc("the line a clock ago"),
        rx2: Flag = Flag::with_init(true).asynchronous().doc("two clocks ago, safe to use"),
        busy: Flag = Flag::default().doc("within a byte (count, bit)"),
        broken: Flag = Flag::default().doc("a stop bit was missing; wait until the line rests"),
        count: Reg = Reg::new(count).doc("clocks until the middle of the bit"),
        due: Flag = Flag::default().doc("count is 0"),
        bit: Reg = Reg::new(4).doc("0 start, 1 to 8 data, 9 stop"),
        shift: Reg = Reg::new(8),
        met: Wire<Local>,
        half: Const = Const::new(clocks as u128 / 2 - 1, count).doc("from the edge to the middle of the start bit"),
        whole: Const = Const::new(clocks as u128 - 1, count).doc("from the middle of a bit to that of the next"),
        one: Const = Const::new(1, count),
        no_bit: Const = Const::new(0, 4),
        first_bit: Const = Const::new(1, 4),
        stop_bit: Const = Const::new(9, 4),
    }

    /// A receiver at the rate of `uart`.
    pub fn new(uart: &Uart) {
        let clocks = uart.clocks_per_bit as usize;
        let count = width_of(clocks - 1);
    }
}

impl Logic for UartReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        self.rx1.d.next = self.line.val() || self.reset.val();
        self.rx2.d.next = self.rx1.q.val() || self.reset.val();
        self.met.next = self.busy.q.val() && self.due.q.val();
        self.busy.d.next = self.busy.q.val();
        self.broken.d.next = self.broken.q.val() && !self.rx2.q.val();
        self.count.d.next = self.count.q.val() - 1;
        self.due.d.next = self.count.q.val() == self.one.val();
        self.bit.d.next = self.bit.q.val();
        self.shift.d.next = self.shift.q.val();
        if self.met.val() {
            self.count.d.next = self.whole.val();
            self.bit.d.next = self.bit.q.val() + 1;
            if self.bit.q.val() == self.stop_bit.val() {
                self.busy.d.next = false;
                self.broken.d.next = !self.rx2.q.val();
            } else if self.bit.q.val() == self.no_bit.val() {
                comment!("a start bit that has gone by its middle was a glitch");
                self.busy.d.next = !self.rx2.q.val();
                self.bit.d.next = self.first_bit.val();
            } else {
                self.shift.d.next = (bits_of(self.rx2.q.val(), 8) << 7) | (self.shift.q.val() >> 1);
            }
        }
        if !self.busy.q.val() {
            self.count.d.next = self.half.val();
            self.due.d.next = false;
            self.bit.d.next = self.no_bit.val();
            self.busy.d.next = !self.broken.q.val() && !self.rx2.q.val();
        }
        self.received.next =
            self.met.val() && (self.bit.q.val() == self.stop_bit.val()) && self.rx2.q.val();
        self.data.next = self.shift.q.val();
        if self.reset.val() {
            self.busy.d.next = false;
            self.broken.d.next = false;
        }
    }
}
