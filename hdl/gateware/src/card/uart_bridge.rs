//! Bridge from the uartbone protocol to AXI4-Lite.

use crate::card::{ByteQueue, Mailbox, UartReceiver, UartTransmitter, MAILBOX};
use crate::prelude::*;
use bloomline_spec::{Uart, UART_SYNC_BYTE, UART_SYNC_RUN};

block! {
    /// Commands over a UART become accesses of AXI4-Lite, and their data go back.
    ///
    /// ```text
    /// uart_rx --> receiver --> queue --> command, data --> access ---> axil
    ///                                                  |-> mailbox
    /// uart_tx <-- transmitter <----------- answer <----+
    /// ```
    ///
    /// The protocol is LiteX's uartbone (2024.12) with the mailbox of `bloomline_driver::mailbox` beside. One word at a time. A run of synchronisation bytes, or silence,
    /// ends a command that is not complete, and so does a byte that was lost. States and timing: `docs/card.md`, "UART bridge".
    /// `reset` is synchronous and active high.
    pub struct UartBridge {
        about: About = About::new(
            "uart_bridge",
            "UART to AXI4-Lite: LiteX's uartbone, and a mailbox for accesses that are carried out exactly as meant or not at all.\n\
             COMMAND, DATA, ACCESS, BUS, CHECK, NEXT, ANSWER: card.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no command, nothing in the queue"),
        pub uart_rx: Wire<In> = Wire::default().doc("line from the host"),
        pub uart_tx: Wire<Out> = Wire::default().doc("line to the host"),
        pub axil: Axil<Master> = Axil::port(address).named(""),
        receiver: UartReceiver = UartReceiver::new(uart),
        queue: ByteQueue,
        transmitter: UartTransmitter = UartTransmitter::new(uart),
        mail: Mailbox = Mailbox::new(address),
        state: Reg = Reg::new(3),
        collected: Reg = Reg::new(3).doc("bytes of the command, of a word, or of the answer"),
        begun: Flag = Flag::default().doc("some of a command is collected"),
        writes: Flag = Flag::default().doc("command 1 or 3"),
        reads: Flag = Flag::default().doc("command 2 or 4"),
        rising: Flag = Flag::default().doc("command 1 or 2"),
        left: Reg = Reg::new(8).doc("words to come"),
        address: Reg = Reg::new(30).doc("of the word, in words"),
        word: Reg = Reg::new(32).doc("what is written"),
        answer: Reg = Reg::new(32).doc("what was read, the next byte highest"),
        requested: Flag = Flag::default().doc("the check is that of a request"),
        address_sent: Flag = Flag::default().doc("the device has the address"),
        data_sent: Flag = Flag::default().doc("the device has the data"),
        until_late: Reg = Reg::with_init(time_bits, in_time).doc("clocks, less one, until the command is late; then negative"),
        run: Reg = Reg::new(run_bits).doc("synchronisation bytes taken in a row, as far as they are counted"),
        lost: Flag = Flag::default().doc("a byte was dropped: nothing is understood until a run of synchronisation bytes or silence"),
        collecting: Wire<Local> = Wire::default().doc("bytes are taken"),
        synced: Wire<Local> = Wire::default().doc("the last byte of a run of synchronisation bytes, or one behind it, takes effect"),
        in_command: Wire<Local>,
        in_data: Wire<Local>,
        in_access: Wire<Local>,
        in_bus: Wire<Local>,
        in_check: Wire<Local>,
        in_next: Wire<Local>,
        in_answer: Wire<Local>,
        late: Wire<Local>,
        take: Wire<Local> = Wire::default().doc("the byte at the queue's head is taken"),
        acts: Flag = Flag::default().doc("the byte taken in the clock before takes effect"),
        at_mailbox: Wire<Local>,
        of_request: Flag,
        of_record: Flag,
        decoded: Flag = Flag::default().doc("of_request and of_record are those of this access"),
        acting: Wire<Local> = Wire::default().doc("the second clock of an access"),
        finished: Wire<Local>,
        answered: Flag = Flag::default().doc("the device has answered"),
        read_word: Reg = Reg::new(32).doc("with this"),
        response: Reg = Reg::new(2).doc("and this response"),
        read_data: Bus<Local> = Bus::new(32),
        sending: Wire<Local>,
        command: Const = state(0, "COMMAND"),
        data: Const = state(1, "DATA"),
        access: Const = state(2, "ACCESS"),
        bus: Const = state(3, "BUS"),
        check: Const = state(4, "CHECK"),
        next: Const = state(5, "NEXT"),
        answering: Const = state(6, "ANSWER"),
        none: Const = Const::new(0, 3),
        mailbox_address: Const = Const::new(MAILBOX, 26).doc("of 16 words"),
        all_strobes: Const = Const::new(0xF, 4),
        zero: Const = Const::new(0, 32),
        in_time: Const = Const::new(in_time, time_bits).doc("one less than the clocks until a command is late"),
        sync_byte: Const = Const::new(UART_SYNC_BYTE.into(), 8),
        no_run: Const = Const::new(0, run_bits),
        late_bit: usize = time_bits - 1,
    }

    /// The bridge of `uart` to registers at byte addresses of `address` bits.
    pub fn new(uart: &Uart, address: usize) {
        let state = |value: u128, doc: &str| Const::new(value, 3).doc(doc);
        // one less than the clocks to come, so that it is negative when there are none
        let in_time = u128::from(uart.timeout_clocks.saturating_sub(1));
        let time_bits = width_of(uart.timeout_clocks as usize) + 1;
        // counts to one less than a run, where all its bits are 1
        let run_bits = clog2(UART_SYNC_RUN);
    }
}

