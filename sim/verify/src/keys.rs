//! Keys of a verification: drawn, or read from files.

use super::VerifyError;
use bloomline_model::{PathLane, Sorted};
use bloomline_spec::{Common, FiveTuple, Key, KeyError, PacketFields, MAX_KEY_BITS};
use bloomline_stimulus::{
    Capture, CapturedFrame, CsvColumn, LinkType, RandomNew, Record, ZipfKeys,
};
use std::path::PathBuf;
use std::sync::Arc;

/// A source of keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Keys {
    /// Random keys, none of them twice: what the model test needs.
    RandomNew,
    /// A capture's packets (pcap or pcapng, plain or gzip).
    Capture(PathBuf),
    /// A column of a table.
    Column {
        /// The file.
        file: PathBuf,
        /// The column's name.
        column: String,
    },
    /// A popularity law over a million keys.
    Zipf {
        /// Its exponent.
        exponent: f64,
    },
}

/// Keys in memory, and how many records had none.
#[derive(Debug, Clone)]
pub struct LoadedKeys {
    /// The keys in order.
    pub keys: Vec<Key>,
    /// Bytes of the frames that they come from; empty for sources without frames.
    pub frame_bytes: Vec<u32>,
    /// Records without the field that is the key.
    pub skipped: u64,
    /// No key comes twice, by the way they are made.
    pub all_new: bool,
}

/// Keys by their place: drawn when they are asked for, or in memory.
#[derive(Debug, Clone)]
pub enum KeyList {
    /// Random keys, none of them twice.
    New {
        /// Their order.
        random: RandomNew,
        /// Width of a key.
        bits: u32,
        /// How many there are.
        count: u64,
    },
    /// Keys in memory, which may come again.
    Loaded(Arc<Vec<Key>>),
}

