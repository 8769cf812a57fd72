//! Named hard cases of a card: what the host sends and the stream does is listed, the emitted Verilog must equal the model on
//! every port in every clock, and the host must hear what it ought to.

use bloomline_bench::filter::{CardReference, ClockedModel, PinReader, PinWriter};
use bloomline_bench::lockstep::{Bench, Stimulus};
use bloomline_bench::verilator::{Design, Initial};
use bloomline_driver::mailbox::{Record, Request, RECORD, RECORD_WORDS, REQUEST};
use bloomline_model::{CardInputs, CardModel};
use bloomline_spec::registers::{address, MAGIC};
use bloomline_spec::Common;
use bloomline_tests::{
    is_quick, simulation, with_card, CardSample, CardTask, Sample, SampleFilter,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

const N: u32 = 8;
const TIMEOUT: u64 = 3_200;

fn sample() -> CardSample {
    CardSample {
        filter: SampleFilter::Recycling(Sample {
            key_bits: 40,
            ..Sample::BASE
        }),
        clocks_per_bit: Some(N.into()),
        timeout: TIMEOUT,
    }
}

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// The host sends bytes.
    Send(Vec<u8>),
    /// The host waits until it has heard so many bytes in all.
    Hear(usize),
    /// So many clocks pass.
    Run(u64),
    /// From now on the stream brings an item a clock, or none.
    Stream(bool),
    /// From now on the stream's verdicts are taken, or not.
    Verdicts(bool),
}
use Step::{Hear, Run, Send, Stream, Verdicts};

fn read(start: u32, words: u8) -> Step {
    let mut bytes = vec![2, words];
    bytes.extend((start >> 2).to_be_bytes());
    Send(bytes)
}

fn write_bytes(start: u32, words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![1, words.len() as u8];
    bytes.extend((start >> 2).to_be_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}

fn write(start: u32, words: &[u32]) -> Step {
    Send(write_bytes(start, words))
}

/// Time for what was sent to be done.
fn done() -> Step {
    Run(60 * 10 * u64::from(N))
}

/// What a play came to.
#[derive(Debug, Default)]
struct Told {
    /// Bytes that the host heard.
    heard: Vec<u8>,
    /// Items of the stream that were taken, and verdicts that it got.
    taken: u64,
    verdicts: u64,
}

impl Told {
    fn words(&self) -> Vec<u32> {
        assert!(self.heard.len().is_multiple_of(4), "{:02X?}", self.heard);
        self.heard
            .chunks_exact(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("four")))
            .collect()
    }
}

struct Player {
    common: Common,
    steps: VecDeque<Step>,
    wait: u64,
    writer: PinWriter,
    reader: PinReader,
    inputs: CardInputs,
    told: Rc<RefCell<Told>>,
}

/// Words of the packed outputs that the player looks at; their order is that of the ports.
const TREADY: usize = 0;
const TVALID: usize = 1;
const TX: usize = 4;

impl Stimulus for Player {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let shows = |word: usize| predicted[word] & 1 == 1;
        let mut told = self.told.borrow_mut();
        told.heard.extend(self.reader.clock(shows(TX)));
        while self.wait == 0 && self.writer.at_rest() {
            match self.steps.front() {
                None => return false,
                Some(&Hear(bytes)) if told.heard.len() < bytes => break,
                Some(Hear(_)) => {}
                Some(Send(bytes)) => self.writer.bytes(bytes),
                Some(&Run(clocks)) => self.wait = clocks,
                Some(&Stream(on)) => self.inputs.s_item_tvalid = on,
                Some(&Verdicts(taken)) => self.inputs.m_verdict_tready = taken,
            }
            self.steps.pop_front();
        }
        self.wait = self.wait.saturating_sub(1);
        self.inputs.uart_rx = self.writer.clock();
        self.inputs.pack(&self.common, inputs);
        told.verdicts += u64::from(shows(TVALID) && self.inputs.m_verdict_tready);
        if self.inputs.s_item_tvalid && shows(TREADY) {
            told.taken += 1;
            self.inputs.s_item_tdata[0] = told.taken % 9;
        }
        true
    }
}

struct Play {
    steps: Vec<Step>,
}

impl CardTask for Play {
    type Result = Told;

    fn run<M: ClockedModel + Clone>(
        self,
        common: &Common,
        design: Design,
        model: CardModel<M>,
    ) -> Told {
        let bench = Bench::new(simulation(&design));
        let told = Rc::new(RefCell::new(Told::default()));
        let make = |_| {
            *told.borrow_mut() = Told::default();
            let player = Player {
                common: common.clone(),
                steps: self.steps.iter().cloned().collect(),
                wait: 0,
                writer: PinWriter::new(N, 0.0),
                reader: PinReader::new(N),
                inputs: CardInputs {
                    m_verdict_tready: true,
                    ..CardInputs::default()
                },
                told: Rc::clone(&told),
            };
            (CardReference::new(common, model.clone()), player)
        };
        bench
            .run(1, Initial::Random(1), make, |_| {})
            .unwrap_or_else(|error| panic!("{error}"));
        told.take()
    }
}

