//! Claims about URLs and about what cannot be opened.

use crate::common::{geometry, Fake};
use bloomline_driver::mailbox::AUTH;
use bloomline_driver::serve::{serve, Bridge, EtherboneResponder, UdpServer};
use bloomline_driver::{
    connect, open, Check, ConnectError, Design, Device, DriverError, Limits, SerialLine, Transport,
    TransportError, Url, Within,
};
use bloomline_spec::host_port::{HOST_AUTH_LOADED, HOST_AUTH_TAGGED};
use bloomline_spec::registers::{address, MAGIC};
use bloomline_spec::{FilterSpec, LINECARD_EXAMPLES};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WITHIN: Duration = Duration::from_millis(200);

fn refused(url: &str) -> String {
    match open(url, WITHIN) {
        Ok(_) => panic!("`{url}` must be refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn urls_say_where_and_how() {
    let parsed = |url: &str| Url::parse(url).expect("a good URL");
    assert_eq!(
        parsed("uart:/dev/ttyUSB0"),
        Url::Uart {
            path: "/dev/ttyUSB0".to_owned(),
            baud: 115_200,
            base: 0,
            check: Check::Auto
        }
    );
    assert_eq!(
        parsed("uart:/dev/ttyUSB1?baud=3000000&base=0x82000000&check=agree"),
        Url::Uart {
            path: "/dev/ttyUSB1".to_owned(),
            baud: 3_000_000,
            base: 0x8200_0000,
            check: Check::Agree
        }
    );
    for (host, check, at) in [
        ("192.168.1.50:1234", "none", "192.168.1.50:1234"),
        ("192.168.1.50", "none", "192.168.1.50:1234"),
        ("[fe80::1]:1234", "mailbox", "[fe80::1]:1234"),
        ("[fe80::1]", "mailbox", "[fe80::1]:1234"),
        ("fpga:1", "auto", "fpga:1"),
    ] {
        let url = parsed(&format!("etherbone:{host}?check={check}"));
        assert!(
            matches!(&url, Url::Etherbone { host: got, base: 0, .. } if got == at),
            "{url:?}"
        );
    }
    assert_eq!(
        parsed("pcie:0000:03:00.0/2?offset=0x100000"),
        Url::Pcie {
            path: PathBuf::from("/sys/bus/pci/devices/0000:03:00.0/resource2"),
            offset: 0x10_0000
        }
    );
    assert_eq!(
        parsed("pcie:/tmp/resource2"),
        Url::Pcie {
            path: PathBuf::from("/tmp/resource2"),
            offset: 0
        }
    );
}

#[test]
fn a_slow_line_is_given_the_time_that_its_bits_take() {
    let access = |url: &str| Url::parse(url).expect("a good URL").limits().access;
    assert_eq!(access("etherbone:host:1234"), Duration::from_secs(1));
    let patient = "etherbone:host:1234?timeout_ms=20000";
    assert_eq!(access(patient), Duration::from_secs(20));
    for wrong in ["0", "-1", "soon", "600001"] {
        let error = Url::parse(&format!("etherbone:host:1234?timeout_ms={wrong}"));
        let error = error.expect_err(wrong).to_string();
        assert!(error.contains("from 1 to 600000"), "{error}");
    }
    assert_eq!(
        access("uart:/dev/ttyUSB0?baud=256"),
        Duration::from_secs(11)
    );
    let usual = access("uart:/dev/ttyUSB0");
    assert!(usual < Duration::from_millis(1050), "{usual:?}");
}

#[test]
fn bad_urls_are_refused_with_what_was_expected() {
    for (url, needle) in [
        ("", "got none"),
        (
            "/dev/ttyUSB0",
            "expected one of the schemes uart:, etherbone:, pcie:, got none",
        ),
        ("usb:0", "got `usb:`"),
        ("uart:", "expected a serial device, got ``"),
        (
            "uart:/dev/x?baud=fast",
            "baud must be a number of bits a second above 0, got `fast`",
        ),
        ("uart:/dev/x?baud=0", "got `0`"),
        ("uart:/dev/x?base=2", "a multiple of 4, got `2`"),
        ("uart:/dev/x?base=0x100000000", "32-bit byte address"),
        (
            "uart:/dev/x?check=yes",
            "auto, mailbox, agree or none, got `yes`",
        ),
        (
            "uart:/dev/x?speed=9600",
            "no parameter `speed`; this scheme has baud, base and check",
        ),
        (
            "uart:/dev/x?baud=9600&baud=115200",
            "the parameter `baud` is given more than once",
        ),
        (
            "etherbone:h?timeout_ms=5&check=none&timeout_ms=5",
            "the parameter `timeout_ms` is given more than once",
        ),
        ("etherbone:192.168.1.50:", "expected HOST:PORT"),
        ("etherbone::1234", "expected HOST:PORT"),
        ("etherbone:h:0", "expected HOST:PORT"),
        ("etherbone:h:70000", "expected HOST:PORT"),
        (
            "etherbone:h:1?baud=1",
            "no parameter `baud`; this scheme has base, check, key and timeout_ms",
        ),
        ("pcie:", "expected DOMAIN:BUS:DEVICE.FUNCTION/BAR"),
        ("pcie:03:00.0/2", "expected DOMAIN:BUS:DEVICE.FUNCTION/BAR"),
        ("pcie:0000:03:00.0/6", "a BAR from 0 to 5"),
        (
            "pcie:0000:03:00.0/../../x",
            "expected DOMAIN:BUS:DEVICE.FUNCTION/BAR",
        ),
        (
            "pcie:0000:03:00.0/2?offset=-1",
            "offset must be a number of bytes",
        ),
        ("pcie:0000:03:00.0/2?offset=2", "a multiple of 4, got `2`"),
    ] {
        let message = refused(url);
        assert!(message.contains(needle), "`{url}`: {message}");
    }
}

#[test]
fn what_is_not_there_is_named_with_the_way_to_look_for_it() {
    let serial = refused("uart:/dev/ttyUSB-no-such");
    assert!(
        serial.starts_with("/dev/ttyUSB-no-such: there is no such device"),
        "{serial}"
    );
    assert!(
        serial.contains("`ls /dev/serial/by-id`") && !serial.contains("lspci"),
        "{serial}"
    );
    let card = refused("pcie:ffff:ff:1f.7/0");
    assert!(
        card.contains("resource0: there is no such device")
            && card.contains("`lspci -D`")
            && !card.contains("by-id"),
        "{card}"
    );
    let host = refused("etherbone:no-such-host.invalid:1234");
    assert!(
        host.contains("no-such-host.invalid:1234: the address cannot be used"),
        "{host}"
    );
}

#[test]
fn a_folder_or_a_plain_file_is_no_serial_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "text").expect("a file");
    for (path, told) in [
        (folder.path(), "cannot be opened"),
        (&file, "it is no serial device; name one"),
        (Path::new("/dev/null"), "it is no serial device; name one"),
    ] {
        let message = refused(&format!("uart:{}", path.display()));
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn a_bar_that_is_too_small_is_refused_with_both_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("resource2");
    std::fs::write(&path, vec![0; 0x10_0000 + 255]).expect("a file");
    let url = format!("pcie:{}?offset=0x100000", path.display());
    let message = refused(&url);
    assert!(
        message.contains("has 1048831 bytes") && message.contains("offset 0x100000 need 1048832"),
        "{message}"
    );
    std::fs::write(&path, vec![0; 0x10_0000 + 256]).expect("a file");
    open(&url, WITHIN).expect("now it is long enough");
    let past = refused(&format!(
        "pcie:{}?offset=0xfffffffffffffffc",
        path.display()
    ));
    assert!(past.contains("the BAR has"), "{past}");
}

#[test]
fn a_foreign_device_and_another_version_are_refused_through_a_transport() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("resource0");
    let mut bytes = vec![0; 4096];
    let identify = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        let bar = open(&format!("pcie:{}", path.display()), WITHIN).expect("it opens");
        Device::identify(bar, geometry(), Limits::default()).map(|_| ())
    };
    let foreign = identify(&bytes);
    assert!(
        matches!(foreign, Err(DriverError::Magic { got: 0, .. })),
        "{foreign:?}"
    );
    bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
    bytes[address::VERSION as usize] = 9;
    let version = identify(&bytes);
    assert!(
        matches!(version, Err(DriverError::MapVersion { got: 9, .. })),
        "{version:?}"
    );
}

