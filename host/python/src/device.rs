use crate::error::{arguments, raise, ArgumentError};
use crate::keys::{self, Keys};
use crate::path;
use crate::snapshot::Snapshot;
use crate::verdict::{Verdict, Verdicts};
use bloomline_driver::{
    connect, Design, DriverError, Events, FlatVerdict, Item, Link, NewSecret, Part, Settings,
};
use bloomline_spec::CellOperation;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Items between two looks at Python's signals: a second or so of a fast serial line.
const ITEMS_A_TURN: usize = 256;

type Card = bloomline_driver::Device<Link>;

/// A card: the one that a URL names, taken only if it is the filter of a design.
///
/// The URL is uart:/dev/ttyUSB0 (at the rate of the design, or of ?baud=115200), etherbone:HOST[:PORT] or pcie:0000:03:00.0/2; the design is the manifest.json that
/// `bloomline emit` wrote, or a specification that says its threshold. Every call may come from any thread; they take turns.
/// As a context manager it closes itself.
#[pyclass(frozen, module = "bloomline")]
pub struct Device {
    card: Mutex<Option<Arc<Card>>>,
    events: Events,
}

impl Device {
    fn card(&self) -> PyResult<Arc<Card>> {
        let card = self.card.lock().unwrap_or_else(PoisonError::into_inner);
        card.clone()
            .ok_or_else(|| ArgumentError::new_err("the device is closed; open it again"))
    }

    /// A call that waits for the card, while other threads of Python run.
    fn wait<R: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&Card) -> Result<R, DriverError> + Send,
    ) -> PyResult<R> {
        let card = self.card()?;
        py.detach(|| call(&card)).map_err(raise)
    }

    /// Offers one key or many; what Python is given for it.
    fn offer<'py>(
        &self,
        py: Python<'py>,
        operation: CellOperation,
        (keys, amounts): (&Bound<'py, PyAny>, Option<&Bound<'py, PyAny>>),
    ) -> PyResult<Py<PyAny>> {
        let card = self.card()?;
        let keys = keys::read(keys, card.design().common().key_bits())?;
        let amounts = keys::amounts(amounts, keys.as_slice().len())?;
        let item = |(&key, amount)| Item {
            key,
            operation,
            amount,
        };
        let items: Vec<Item> = keys.as_slice().iter().zip(amounts).map(item).collect();
        if let Keys::One(_) = keys {
            let verdict = py.detach(|| card.apply(&items[0])).map_err(raise)?;
            let verdict = verdict.map(|verdict| Verdict(verdict.into()));
            return Ok(verdict.into_pyobject(py)?.into_any().unbind());
        }
        let mut verdicts = Vec::with_capacity(items.len());
        let mut done = 0;
        let mut ended = Ok(());
        for turn in items.chunks(ITEMS_A_TURN) {
            let mut got = Vec::with_capacity(turn.len());
            // what was done before an error is told too
            let tell = |so_far: &[Option<_>]| got.extend_from_slice(&so_far[got.len()..]);
            let applied = py.detach(|| card.apply_all(turn, tell).map(|_| ()));
            ended = applied.map_err(|error| raise(of_all(error, done, items.len())));
            done += got.len();
            verdicts.extend(got.into_iter().flatten().map(FlatVerdict::from));
            ended = ended.and_then(|()| py.check_signals());
            if ended.is_err() {
                break;
            }
        }
        let verdicts = operation.has_verdict().then_some(Verdicts(verdicts));
        let verdicts = verdicts.into_pyobject(py)?.into_any();
        if let Err(error) = ended {
            let raised = error.value(py);
            raised.setattr("done", done)?;
            raised.setattr("verdicts", verdicts)?;
            return Err(error);
        }
        Ok(verdicts.unbind())
    }
}

/// An error of one turn, with its item counted among all.
fn of_all(error: DriverError, before: usize, of: usize) -> DriverError {
    match error {
        DriverError::Bulk { place, source, .. } => DriverError::Bulk {
            place: before + place,
            of,
            source,
        },
        other => other,
    }
}