fn play(steps: Vec<Step>) -> Told {
    with_card(&sample(), Play { steps })
}

#[test]
fn a_client_killed_in_the_middle_of_a_burst_leaves_the_next_one_a_whole_bridge() {
    let item = write_bytes(address::ITEM_OPERATION, &[2, 0x1234_5678, 0x9A]);
    for sent in (1..item.len()).step_by(if is_quick() { 2 } else { 1 }) {
        let told = play(vec![
            Run(200),
            Send(item[..sent].to_vec()),
            // the next client says nothing for as long as the bridge may need
            Run(TIMEOUT + 100),
            read(address::MAGIC, 1),
            Hear(4),
            read(address::ITEM_RESULT, 6),
            Hear(28),
        ]);
        // what came whole was written, the item was not offered
        let operation = if sent >= 10 { 2 } else { 0 };
        let key = if sent >= 14 { 0x1234_5678 } else { 0 };
        assert_eq!(told.words(), [MAGIC, 0, 0, 0, operation, key, 0], "{sent}");
    }
}

#[test]
fn a_queue_that_overflows_loses_bytes_and_nothing_else() {
    // While the first answer is sent, six commands come, which are more than the queue holds: behind a byte that was dropped nothing is carried out until the line rests.
    let long = vec![4, 8, 0, 0, 0, 0];
    let version = [2, 1, 0, 0, 0, 1];
    let sent = [long, version.repeat(6)].concat();
    let told = play(vec![
        Run(200),
        Send(sent),
        Hear(4 * 8),
        done(),
        Run(TIMEOUT + 100),
        read(address::MAGIC, 1),
        done(),
    ]);
    let words = told.words();
    assert_eq!(words, [MAGIC; 9]);
}

#[test]
fn an_item_behind_a_stream_whose_verdicts_nobody_takes_is_busy_until_somebody_does() {
    let told = play(vec![
        Run(200),
        Verdicts(false),
        Stream(true),
        Run(400),
        write(address::ITEM_OPERATION, &[0, 3, 0]),
        done(),
        read(address::ITEM_RESULT, 1),
        Hear(4),
        // refused: the item is not done
        write(address::ITEM_KEY, &[4]),
        done(),
        read(RECORD, RECORD_WORDS as u8),
        Hear(24),
        Verdicts(true),
        Run(400),
        read(address::ITEM_RESULT, 5),
        Hear(44),
        Stream(false),
        Run(400),
    ]);
    let words = told.words();
    assert_eq!(words[0], 1 << 31, "busy, and none done");
    let record = Record::decode(&words[1..6].try_into().expect("five")).expect("whole");
    assert!(record.write && record.response == 2, "{record:?}");
    assert_eq!(record.address, address::ITEM_KEY);
    // done, and not seen: nobody inserts; the refused word did not change the key
    assert_eq!((words[6], words[10]), (1 << 24, 3));
    assert_eq!(
        told.taken, told.verdicts,
        "every item of the stream has its verdict"
    );
    assert!(told.taken > 100, "{told:?}");
}

#[test]
fn of_two_hosts_at_one_count_one_is_told_to_try_again() {
    let request = |tag, value, expect| Request {
        tag,
        write: true,
        address: address::MAX_AGE,
        data: value,
        expect,
    };
    let record = || read(RECORD, RECORD_WORDS as u8);
    let (first, second) = (request(0x1111, 7, 0), request(0x2222, 9, 0));
    let again = request(0x2222, 9, 1);
    let late = write(REQUEST, &first.encode());
    let told = play(vec![
        Run(200),
        write(REQUEST, &first.encode()),
        write(REQUEST, &second.encode()),
        done(),
        record(),
        Hear(20),
        write(REQUEST, &again.encode()),
        done(),
        record(),
        Hear(40),
        // a copy of the first that comes late
        late,
        done(),
        record(),
        Hear(60),
        read(address::MAX_AGE, 1),
        Hear(64),
    ]);
    let words = told.words();
    let records: Vec<Record> = words[..15]
        .chunks_exact(5)
        .map(|words| Record::decode(&words.try_into().expect("five")).expect("whole"))
        .collect();
    assert!(records[0].answers(&first) && !records[0].answers(&second));
    assert!(records[1].answers(&again));
    assert_eq!(records[2], records[1], "nothing was made");
    assert_eq!(words[15], 9);
}