#[test]
fn a_serial_line_where_nothing_answers_has_its_rate_named() {
    let (_silent, kept_open) = SerialLine::pair().expect("a pseudo-terminal");
    let path = kept_open.path().expect("the terminal's path");
    let message = refused(&format!("uart:{path}"));
    assert!(
        message.contains("nothing answers") && message.contains("115200 baud, which is taken"),
        "{message}"
    );
    let message = refused(&format!("uart:{path}?baud=9600"));
    assert!(message.contains("the rate of `baud=`"), "{message}");
    // the same where nothing is asked before the device is identified
    let url = format!("uart:{path}?baud=100000&check=none");
    let message = connect(&url, &geometry().into()).map(|_| ());
    let message = message.expect_err("nothing answers").to_string();
    assert!(
        message.contains("identify: register") && message.contains("the rate of `baud=`"),
        "{message}"
    );
}

#[test]
fn a_serial_line_has_the_rate_of_the_specification_where_the_url_names_none() {
    let (_silent, kept_open) = SerialLine::pair().expect("a pseudo-terminal");
    let path = kept_open.path().expect("the terminal's path");
    let text = include_str!("../../../hdl/specification/examples/admit.toml");
    let spec =
        FilterSpec::from_toml(text, Path::new("admit.toml")).and_then(|spec| spec.validate());
    let geometry = spec.and_then(|sizing| sizing.with_threshold(19_694));
    let design = Design::from(geometry.expect("the example is good"));
    for (given, taken) in [
        (format!("uart:{path}"), format!("uart:{path}?baud=1000000")),
        (
            format!("uart:{path}?base=0"),
            format!("uart:{path}?base=0&baud=1000000"),
        ),
        (
            format!("uart:{path}?baud=9600"),
            format!("uart:{path}?baud=9600"),
        ),
        ("etherbone:h".to_owned(), "etherbone:h".to_owned()),
    ] {
        assert_eq!(Url::for_design(&given, &design), taken);
    }
    let refused = connect(&format!("uart:{path}?check=auto"), &design).map(|_| ());
    let message = refused.expect_err("nothing answers").to_string();
    assert!(message.contains("?check=auto&baud=1000000"), "{message}");
}

