//! Register reads per second over each transport, and keys per second that are tested and inserted in bulk, beside a bare
//! loopback of the same line: the same number of bytes there and back in as many round trips, with nothing done to them.
//!
//! `cargo run --release -p bloomline-driver --example round_trips [SECONDS]`, 0.2 seconds a round by default. The rounds of
//! a line and its loopback alternate; the tables give the median of fifteen rounds each, and the least and the most. The
//! card is an item port that takes no time, with the keys of the example `admit` (104 bits: four words, and one that says
//! what to do); a PCIe BAR that is a file cannot have one.

#[path = "support/loopback.rs"]
mod loopback;

use bloomline_driver::serve::{Bridge, EtherboneResponder, UartResponder, UdpServer};
use bloomline_driver::{
    Checking, Design, Device, Etherbone, EtherboneCarrier, Item, Limits, Line, PcieBar, SerialLine,
    Transport, TransportError, Uart, UartCarrier, UdpLine, Within,
};
use bloomline_spec::registers::{address, field, MAGIC};
use bloomline_spec::{CellOperation, FilterSpec, Key, RegisterMap, CARD_EXAMPLES};
use loopback::{bounce, one_read, row, row_of_many, while_served, Echo, WITHIN};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;

/// No wait is calculated from it that the pseudo-terminal would have.
const BAUD: u32 = 4_000_000;

/// Keys of one call.
const KEYS: u64 = 640;

/// The registers of a card, which take no time, and whose item port has done every item at once.
struct Card {
    map: RegisterMap,
    last_key_word: u32,
    sequence: u32,
}

impl Card {
    fn new(design: &Design) -> Card {
        Card {
            map: design.register_map(),
            last_key_word: address::ITEM_KEY + 4 * (design.common().key_words() - 1),
            sequence: 0,
        }
    }
}

impl Transport for Card {
    fn read(&mut self, address: u32, _: Within) -> Result<u32, TransportError> {
        let register = self.map.at(address);
        let register = register.ok_or(TransportError::NoRegister { address })?;
        Ok(match address {
            address::ITEM_RESULT => self.sequence << field::ITEM_SEQUENCE,
            _ => register.reset.unwrap_or(0),
        })
    }

    fn write(&mut self, address: u32, _: u32, _: Within) -> Result<(), TransportError> {
        if address == self.last_key_word {
            self.sequence = (self.sequence + 1) % (1 << field::ITEM_SEQUENCE_BITS);
        }
        Ok(())
    }
}

/// The card of the example.
fn design() -> Result<Design, Box<dyn Error>> {
    let (file, text) = CARD_EXAMPLES[0];
    let sizing = FilterSpec::from_toml(text, Path::new(file))?.validate()?;
    Ok(sizing.with_threshold(20_000)?.into())
}

/// Bytes of one round trip, and round trips, there and back: of a read, and of a key that is tested and inserted.
#[derive(Clone, Copy)]
struct Bytes {
    read: (usize, usize),
    key: (usize, usize),
    trips_a_key: u64,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq)]
enum Measured {
    Reads,
    Keys,
}

/// A row for a link to a card and a bare line.
fn measure<T: Transport>(
    name: &str,
    seconds: f64,
    measured: Measured,
    bytes: Bytes,
    mut link: T,
    bare: &mut impl Line,
) -> Result<(), Box<dyn Error>> {
    if measured == Measured::Reads {
        let (there, back) = bytes.read;
        let name = format!("{name} ({there} bytes there, {back} back)");
        let bare = || bounce(bare, there, back);
        return row(&name, seconds, || one_read(&mut link), bare);
    }
    let (there, back) = bytes.key;
    let trips = bytes.trips_a_key;
    let name = format!("{name} ({trips} times {there} bytes there, {back} back)");
    let device = Device::identify(link, design()?, Limits::default())?;
    let bits = device.design().common().key_bits();
    let key = |number: u64| Key::from_integer(number.into(), bits);
    let item = |key| Item::new(CellOperation::TestAndInsert, key);
    let keys = (0..KEYS).map(|number| key(number).map(item));
    let items = keys.collect::<Result<Vec<Item>, _>>()?;
    let insert = || Ok(device.apply_all(&items, |_| {}).map(drop)?);
    let bare = || (0..KEYS * trips).try_for_each(|_| bounce(bare, there, back));
    row_of_many(&name, seconds, KEYS, insert, bare)
}