impl Logic for UartBridge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("state");
        self.in_command.next = self.state.q.val() == self.command.val();
        self.in_data.next = self.state.q.val() == self.data.val();
        self.in_access.next = self.state.q.val() == self.access.val();
        self.in_bus.next = self.state.q.val() == self.bus.val();
        self.in_check.next = self.state.q.val() == self.check.val();
        self.in_next.next = self.state.q.val() == self.next.val();
        self.in_answer.next = self.state.q.val() == self.answering.val();
        self.collecting.next = self.in_command.val() || self.in_data.val();
        self.late.next = (self.begun.q.val() || self.lost.q.val())
            && self.collecting.val()
            && self.until_late.q.val().get_bit(self.late_bit)
            && !self.acts.q.val();
        self.take.next = self.queue.any.val() && self.collecting.val() && !self.late.val();
        self.acts.d.next = self.take.val();
        self.until_late.d.next = self.until_late.q.val();
        if (!self.begun.q.val() && !self.lost.q.val())
            || self.queue.dropped.val()
            || (self.lost.q.val() && (self.acts.q.val() || !self.collecting.val()))
        {
            self.until_late.d.next = self.in_time.val();
        } else if !self.until_late.q.val().get_bit(self.late_bit) {
            self.until_late.d.next = self.until_late.q.val() - 1;
        }
        self.state.d.next = self.state.q.val();
        self.collected.d.next = self.collected.q.val();
        self.begun.d.next = self.begun.q.val();
        self.writes.d.next = self.writes.q.val();
        self.reads.d.next = self.reads.q.val();
        self.rising.d.next = self.rising.q.val();
        self.left.d.next = self.left.q.val();
        self.address.d.next = self.address.q.val();
        self.word.d.next = self.word.q.val();
        self.answer.d.next = self.answer.q.val();
        self.requested.d.next = self.requested.q.val();

        comment!("command and data");
        if self.acts.q.val() {
            self.collected.d.next = self.collected.q.val() + 1;
        }
        if self.acts.q.val() && self.in_command.val() {
            self.begun.d.next = true;
            if self.collected.q.val() == 0 {
                self.writes.d.next = (self.queue.head.val() == 1) || (self.queue.head.val() == 3);
                self.reads.d.next = (self.queue.head.val() == 2) || (self.queue.head.val() == 4);
                self.rising.d.next = (self.queue.head.val() == 1) || (self.queue.head.val() == 2);
            } else if self.collected.q.val() == 1 {
                self.left.d.next = self.queue.head.val() - 1;
            } else {
                self.address.d.next =
                    (self.address.q.val() << 8) | bits_to(self.queue.head.val(), 30);
            }
            if self.collected.q.val() == 5 {
                self.collected.d.next = self.none.val();
                if self.writes.q.val() {
                    self.state.d.next = self.data.val();
                } else if self.reads.q.val() {
                    self.state.d.next = self.access.val();
                } else {
                    self.begun.d.next = false;
                }
            }
        }
        if self.acts.q.val() && self.in_data.val() {
            self.word.d.next = (self.word.q.val() << 8) | bits_to(self.queue.head.val(), 32);
            if self.collected.q.val() == 3 {
                self.collected.d.next = self.none.val();
                self.state.d.next = self.access.val();
            }
        }
        comment!("synchronisation, silence, and bytes behind one that was dropped");
        self.run.d.next = self.run.q.val();
        self.synced.next = self.acts.q.val()
            && (self.queue.head.val() == self.sync_byte.val())
            && self.run.q.val().all();
        if self.acts.q.val() && (self.queue.head.val() != self.sync_byte.val()) {
            self.run.d.next = self.no_run.val();
        } else if self.acts.q.val() && !self.run.q.val().all() {
            self.run.d.next = self.run.q.val() + 1;
        }
        if self.late.val() || self.synced.val() || (self.lost.q.val() && self.collecting.val()) {
            self.state.d.next = self.command.val();
            self.collected.d.next = self.none.val();
            self.begun.d.next = false;
        }
        self.lost.d.next = self.queue.dropped.val()
            || (self.lost.q.val() && !self.late.val() && !self.synced.val());

        comment!("access: to the mailbox, or over the bus; decoded in its first clock");
        self.at_mailbox.next = bits_to(self.address.q.val() >> 4, 26) == self.mailbox_address.val();
        self.of_request.d.next =
            self.at_mailbox.val() && self.writes.q.val() && (bits_to(self.address.q.val(), 4) < 6);
        self.of_record.d.next = self.at_mailbox.val()
            && self.reads.q.val()
            && (bits_to(self.address.q.val(), 4) >= 8)
            && (bits_to(self.address.q.val(), 4) < 13);
        self.acting.next = self.in_access.val() && self.decoded.q.val();
        self.decoded.d.next = self.in_access.val() && !self.decoded.q.val();
        self.mail.reset.next = self.reset.val();
        self.mail.place.next = bits_to(self.address.q.val(), 3);
        self.mail.keep.next = self.acting.val() && self.of_request.q.val();
        self.mail.word.next = self.word.q.val();
        self.mail.start.next =
            self.acting.val() && !self.of_request.q.val() && !self.of_record.q.val();
        self.mail.start_write.next = self.writes.q.val();
        self.mail.start_address.next = self.address.q.val();
        if self.acting.val() {
            self.requested.d.next = true;
            self.state.d.next = self.bus.val();
            if self.of_request.q.val() {
                self.state.d.next = self.next.val();
                if bits_to(self.address.q.val(), 3) == 5 {
                    self.state.d.next = self.check.val();
                }
            }
            if self.of_record.q.val() {
                self.state.d.next = self.answering.val();
                self.answer.d.next = self.mail.fetched.val();
            }
        }

        comment!("bus");
        self.axil.awvalid.next = self.in_bus.val()
            && self.mail.write.val()
            && !self.mail.outside.val()
            && !self.address_sent.q.val();
        self.axil.wvalid.next = self.in_bus.val()
            && self.mail.write.val()
            && !self.mail.outside.val()
            && !self.data_sent.q.val();
        self.axil.arvalid.next = self.in_bus.val()
            && !self.mail.write.val()
            && !self.mail.outside.val()
            && !self.address_sent.q.val();
        self.axil.awaddr.next = self.mail.address.val();
        self.axil.araddr.next = self.mail.address.val();
        self.axil.wdata.next = self.mail.data.val();
        self.axil.wstrb.next = self.all_strobes.val();
        self.axil.bready.next = self.in_bus.val() && self.mail.write.val();
        self.axil.rready.next = self.in_bus.val() && !self.mail.write.val();
        self.address_sent.d.next = self.in_bus.val()
            && (self.address_sent.q.val()
                || (self.mail.write.val() && self.axil.awready.val())
                || (!self.mail.write.val() && self.axil.arready.val()));
        self.data_sent.d.next =
            self.in_bus.val() && (self.data_sent.q.val() || self.axil.wready.val());
        self.answered.d.next = self.in_bus.val()
            && !self.answered.q.val()
            && (self.axil.bvalid.val() || self.axil.rvalid.val());
        self.read_word.d.next = self.axil.rdata.val();
        self.response.d.next = self.axil.rresp.val();
        if self.mail.write.val() {
            self.response.d.next = self.axil.bresp.val();
        }
        self.finished.next =
            self.in_bus.val() && (self.mail.outside.val() || self.answered.q.val());
        self.read_data.next = self.zero.val();
        if !self.mail.outside.val() && !self.response.q.val().any() {
            self.read_data.next = self.read_word.q.val();
        }
        self.mail.finish.next = self.finished.val();
        self.mail.response.next = self.response.q.val();
        self.mail.read_data.next = self.read_data.val();
        if self.finished.val() {
            self.requested.d.next = false;
            self.answer.d.next = self.read_data.val();
            self.address_sent.d.next = false;
            self.data_sent.d.next = false;
            self.state.d.next = self.check.val();
        }

        comment!("check, then the answer or the next word");
        self.mail.checking.next = self.in_check.val();
        self.mail.of_request.next = self.requested.q.val();
        if self.mail.over.val() {
            self.state.d.next = self.next.val();
            if self.mail.good.val() {
                self.state.d.next = self.bus.val();
            } else if !self.requested.q.val() && self.reads.q.val() {
                self.state.d.next = self.answering.val();
            }
        }
        self.sending.next = self.in_answer.val() && self.transmitter.idle.val();
        if self.sending.val() {
            self.answer.d.next = self.answer.q.val() << 8;
            self.collected.d.next = self.collected.q.val() + 1;
            if self.collected.q.val() == 3 {
                self.collected.d.next = self.none.val();
                self.state.d.next = self.next.val();
            }
        }
        if self.in_next.val() {
            self.left.d.next = self.left.q.val() - 1;
            self.address.d.next = self.address.q.val() + bits_of(self.rising.q.val(), 30);
            self.state.d.next = self.access.val();
            if self.writes.q.val() {
                self.state.d.next = self.data.val();
            }
            if !self.left.q.val().any() {
                self.state.d.next = self.command.val();
                self.begun.d.next = false;
            }
        }
        comment!("line");
        self.receiver.reset.next = self.reset.val();
        self.receiver.line.next = self.uart_rx.val();
        self.queue.reset.next = self.reset.val();
        self.queue.received.next = self.receiver.received.val();
        self.queue.data.next = self.receiver.data.val();
        self.queue.take.next = self.take.val();
        self.transmitter.reset.next = self.reset.val();
        self.transmitter.load.next = self.sending.val();
        self.transmitter.data.next = bits_to(self.answer.q.val() >> 24, 8);
        self.uart_tx.next = self.transmitter.line.val();

        if self.reset.val() {
            self.state.d.next = self.command.val();
            self.collected.d.next = self.none.val();
            self.begun.d.next = false;
            self.address_sent.d.next = false;
            self.data_sent.d.next = false;
            self.answered.d.next = false;
            self.decoded.d.next = false;
            self.run.d.next = self.no_run.val();
            self.lost.d.next = false;
            self.acts.d.next = false;
        }
    }
}