#[test]
fn a_line_where_nothing_answers_is_refused_in_time() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let url = format!("etherbone:{}", silent.local_addr().expect("it is bound"));
    let start = std::time::Instant::now();
    let message = refused(&url);
    assert!(
        message.contains("nothing answers")
            && message.contains("no answer within 200 ms")
            && !message.contains("baud"),
        "{message}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    let mut unprobed = open(&format!("{url}?check=none"), WITHIN).expect("nothing is asked yet");
    assert!(unprobed.read(0, WITHIN).is_err());
}

/// Connects to a device of these registers as one of [`geometry`].
fn connect_to(device: impl Transport + Send) -> Result<(), ConnectError> {
    let mut responder = EtherboneResponder::new(Bridge::new(device, WITHIN));
    let mut line = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let url = format!("etherbone:{}", line.address().expect("it is bound"));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let connected = connect(&url, &geometry().into()).map(|_| ());
        stop.store(true, Ordering::Relaxed);
        connected
    })
}

#[test]
fn a_card_of_another_design_is_told_by_its_geometry_hash_whatever_registers_it_has() {
    connect_to(Fake::new(&geometry())).expect("its own design");
    let (file, text) = LINECARD_EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).and_then(|spec| spec.validate());
    let other = spec.and_then(|sizing| sizing.with_threshold(20_000));
    let other = other.expect("an example");
    let hash = other.geometry_hash();
    let refused = connect_to(Fake::new(&other)).expect_err("it is another card");
    assert!(
        matches!(&refused, ConnectError::Device { source: DriverError::GeometryHash { got, .. }, .. } if *got == hash),
        "{refused}"
    );
}

/// A device behind a host port that asks for tags: what the port says of them.
struct Tagged(Fake, u32);

impl Transport for Tagged {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        match address {
            AUTH => Ok(self.1),
            _ => self.0.read(address, within),
        }
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.0.write(address, value, within)
    }
}

#[test]
fn a_host_port_that_asks_for_tags_is_said_to_need_a_key_and_not_to_be_silent() {
    let loaded = HOST_AUTH_TAGGED | 1 << HOST_AUTH_LOADED;
    for (says, next) in [
        (loaded, "`?key=FILE`"),
        (HOST_AUTH_TAGGED, "host-key SPEC FILE"),
    ] {
        let refused = connect_to(Tagged(Fake::new(&geometry()), says));
        let message = refused.expect_err("there is no key").to_string();
        assert!(message.contains(next), "{message}");
        assert!(!message.contains("nothing answers"), "{message}");
    }
}