fn uart(
    name: &str,
    seconds: f64,
    measured: Measured,
    checking: Checking,
    bytes: Bytes,
) -> Result<(), Box<dyn Error>> {
    let (server, host) = SerialLine::pair()?;
    let (echo, mut bare) = SerialLine::pair()?;
    let responder = UartResponder::new(Bridge::new(Card::new(&design()?), WITHIN));
    let link = Uart::new(UartCarrier::new(host, BAUD), 0, checking);
    while_served(server, responder, || {
        while_served(echo, bytes.echo(measured), || {
            measure(name, seconds, measured, bytes, link, &mut bare)
        })
    })
}

fn etherbone(
    name: &str,
    seconds: f64,
    measured: Measured,
    checking: Checking,
    bytes: Bytes,
) -> Result<(), Box<dyn Error>> {
    let (server, echo) = (
        UdpServer::bind("127.0.0.1:0")?,
        UdpServer::bind("127.0.0.1:0")?,
    );
    let mut bare = UdpLine::connect(echo.address()?)?;
    let carrier = EtherboneCarrier::new(UdpLine::connect(server.address()?)?);
    let link = Etherbone::new(carrier, 0, checking);
    let responder = EtherboneResponder::new(Bridge::new(Card::new(&design()?), WITHIN));
    while_served(server, responder, || {
        while_served(echo, bytes.echo(measured), || {
            measure(name, seconds, measured, bytes, link, &mut bare)
        })
    })
}

impl Bytes {
    /// The other end of the bare line.
    fn echo(self, measured: Measured) -> Echo {
        let (there, back) = match measured {
            Measured::Reads => self.read,
            Measured::Keys => self.key,
        };
        Echo::new(there, back)
    }
}

fn pcie(name: &str, seconds: f64, folder: &Path) -> Result<(), Box<dyn Error>> {
    let path = folder.join("resource2");
    let mut bytes = vec![0; 4096];
    bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
    std::fs::write(&path, &bytes)?;
    let mut link = PcieBar::open(&path, 0)?;
    let memory = bytes.as_ptr().cast::<u32>();
    let load = || {
        // SAFETY: the first four of 4096 bytes of a live vector; `read_unaligned` asks for no alignment.
        match u32::from_le(black_box(unsafe { black_box(memory).read_unaligned() })) {
            MAGIC => Ok(()),
            other => Err(format!("read 0x{other:08X}").into()),
        }
    };
    row(name, seconds, || one_read(&mut link), load)
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = match std::env::args().nth(1) {
        Some(seconds) => seconds.parse()?,
        None => 0.2,
    };
    // A key by the mailbox: five words written and one read, each an access. Without: one message with five words, which
    // reads one back, and one that reads; half of their bytes each.
    let by_mailbox = |there, back| Bytes {
        read: (there, back),
        key: (there, back),
        trips_a_key: 6,
    };
    let unchecked = |read, key| Bytes {
        read,
        key,
        trips_a_key: 2,
    };
    let [mailbox, none] = [Checking::Mailbox, Checking::None];
    for measured in [Measured::Reads, Measured::Keys] {
        let what = match measured {
            Measured::Reads => "reads a second | bare loopback, round trips a second",
            Measured::Keys => "keys a second, in bulk | bare loopback, as many bytes and trips",
        };
        println!("| transport | {what} | share |\n|---|---|---|---|");
        let bytes = by_mailbox(36, 20);
        uart("uart, mailbox", seconds, measured, mailbox, bytes)?;
        if measured == Measured::Reads {
            let bytes = unchecked((6, 4), (6, 4));
            let name = "uart, three reads that agree: 6 times";
            uart(name, seconds, measured, Checking::Agree, bytes)?;
        }
        let bytes = unchecked((6, 4), (19, 4));
        uart("uart, unchecked", seconds, measured, none, bytes)?;
        let bytes = by_mailbox(64, 36);
        etherbone("etherbone, mailbox", seconds, measured, mailbox, bytes)?;
        let bytes = unchecked((20, 20), (32, 20));
        etherbone("etherbone, unchecked", seconds, measured, none, bytes)?;
        if measured == Measured::Reads {
            let name = "pcie, a mapped file (4 bytes; bare: memory)";
            pcie(name, seconds, tempfile::tempdir()?.path())?;
        }
        println!();
    }
    Ok(())
}
