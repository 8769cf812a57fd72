//! The library for C: programs that the system's compilers make of the committed header, against served cards.

use super::support::{compile, run, Card, Linked};
use std::net::{SocketAddr, UdpSocket};
use std::process::Command;
use std::time::Duration;

/// Small enough to read its array often.
const SMALL: [(&str, &str); 2] = [
    ("memory_bits = 524288", "memory_bits = 16384"),
    ("items = 20000", "items = 500"),
];

#[test]
#[ignore = "a claim"]
fn a_program_in_c_drives_a_recycling_card_through_the_shared_library_and_gives_everything_back() {
    let card = Card::small_recycling(&["--udp", "0"]);
    let program = compile("tests/drive.c", "cc", Linked::Checked, card.folder.path());
    let said = run(Command::new(program)
        .arg(card.url())
        .arg(card.manifest())
        .arg(card.folder.path()));
    assert_eq!(said, "406 items\n");
}

#[test]
#[ignore = "a claim"]
fn a_program_in_c_plus_plus_drives_a_counting_card_through_the_static_library() {
    let card = Card::counting(&SMALL);
    let program = compile("tests/drive.c", "g++", Linked::Static, card.folder.path());
    // A specification that says its threshold will do for a manifest.
    let said = run(Command::new(program)
        .arg(card.url())
        .arg(card.path("card.toml"))
        .arg(card.folder.path()));
    assert_eq!(said, "310 items\n");
    assert!(card.path("one.snapshot").is_file());
}

#[test]
#[ignore = "a claim"]
fn a_program_in_c_sets_what_happens_to_the_frames_of_a_line_card() {
    let card = Card::line_card();
    let program = compile("tests/drive.c", "cc", Linked::Checked, card.folder.path());
    run(Command::new(program)
        .arg(card.url())
        .arg(card.manifest())
        .arg(card.folder.path()));
}

/// A place that hands so many datagrams on to `card`, and its answers back, and is gone then.
fn cut_after(datagrams: usize, card: SocketAddr) -> SocketAddr {
    let client = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let link = UdpSocket::bind("127.0.0.1:0").expect("a port");
    link.connect(card).expect("an address");
    link.set_read_timeout(Some(Duration::from_millis(200)))
        .expect("a time");
    let place = client.local_addr().expect("its own");
    std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        for _ in 0..datagrams {
            let (bytes, from) = client.recv_from(&mut buffer).expect("a datagram");
            link.send(&buffer[..bytes]).expect("sent on");
            // where the answer is lost, the client asks again
            if let Ok(bytes) = link.recv(&mut buffer) {
                client.send_to(&buffer[..bytes], from).expect("sent back");
            }
        }
    });
    place
}

#[test]
#[ignore = "a claim"]
fn a_bulk_call_that_fails_in_the_middle_gives_the_verdicts_of_the_items_that_were_done() {
    let card = Card::small_recycling(&["--udp", "0"]);
    let program = compile("tests/cut.c", "cc", Linked::Checked, card.folder.path());
    let served = card.url();
    let served = served.strip_prefix("etherbone:").expect("over UDP");
    let (served, _) = served.split_once('?').expect("a time-out");
    let cut = cut_after(400, served.parse().expect("an address"));
    let said = run(Command::new(program)
        .arg(format!("etherbone:{cut}"))
        .arg(card.manifest()));
    println!("{said}");
}
