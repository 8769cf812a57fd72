use super::Responder;
use crate::conformance::Trouble;
use bloomline_spec::SplitMix64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Brings a [`FaultyResponder`] responder into trouble, from wherever it is wanted; clones are the same switch.
#[derive(Debug, Clone)]
pub struct FaultSwitch {
    trouble: Arc<Mutex<Trouble>>,
}

impl FaultSwitch {
    /// From now on.
    pub fn set(&self, trouble: Trouble) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    fn get(&self) -> Trouble {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A responder whose link fails to order.
#[derive(Debug)]
pub struct FaultyResponder<R> {
    responder: R,
    breaker: FaultSwitch,
    random: SplitMix64,
}

impl<R: Responder> FaultyResponder<R> {
    /// Without trouble as yet, and the switch for it.
    pub fn new(responder: R) -> (FaultyResponder<R>, FaultSwitch) {
        let breaker = FaultSwitch {
            trouble: Arc::new(Mutex::new(Trouble::None)),
        };
        let faulty = FaultyResponder {
            responder,
            breaker: breaker.clone(),
            random: SplitMix64::new(1),
        };
        (faulty, breaker)
    }
}

impl<R: Responder> Responder for FaultyResponder<R> {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let trouble = self.breaker.get();
        if trouble == Trouble::Deaf {
            return Vec::new();
        }
        let mut answer = self.responder.answer(bytes, now);
        match trouble {
            Trouble::None | Trouble::Deaf => {}
            Trouble::Mute => answer.clear(),
            Trouble::Partial => answer.truncate(answer.len().saturating_sub(1)),
            Trouble::Damaged => {
                // In the words that were read, which are last: damage to a packet's head would only lose it.
                let random = self.random.next_word();
                let place = answer.len().checked_sub(1 + (random % 4) as usize);
                if let Some(byte) = place.and_then(|place| answer.get_mut(place)) {
                    *byte ^= 1 + (random >> 8) as u8 % 255;
                }
            }
        }
        answer
    }
}