arguments! {
    threshold: Option<u64>, "a whole number from 0 to 2^64 - 1";
    max_age: Option<f64>, "seconds from 0 on";
    lane: Option<usize>, "a whole number from 0 on";
    max_frame: Option<u32>, "a whole number of bytes, from 0 to 2^32 - 1";
}

/// The argument `secret`, whose value no message shows.
fn secret(value: &Bound<'_, PyAny>) -> PyResult<Option<[u8; 16]>> {
    let extracted = value.extract();
    extracted.map_err(|_| ArgumentError::new_err("secret: give 16 bytes"))
}

#[pymethods]
impl Device {
    #[new]
    fn new(py: Python<'_>, url: String, design: PathBuf) -> PyResult<Device> {
        let card = py.detach(|| {
            let design = Design::load(&design).map_err(raise)?;
            connect(&url, &design).map_err(raise)
        })?;
        Ok(Device {
            card: Mutex::new(Some(Arc::new(card))),
            events: Events::default(),
        })
    }

    /// Closes the link, once calls that are under way in other threads have ended. Closing twice is no mistake.
    fn close(&self) {
        let mut card = self.card.lock().unwrap_or_else(PoisonError::into_inner);
        *card = None;
    }

    fn __enter__(this: Py<Device>) -> Py<Device> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    /// Who the card is: name, kind, geometry_hash, key_bits, hashes, clock_hz, has_item_port, is_keyed, blocks. Sends nothing.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let card = self.card()?;
        let design = card.design();
        let common = design.common();
        let dict = PyDict::new(py);
        dict.set_item("name", common.name())?;
        dict.set_item("kind", design.kind().word())?;
        dict.set_item("geometry_hash", design.geometry_hash())?;
        dict.set_item("key_bits", common.key_bits())?;
        dict.set_item("hashes", common.hashes())?;
        dict.set_item("clock_hz", common.clock_hz())?;
        dict.set_item("has_item_port", design.has_item_port())?;
        dict.set_item("is_keyed", design.is_keyed())?;
        let block = |block: &bloomline_driver::Block| (block.address, block.kind, block.version);
        let blocks: Vec<_> = card.blocks().iter().map(block).collect();
        dict.set_item("blocks", blocks)?;
        Ok(dict)
    }

    /// Sets what is given: the threshold; max_age, the longest time in seconds that a half of a recycling filter stays active (0
    /// for no limit); secret, 16 bytes under which the hash works from then on. A new secret empties every filter but a
    /// recycling one of two phases, which keeps its frozen half; with clear that is emptied too.
    #[pyo3(signature = (*, threshold = None, max_age = None, secret = None, clear = false))]
    fn configure(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = threshold)] threshold: Option<u64>,
        #[pyo3(from_py_with = max_age)] max_age: Option<f64>,
        #[pyo3(from_py_with = secret)] secret: Option<[u8; 16]>,
        clear: bool,
    ) -> PyResult<()> {
        let age = max_age.map(|seconds| {
            Duration::try_from_secs_f64(seconds).map_err(|error| {
                ArgumentError::new_err(format!(
                    "max_age = {seconds}: {error}; give seconds from 0 on"
                ))
            })
        });
        let age = age.transpose()?;
        if clear && secret.is_none() {
            return Err(ArgumentError::new_err(
                "clear goes with secret; clear() empties a filter",
            ));
        }
        let secret = secret.map(|bytes| NewSecret {
            secret: u128::from_le_bytes(bytes),
            clear,
        });
        let settings = Settings {
            threshold,
            max_age: age,
            secret,
            ..Settings::default()
        };
        self.wait(py, |card| card.configure(&settings))
    }

    /// Sets what is given for a packet path, or for every one: lane is None or its number (0 on a card between two streams; 0 or 1
    /// on a line card, by the Ethernet port that its frames come from). policies is a dictionary of what happens to frames by
    /// their class (unseen, seen, other, truncated, malformed, too-deep, oversize, bad): "pass", "drop" or "mark:N" with a DSCP N
    /// from 0 to 63; learn says whether keys of frames are inserted as they are looked up; max_frame is the bytes of the longest
    /// frame that is not oversize, without FCS.
    #[pyo3(signature = (lane = None, *, policies = None, learn = None, max_frame = None))]
    fn configure_path(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = lane)] lane: Option<usize>,
        policies: Option<BTreeMap<String, String>>,
        learn: Option<bool>,
        #[pyo3(from_py_with = max_frame)] max_frame: Option<u32>,
    ) -> PyResult<()> {
        let policies = policies.unwrap_or_default();
        let policies = policies
            .iter()
            .map(|(class, policy)| path::policy(class, policy));
        let policies: Vec<_> = policies.collect::<PyResult<_>>()?;
        self.wait(py, |card| {
            let lanes = match lane {
                Some(lane) => lane..lane + 1,
                // Of none the driver says that there is none.
                None => 0..card.design().lanes().max(1),
            };
            let mut settings = Settings::default();
            for lane in lanes {
                settings
                    .max_frames
                    .extend(max_frame.map(|bytes| (lane, bytes)));
                let policies = policies.iter();
                settings
                    .policies
                    .extend(policies.map(|&(class, policy)| (lane, class, policy)));
                settings.learns.extend(learn.map(|learn| (lane, learn)));
            }
            card.configure(&settings)
        })
    }

    /// What is set in each packet path: name (path, or lane_0 and lane_1), learn, max_frame, policies; none on a card without.
    fn paths<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let design = self.card()?.design().clone();
        let settings = self.wait(py, |card| {
            let lanes = 0..card.design().lanes();
            lanes
                .map(|lane| card.path_settings(lane))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let paths = settings.iter().enumerate();
        paths
            .map(|(lane, settings)| path::as_dict(py, Part::of_lane(&design, lane), settings))
            .collect()
    }

    /// What the PHYs of a line card tell of their links, by port: up, megabits (None where there is no such speed), full_duplex.
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let links = self.wait(py, |card| card.links())?;
        links
            .iter()
            .map(|link| path::link_as_dict(py, link))
            .collect()
    }

    /// Looks up a key (an integer, or bytes with the lowest first) or many (an array of uint64, or of uint8 of shape (n, bytes)):
    /// a Verdict, or Verdicts. Changes nothing. Where a call with many keys fails or Ctrl-C ends it, the exception tells what was done:
    /// its attributes done and verdicts (see BloomlineError).
    fn query(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::Query, (keys, None))
    }

    /// Inserts a key, or many. amounts is what each adds in a Count-Min sketch: one integer, or an array of uint32.
    #[pyo3(signature = (keys, amounts = None))]
    fn insert(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        amounts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let operation = CellOperation::Insert;
        self.offer(py, operation, (keys, amounts)).map(drop)
    }

    /// Looks up and inserts a key, or many, one after the other: a Verdict, or Verdicts, of before; counts include the item.
    #[pyo3(signature = (keys, amounts = None))]
    fn test_and_insert(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        amounts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::TestAndInsert, (keys, amounts))
    }

    /// Takes a key, or many, out of a counting filter once: a Verdict, or Verdicts.
    fn remove(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::Remove, (keys, None))
    }

    /// Every counter by its name in the register map: ITEMS, which all have, or RECYCLES; those around the filter behind whose they
    /// are: LANE_0.FRAMES_UNSEEN, PORT_1.FRAMES_BAD_FCS, PATH.DROPPED.
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = self.wait(py, |card| card.counters())?;
        let dict = PyDict::new(py);
        for (counter, value) in counters.iter() {
            dict.set_item(counter.to_string(), value)?;
        }
        Ok(dict)
    }

    /// What the card shows of itself: running, public_secret (the secret of the hash is still the specification's), threshold,
    /// max_age_ticks, bits_active, bits_frozen, messages, counters; None for what its kind has not.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sample = self.wait(py, |card| card.sample())?;
        let dict = PyDict::new(py);
        dict.set_item("running", sample.status.running)?;
        dict.set_item("public_secret", sample.status.public_secret)?;
        dict.set_item("threshold", sample.threshold)?;
        dict.set_item("max_age_ticks", sample.max_age_ticks)?;
        dict.set_item("bits_active", sample.bits_active)?;
        dict.set_item("bits_frozen", sample.bits_frozen)?;
        dict.set_item("messages", sample.messages)?;
        let counters = PyDict::new(py);
        for (counter, value) in sample.counters.iter() {
            counters.set_item(counter.to_string(), value)?;
        }
        dict.set_item("counters", counters)?;
        Ok(dict)
    }

    /// What happened since the last call, by the counters; nothing in the first. Nothing is missed in between, however long,
    /// unless the card is reset: "restarted" tells of a reset if a counter stands lower after it, and what was counted before it is not known.
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        let happened = self.wait(py, |card| self.events.since_last(card))?;
        Ok(happened.into_iter().map(Event::from).collect())
    }

    /// Empties the filter and waits until it takes items again. Counters stay.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.wait(py, |card| card.clear())
    }

    /// Recycles now, as the age of the active half would, and waits until the filter takes items again; recycling filters only.
    fn recycle(&self, py: Python<'_>) -> PyResult<()> {
        self.wait(py, |card| card.recycle())
    }

    /// Reads the whole array, of every kind but sliding; BusyError if a recycling filter recycles again and again meanwhile.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        self.wait(py, |card| card.snapshot(|_| {})).map(Snapshot)
    }

    /// Writes a snapshot into the array, every word, and reads it back; a recycling filter is cleared first. All kinds but sliding.
    fn restore(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<()> {
        self.wait(py, |card| card.restore(&snapshot.0, |_| {}))
    }
}

