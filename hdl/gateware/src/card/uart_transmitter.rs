//! UART transmitter: 8 data bits, no parity, one stop bit.

use crate::prelude::*;
use bloomline_spec::Uart;

block! {
    /// A UART transmitter: 8 data bits, least first, no parity, one stop bit.
    ///
    /// A byte loaded while it is idle begins on the line in the next clock and takes ten bits. Timing: `docs/card.md`, "UART".
    /// `reset` is synchronous and active high.
    pub struct UartTransmitter {
        about: About = About::new(
            "uart_transmitter",
            format!("Sends bytes of 8 bits, least first, no parity, one stop bit; {clocks} clocks a bit."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("idle"),
        pub load: Wire<In> = Wire::default().doc("send a byte; only while idle"),
        pub data: Bus<In> = Bus::new(8).doc("it"),
        pub idle: Wire<Out> = Wire::default().doc("nothing is being sent"),
        pub line: Wire<Out> = Wire::default().doc("the line, 1 at rest"),
        frame: Reg = Reg::with_init(10, ones(10)).doc("{stop, byte, start}, the bit on the line lowest"),
        idle_r: Flag = Flag::with_init(true),
        count: Reg = Reg::new(count).doc("clocks of this bit to come"),
        bits: Reg = Reg::new(4).doc("bits to come"),
        whole: Const = Const::new(clocks as u128 - 1, count),
        rest: Const = Const::new(ones(10), 10),
        stop_bit: Const = Const::new(1 << 9, 10),
        all_bits: Const = Const::new(9, 4),
    }

    /// A transmitter at the rate of `uart`.
    pub fn new(uart: &Uart) {
        let clocks = uart.clocks_per_bit as usize;
        let count = width_of(clocks - 1);
    }
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        self.frame.d.next = self.frame.q.val();
        self.idle_r.d.next = self.idle_r.q.val();
        self.count.d.next = self.count.q.val() - 1;
        self.bits.d.next = self.bits.q.val();
        if self.idle_r.q.val() {
            self.count.d.next = self.whole.val();
            self.bits.d.next = self.all_bits.val();
            if self.load.val() {
                self.frame.d.next = self.stop_bit.val() | (bits_to(self.data.val(), 10) << 1);
                self.idle_r.d.next = false;
            }
        } else if !self.count.q.val().any() {
            self.count.d.next = self.whole.val();
            self.bits.d.next = self.bits.q.val() - 1;
            self.frame.d.next = self.stop_bit.val() | (self.frame.q.val() >> 1);
            if !self.bits.q.val().any() {
                self.frame.d.next = self.frame.q.val();
                self.idle_r.d.next = true;
            }
        }
        if self.reset.val() {
            self.frame.d.next = self.rest.val();
            self.idle_r.d.next = true;
        }
        self.idle.next = self.idle_r.q.val();
        self.line.next = self.frame.q.val().get_bit(0);
    }
}
