//! The bench has teeth: single edits of the card's Verilog are caught in lockstep under torture.

use bloomline_tests::faults::{fault, Fault};
use bloomline_tests::{every_card_fault_is_caught, CardSample, CellSample, SampleFilter};

/// Receiver, queue, bridge and mailbox.
const UART: &[Fault] = &[
    fault(
        "a glitch is a start bit",
        "uart_receiver",
        "        busy <= !rx2;",
        "        busy <= 1'b1;",
    ),
    fault(
        "a byte without stop bit is received",
        "uart_receiver",
        "&& (bit_ == stop_bit) && rx2;",
        "&& (bit_ == stop_bit);",
    ),
    fault(
        "a break is a start bit when it was told",
        "uart_receiver",
        "busy <= !broken && !rx2;",
        "busy <= !rx2;",
    ),
    fault(
        "bits are met at their end",
        "uart_receiver",
        "count <= half;",
        "count <= whole;",
    ),
    fault(
        "a full queue takes a byte",
        "byte_queue",
        "assign storing = received && !full;",
        "assign storing = received;",
    ),
    fault(
        "a command is never late",
        "uart_bridge",
        "assign late = begun && ",
        "assign late = 1'b0 && ",
    ),
    fault(
        "a command is late a clock later",
        "uart_bridge",
        "until_late <= in_time;",
        "until_late <= in_time + 13'd1;",
    ),
    fault(
        "a byte is lost with a command that is late",
        "uart_bridge",
        "(in_command || in_data) && !late;",
        "(in_command || in_data);",
    ),
    fault(
        "commands of one address count it on",
        "uart_bridge",
        "address + {29'd0, rising};",
        "address + 30'd1;",
    ),
    fault(
        "the request can be read",
        "uart_bridge",
        "of_request <= at_mailbox && writes && ",
        "of_request <= at_mailbox && ",
    ),
    fault(
        "a request of another count is good",
        "bridge_mailbox",
        "framed && expected && ",
        "framed && ",
    ),
    fault(
        "a request is good whatever its check",
        "bridge_mailbox",
        " && right;",
        ";",
    ),
    fault(
        "a request of commands' bytes is good",
        "bridge_mailbox",
        "framed <= (&marked) && ",
        "framed <= ",
    ),
    fault(
        "a request bears anything in its last bits",
        "bridge_mailbox",
        "&& !(|request[7:0]) ",
        "",
    ),
    fault(
        "an access beyond the registers is told as done",
        "bridge_mailbox",
        "response_r <= decode_error;",
        "response_r <= okay;",
    ),
];

/// Item port and bus split.
const BUS: &[Fault] = &[
    fault(
        "the host's item takes back an offer of the stream",
        "item_port",
        "grant <= pending && (!s_item_tvalid || f_item_tready);",
        "grant <= pending;",
    ),
    fault(
        "the host's verdict waits for the stream's reader",
        "item_port",
        "assign f_verdict_tready = host || m_verdict_tready;",
        "assign f_verdict_tready = m_verdict_tready;",
    ),
    fault(
        "the host's verdict reaches the stream",
        "item_port",
        "assign m_verdict_tvalid = f_verdict_tvalid && !host;",
        "assign m_verdict_tvalid = f_verdict_tvalid;",
    ),
    fault(
        "an insert leaves the verdict before it",
        "item_port",
        "if (silent) begin",
        "if (1'b0) begin",
    ),
    fault(
        "an item that is not done is written over",
        "item_registers",
        "assign refused = unfit || busy;",
        "assign refused = unfit;",
    ),
    fault(
        "the lowest word of a key offers it",
        "item_registers",
        "assign offered = acts && to_key_r[1];",
        "assign offered = acts && to_key_r[0];",
    ),
    fault(
        "a read is begun before the one of the other slave is answered",
        "bus_split",
        "assign port_arvalid = arvalid && !reading && read_of_port;",
        "assign port_arvalid = arvalid && read_of_port;",
    ),
    fault(
        "an answer is that of the next address's slave",
        "bus_split",
        "if (port_rvalid) begin",
        "if (read_of_port) begin",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 40;
const UART_CLOCKS: u64 = 60_000;
const BUS_CLOCKS: u64 = 8_000;

fn sample(key_bits: u32, clocks_per_bit: Option<u64>) -> CardSample {
    CardSample {
        filter: SampleFilter::Cells(CellSample {
            key_bits,
            hashes: 2,
            ..CellSample::STATIC
        }),
        clocks_per_bit,
        ..CardSample::BASE
    }
}

#[test]
fn faults_of_receiver_queue_bridge_and_mailbox_are_caught() {
    every_card_fault_is_caught(&sample(20, Some(8)), UART, SEEDS, UART_CLOCKS);
}

#[test]
fn faults_of_item_port_and_bus_split_are_caught() {
    every_card_fault_is_caught(&sample(33, None), BUS, SEEDS, BUS_CLOCKS);
}