/// Something that happened between two looks.
#[pyclass(frozen, eq, module = "bloomline", get_all)]
#[derive(Debug, PartialEq)]
pub struct Event {
    /// "recycled", "lost", "saturated", "underflowed", "wrong words", "words corrected", "words uncorrectable", "stalled", "overflowed", "link changed" or "restarted".
    kind: &'static str,
    /// How often, how many items, or for how many clocks; 0 where it says nothing.
    count: u64,
    /// The counter of the cause of a stall, that of the frames without room, or the port whose link changed; else None.
    cause: Option<String>,
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        let cause = self
            .cause
            .as_ref()
            .map(|cause| format!(", cause={cause:?}"));
        format!(
            "Event(kind={:?}, count={}{})",
            self.kind,
            self.count,
            cause.unwrap_or_default()
        )
    }
}

impl From<bloomline_driver::Event> for Event {
    fn from(event: bloomline_driver::Event) -> Event {
        use bloomline_driver::Event as Driver;
        let (kind, count, cause) = match event {
            Driver::Recycled { times } => ("recycled", times, None),
            Driver::Lost { elements } => ("lost", elements, None),
            Driver::Saturated { items } => ("saturated", items, None),
            Driver::Underflowed { items } => ("underflowed", items, None),
            Driver::WrongWords { slots } => ("wrong words", slots, None),
            Driver::CorrectedWords { slots } => ("words corrected", slots, None),
            Driver::UncorrectableWords { slots } => ("words uncorrectable", slots, None),
            Driver::Stalled { cause, clocks } => ("stalled", clocks, Some(cause.to_string())),
            Driver::Overflowed { counter, frames } => {
                ("overflowed", frames, Some(counter.to_string()))
            }
            Driver::LinkChanged { port, .. } => {
                ("link changed", 0, Some(Part::Port(port).to_string()))
            }
            Driver::Restarted => ("restarted", 0, None),
        };
        Event { kind, count, cause }
    }
}
