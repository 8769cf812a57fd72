use super::bus::{BusInputs, BusOutputs, ReadBeat};
use crate::pipeline::axi_lite::{AxiLite, RegisterValues, Waits};
use crate::pipeline::ports::{Inputs, Outputs};
use bloomline_spec::registers::{address, field, RegisterMap};
use bloomline_spec::{Common, Operation, MAX_KEY_BITS, VERDICT_BITS};

const MAX_KEY_WORDS: usize = (MAX_KEY_BITS / 32) as usize;
const SEQUENCE_MASK: u32 = (1 << field::ITEM_SEQUENCE_BITS) - 1;
const VERDICT_MASK: u64 = (1 << VERDICT_BITS) - 1;

/// Merges the host's items into the stream, takes their verdicts out of it, and has the registers for both.
#[derive(Debug, Clone)]
pub(super) struct ItemPort {
    axi: AxiLite,
    /// The bit of the filter's tags that marks the host's items.
    host_tag: u64,
    highest_key_word: usize,
    state: State,
}

#[derive(Debug, Clone, Default)]
struct State {
    pending: bool,
    grant: bool,
    busy: bool,
    sequence: u32,
    verdict: u64,
    operation: u32,
    key: [u32; MAX_KEY_WORDS],
}

/// The registers as reads sample them in one clock, and as writes leave them at its end.
struct Values<'a> {
    now: &'a State,
    next: &'a mut State,
    highest_key_word: usize,
}

impl ItemPort {
    /// As after reset, with the registers of `map`.
    pub fn new(common: &Common, map: &RegisterMap) -> ItemPort {
        ItemPort {
            axi: AxiLite::from(map, address::ITEM_PORT),
            host_tag: 1 << common.stream_tag_bits(),
            highest_key_word: common.key_words() as usize - 1,
            state: State::default(),
        }
    }

    /// What its slave shows.
    pub fn bus(&self) -> BusOutputs {
        BusOutputs {
            awready: self.axi.write_ready(),
            wready: self.axi.write_ready(),
            written: self.axi.write_response().map(|response| response as u8),
            arready: self.axi.read_ready(),
            read: self.axi.read_response().map(|read| ReadBeat {
                data: read.data,
                response: read.response as u8,
            }),
        }
    }

    /// The host's item stands at the filter in place of the stream's.
    pub fn grants(&self) -> bool {
        self.state.grant
    }

    /// ITEM_RESULT.
    pub fn result(&self) -> u32 {
        self.state.result()
    }

    /// The filter shows a verdict for the host.
    pub fn owns_verdict(&self, filter: &Outputs) -> bool {
        filter
            .m_verdict_tid
            .is_some_and(|tag| tag & self.host_tag != 0)
    }

    /// The item and verdict ports of the filter, of which `inputs` holds those of the stream.
    pub fn merge(&self, filter: &Outputs, inputs: &mut Inputs) {
        if self.state.grant {
            inputs.s_item_tvalid = true;
            inputs.s_item_tuser = self.state.operation.into();
            inputs.s_item_tid = self.host_tag;
            for (word, halves) in inputs
                .s_item_tdata
                .iter_mut()
                .zip(self.state.key.chunks_exact(2))
            {
                *word = u64::from(halves[1]) << 32 | u64::from(halves[0]);
            }
        } else {
            inputs.s_item_tid &= self.host_tag - 1;
        }
        inputs.m_verdict_tready |= self.owns_verdict(filter);
    }

    /// One clock without reset. `stream_valid` is the card's `s_item_tvalid`.
    pub fn clock(&mut self, stream_valid: bool, filter: &Outputs, bus: &BusInputs) {
        let mut inputs = Inputs::default();
        bus.onto(&mut inputs);
        let ready = filter.s_item_tready;
        let mut next = self.state.clone();
        let State { pending, grant, .. } = self.state;
        next.grant = (grant && !ready) || (pending && !grant && (!stream_valid || ready));
        if grant && ready {
            next.pending = false;
            if Operation::from_code(self.state.operation as u8) == Operation::Insert {
                next.done(0);
            }
        }
        if self.owns_verdict(filter) {
            next.done(filter.m_verdict_tdata.unwrap_or(0));
        }
        let mut values = Values {
            now: &self.state,
            next: &mut next,
            highest_key_word: self.highest_key_word,
        };
        self.axi.clock(&inputs, Waits::default(), &mut values);
        self.state = next;
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.axi.reset();
        self.state = State::default();
    }
}

impl State {
    /// An item of the host's is done, with this verdict.
    fn done(&mut self, verdict: u64) {
        self.busy = false;
        self.sequence = (self.sequence + 1) & SEQUENCE_MASK;
        self.verdict = verdict;
    }

    fn result(&self) -> u32 {
        u32::from(self.busy) << field::ITEM_BUSY
            | self.sequence << field::ITEM_SEQUENCE
            | (self.verdict & VERDICT_MASK) as u32
    }
}

/// The word of the key at an offset.
fn key_word(offset: u32) -> Option<usize> {
    Some((offset.checked_sub(address::ITEM_KEY)? / 4) as usize)
}

impl RegisterValues for Values<'_> {
    /// What is writable is ITEM_OPERATION and the key.
    fn refuses(&self, _offset: u32) -> bool {
        self.now.busy
    }

    fn write(&mut self, offset: u32, value: u32) {
        match key_word(offset) {
            None => self.next.operation = value,
            Some(word) => {
                self.next.key[word] = value;
                let whole = word == self.highest_key_word;
                self.next.pending |= whole;
                self.next.busy |= whole;
            }
        }
    }

    fn value(&self, offset: u32) -> u32 {
        match (offset, key_word(offset)) {
            (address::ITEM_RESULT, _) => self.now.result(),
            (address::ITEM_ESTIMATE, _) => (self.now.verdict >> VERDICT_BITS) as u32,
            (_, Some(word)) => self.now.key[word],
            _ => self.now.operation,
        }
    }

    /// There are none.
    fn counter(&self, _place: usize) -> u64 {
        0
    }
}