impl KeyList {
    /// How many there are.
    pub fn len(&self) -> u64 {
        match self {
            KeyList::New { count, .. } => *count,
            KeyList::Loaded(keys) => keys.len() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no key comes twice, by the way they are made.
    pub fn all_new(&self) -> bool {
        matches!(self, KeyList::New { .. })
    }

    /// The key at a place.
    pub fn at(&self, place: u64) -> Option<Key> {
        match self {
            KeyList::New {
                random,
                bits,
                count,
            } if place < *count => spread(random.at(place), *bits).ok(),
            KeyList::New { .. } => None,
            KeyList::Loaded(keys) => keys.get(usize::try_from(place).ok()?).copied(),
        }
    }
}

/// Drawn keys between two calls of who watches.
const KEYS_A_LOOK: u64 = 1 << 16;

/// Memory that is free, in bytes, where the system says so.
fn free_bytes() -> Option<u64> {
    let said = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Distinct keys of the Zipf source.
const ZIPF_KEYS: u64 = 1_000_000;

impl Keys {
    /// At most `items` keys for a filter, and how many records had none. Random new keys take no memory.
    ///
    /// # Errors
    /// As [`Keys::load`].
    pub fn list(
        &self,
        common: &Common,
        items: u64,
        seed: u64,
    ) -> Result<(KeyList, u64), VerifyError> {
        self.list_watched(common, items, seed, &|| ())
    }

    /// As [`Keys::list`]; `drawing` is called again and again meanwhile.
    pub(crate) fn list_watched(
        &self,
        common: &Common,
        items: u64,
        seed: u64,
        drawing: &dyn Fn(),
    ) -> Result<(KeyList, u64), VerifyError> {
        if *self != Keys::RandomNew {
            self.fit(items, size_of::<Key>() as u64)?;
            let loaded = self.load_watched(common, items, seed, drawing)?;
            return Ok((KeyList::Loaded(Arc::new(loaded.keys)), loaded.skipped));
        }
        if items == 0 {
            return Err(VerifyError::NoKeys {
                source_name: self.name(),
            });
        }
        let bits = common.key_bits().min(64);
        let available = if bits < 64 { 1u64 << bits } else { u64::MAX };
        let list = KeyList::New {
            random: RandomNew::new(bits, seed)?,
            bits: common.key_bits(),
            count: items.min(available),
        };
        Ok((list, 0))
    }

    /// Reads or draws at most `items` keys for a filter; files give what they have.
    ///
    /// # Errors
    /// [`VerifyError::Stimulus`] when a source cannot be read, [`VerifyError::Key`] when a value does not fit the key, [`VerifyError::NoKeys`] when there is none.
    pub fn load(&self, common: &Common, items: u64, seed: u64) -> Result<LoadedKeys, VerifyError> {
        self.load_watched(common, items, seed, &|| ())
    }

    /// That so many drawn keys have room in the memory that is free, as far as the system says; a file has as many as it has.
    ///
    /// # Errors
    /// [`VerifyError::Memory`].
    pub(crate) fn fit(&self, items: u64, bytes_an_item: u64) -> Result<(), VerifyError> {
        let drawn = matches!(self, Keys::RandomNew | Keys::Zipf { .. });
        let Some(free) = free_bytes().filter(|_| drawn) else {
            return Ok(());
        };
        match items.saturating_mul(bytes_an_item) > free {
            true => Err(VerifyError::Memory {
                items,
                gigabytes: items as f64 * bytes_an_item as f64 / 1e9,
                free_gigabytes: free as f64 / 1e9,
                most: free / bytes_an_item,
            }),
            false => Ok(()),
        }
    }

    /// As [`Keys::load`]; `drawing` is called again and again meanwhile.
    pub(crate) fn load_watched(
        &self,
        common: &Common,
        items: u64,
        seed: u64,
        drawing: &dyn Fn(),
    ) -> Result<LoadedKeys, VerifyError> {
        let format = common.key_format();
        let mut loaded = LoadedKeys {
            keys: Vec::new(),
            frame_bytes: Vec::new(),
            skipped: 0,
            all_new: *self == Keys::RandomNew,
        };
        let key = |number: u64, key: Result<Key, KeyError>| {
            if number.is_multiple_of(KEYS_A_LOOK) {
                drawing();
            }
            key.map_err(|source| VerifyError::Key {
                source_name: self.name(),
                number,
                source,
            })
        };
        let limit = usize::try_from(items).unwrap_or(usize::MAX);
        match self {
            Keys::RandomNew => {
                let bits = common.key_bits().min(64);
                let random = RandomNew::new(bits, seed)?;
                let available = if bits < 64 { 1u64 << bits } else { u64::MAX };
                let count = items.min(available);
                // without it, the list grows by twice its length
                let _ = usize::try_from(count).map(|count| loaded.keys.try_reserve_exact(count));
                for i in 0..count {
                    loaded
                        .keys
                        .push(key(i, spread(random.at(i), common.key_bits()))?);
                }
            }
            Keys::Zipf { exponent } => {
                for (i, value) in ZipfKeys::new(*exponent, ZIPF_KEYS, seed)?
                    .take(limit)
                    .enumerate()
                {
                    let bits = common.key_bits();
                    let value = if bits < 64 {
                        value & ((1 << bits) - 1)
                    } else {
                        value
                    };
                    loaded
                        .keys
                        .push(key(i as u64, format.of_integer(value.into()))?);
                }
            }
            Keys::Column { file, column } => {
                for (i, value) in CsvColumn::open(file, column)?
                    .keys()
                    .take(limit)
                    .enumerate()
                {
                    loaded.keys.push(key(i as u64, format.of_integer(value?))?);
                }
            }
            Keys::Capture(file) => {
                let mut capture = Capture::open(file)?;
                let lane = PathLane::new(common);
                while loaded.keys.len() < limit {
                    let Some(captured) = capture.next_captured() else {
                        break;
                    };
                    let captured = captured?;
                    let number = capture.counts().frames - 1;
                    let found = match &lane {
                        Some(lane) if captured.link == Some(LinkType::Ethernet) => {
                            Ok(key_in_path(lane, &captured))
                        }
                        // a frame without flow fields has no key
                        _ => match captured.record() {
                            Ok(record) => format.of_packet(&fields(&record)),
                            Err(_) => Ok(None),
                        },
                    };
                    match found.transpose() {
                        Some(found) => {
                            loaded.keys.push(key(number, found)?);
                            loaded.frame_bytes.push(captured.frame_bytes);
                        }
                        None => loaded.skipped += 1,
                    }
                }
            }
        }
        if loaded.keys.is_empty() {
            let source_name = self.name();
            return Err(match loaded.skipped {
                0 => VerifyError::NoRecords { source_name },
                _ => VerifyError::NoKeys { source_name },
            });
        }
        Ok(loaded)
    }

    /// The source in a few words.
    pub fn name(&self) -> String {
        match self {
            Keys::RandomNew => "random new keys".into(),
            Keys::Capture(file) => file.display().to_string(),
            Keys::Column { file, column } => format!("{}:{column}", file.display()),
            Keys::Zipf { exponent } => format!("Zipf law with exponent {exponent}"),
        }
    }
}

/// What a record offers as a key.
fn fields(record: &Record) -> PacketFields {
    PacketFields {
        five_tuple: Some(FiveTuple {
            source: record.source,
            destination: record.destination,
            source_port: record.source_port,
            destination_port: record.destination_port,
            protocol: record.protocol,
        }),
        frame_digest: None,
    }
}

/// The key that a packet path takes from a frame: none if it sends no item, or if what it reads of the frame was not captured, so that the key depends
/// on what stands there.
fn key_in_path(lane: &PathLane, captured: &CapturedFrame) -> Option<Key> {
    let with = |fill| match lane.sort(&captured.filled(fill), false).finding {
        Sorted::Key(key) => Some(key),
        Sorted::Class(_) => None,
    };
    let key = with(0)?;
    (!captured.is_cut() || with(u8::MAX) == Some(key)).then_some(key)
}

/// A key all of whose bits depend on `value`, and that differs for different values.
pub(super) fn spread(value: u64, bits: u32) -> Result<Key, KeyError> {
    let mut all = [0; MAX_KEY_BITS as usize / 64 + 1];
    let words = &mut all[..(bits.div_ceil(64) as usize).min(MAX_KEY_BITS as usize / 64 + 1)];
    let mut word = value;
    for place in words.iter_mut() {
        *place = word;
        word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ value;
    }
    if let (Some(last), false) = (words.last_mut(), bits.is_multiple_of(64)) {
        *last &= u64::MAX >> (64 - bits % 64);
    }
    Key::from_words(words, bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, CELL_EXAMPLES};
    use std::cell::Cell;
    use std::path::Path;

    #[test]
    fn who_watches_hears_while_keys_are_drawn() {
        let (file, text) = CELL_EXAMPLES[0];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let design = spec.design().expect("legal");
        for keys in [Keys::RandomNew, Keys::Zipf { exponent: 1.0 }] {
            let calls = Cell::new(0);
            let drawing = || calls.set(calls.get() + 1);
            let loaded = keys.load_watched(&design, 4 * KEYS_A_LOOK, 1, &drawing);
            assert_eq!(loaded.expect("drawn").keys.len() as u64, 4 * KEYS_A_LOOK);
            assert_eq!(calls.get(), 4, "{}", keys.name());
        }
    }

    #[test]
    fn more_drawn_keys_than_there_is_memory_for_are_refused_before_they_are_drawn() {
        if free_bytes().is_none() {
            return eprintln!("skipped: the system does not say how much memory is free");
        }
        let error = Keys::RandomNew.fit(1 << 50, 100).expect_err("too many");
        let said = error.to_string();
        assert!(
            said.starts_with("--items 1125899906842624: takes"),
            "{said}"
        );
        assert!(said.contains("give at most"), "{said}");
        assert!(Keys::RandomNew.fit(1000, 100).is_ok());
        let file = Keys::Capture("x.pcap".into());
        assert!(file.fit(u64::MAX, 100).is_ok());
    }

    /// A capture of frames of Ethernet, of which so many bytes were captured.
    fn capture(frames: &[Vec<u8>], snap: usize) -> tempfile::NamedTempFile {
        let mut bytes = Vec::new();
        let head = [0xA1B2_C3D4_u32, 0x0002_0004, 0, 0, 65_535, 1];
        bytes.extend(head.iter().flat_map(|word| word.to_be_bytes()));
        for frame in frames {
            let captured = &frame[..frame.len().min(snap)];
            let lengths = [0, 0, captured.len() as u32, frame.len() as u32];
            bytes.extend(lengths.iter().flat_map(|word| word.to_be_bytes()));
            bytes.extend(captured);
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        file
    }

    /// An IPv4 packet from 10.0.0.`host`.
    fn ipv4(host: u8, protocol: u8, payload: &[u8]) -> Vec<u8> {
        let length = (20 + payload.len()) as u16;
        let mut packet = vec![0x45, 0];
        packet.extend(length.to_be_bytes());
        packet.extend([0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, host, 10, 0, 0, 99]);
        packet.extend(payload);
        packet
    }

    fn frame(packet: &[u8]) -> Vec<u8> {
        [&[2; 12][..], &[8, 0], packet].concat()
    }

    /// Keys that a packet path with this key and these lines takes from frames, and how many have none.
    fn in_path(source: &str, more: &str, frames: &[Vec<u8>], snap: usize) -> (Vec<Key>, u64) {
        let (file, text) = bloomline_spec::PACKET_EXAMPLES[0];
        let text = text
            .replacen("ipv4-5tuple", source, 1)
            .replacen("[packet]", &format!("[packet]\n{more}"), 1)
            .replacen("\"auto\"", "20000", 1);
        let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("reads");
        let design = spec.design().expect("legal");
        let file = capture(frames, snap);
        let loaded = Keys::Capture(file.path().to_owned()).load(&design, 1000, 1);
        let loaded = loaded.expect("has keys");
        (loaded.keys, loaded.skipped)
    }

    fn different(keys: &[Key]) -> usize {
        let all: std::collections::HashSet<_> = keys.iter().collect();
        all.len()
    }

    #[test]
    fn keys_of_a_capture_are_those_that_the_packet_path_takes() {
        let inside = |host| ipv4(host, 17, &[9; 20]);
        let gre: Vec<_> = (0..5)
            .map(|host| frame(&ipv4(1, 47, &[&[0, 0, 8, 0][..], &inside(host)].concat())))
            .collect();
        let ip_in_ip: Vec<_> = (0..5)
            .map(|host| frame(&ipv4(1, 4, &inside(host))))
            .collect();
        let tunnels = "tunnels = [\"ip-in-ip\"]";
        for (more, frames, keys) in [
            ("", &gre, 1),
            (tunnels, &gre, 1),
            ("", &ip_in_ip, 1),
            (tunnels, &ip_in_ip, 5),
        ] {
            let (found, skipped) = in_path("ipv4-5tuple", more, frames, 2000);
            assert_eq!(
                (found.len(), skipped, different(&found)),
                (5, 0, keys),
                "{more}"
            );
        }
        let (digests, _) = in_path("frame-digest", "", &gre, 2000);
        assert_eq!(different(&digests), 5);
        // of other versions, malformed, and longer than the path takes
        let mut bad = ipv4(1, 17, &[9; 20]);
        bad[0] = 0x44;
        let others = [
            frame(&inside(1)),
            frame(&bad),
            vec![6; 60],
            frame(&ipv4(2, 17, &[0; 1600])),
        ];
        let (found, skipped) = in_path("src-ip", "", &others, 2000);
        assert_eq!((found.len(), skipped), (1, 3));
    }

    #[test]
    fn frames_without_a_key_are_counted_without_a_packet_path_too() {
        let text = "name = \"flows\"\n[filter]\nkind = \"static\"\nmemory_bits = 4096\nhashes = 1\nitems = 10\n[key]\nsource = \"src-ip\"\n";
        let spec = FilterSpec::from_toml(text, Path::new("flows.toml")).expect("reads");
        let design = spec.design().expect("legal");
        let loaded = |frames: &[Vec<u8>]| {
            let file = capture(frames, 2000);
            Keys::Capture(file.path().to_owned()).load(&design, 1000, 1)
        };
        let arp = [&[2; 12][..], &[8, 6], &[0; 46]].concat();
        let frames = [frame(&ipv4(1, 17, &[9; 20])), arp.clone()];
        let found = loaded(&frames).expect("has a key");
        assert_eq!((found.keys.len(), found.skipped), (1, 1));
        assert!(matches!(loaded(&[arp]), Err(VerifyError::NoKeys { .. })));
    }

    #[test]
    fn a_frame_that_was_captured_in_part_has_a_key_where_all_headers_were() {
        let frames: Vec<_> = (0..5)
            .map(|host| frame(&ipv4(host, 17, &[9; 500])))
            .collect();
        for (snap, keys) in [(96, 5), (38, 5)] {
            let (found, skipped) = in_path("ipv4-5tuple", "", &frames, snap);
            assert_eq!((found.len(), skipped), (keys, 0), "{snap}");
        }
        let mixed = [frames[0].clone(), frame(&ipv4(7, 17, &[9; 4]))];
        let (whole, _) = in_path("ipv4-5tuple", "", &mixed, 2000);
        let cut_in_ports = in_path("src-ip", "", &mixed, 36);
        assert_eq!(
            (whole.len(), cut_in_ports.0.len()),
            (2, 2),
            "no port is part of the key"
        );
        let cut = [frames[0].clone(), frame(&ipv4(8, 1, &[]))];
        let (found, skipped) = in_path("ipv4-5tuple", "", &cut, 36);
        assert_eq!((found.len(), skipped), (1, 1), "a port is unknown");
    }
}
