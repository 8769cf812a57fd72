//! Integrity checks of accesses over a bus bridge.

/// What stands between a damaged link and a wrong value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checking {
    /// Every access goes through the bridge's [mailbox](crate::mailbox): it is made exactly as meant, once, or not at all,
    /// and refusals come back as what they are. Needs a bridge of this project.
    Mailbox,
    /// Any bridge: a read counts when [`AGREEING_READS`](crate::bridge_link::AGREEING_READS) in a row give the same, with the device's magic read between them
    /// (which shows answers that belong to earlier reads); a write is read back. A register that changes by itself (a counter's
    /// low half) ends in [`TransportError::Unsteady`](crate::TransportError::Unsteady), and so does damage that keeps coming; a write to a command register,
    /// which reads as 0, in [`TransportError::Unknown`](crate::TransportError::Unknown).
    ///
    /// Never certain: equal damage in every one of the reads goes unseen (with one bit flipped in a share `p` of the 32-bit
    /// answers, in `p^3/32^2` of the reads), and a damaged write that hits another register goes unseen when the one meant
    /// held the value already. Refusals are not carried: see [`Guarded`](crate::Guarded).
    Agree,
    /// Any bridge, what comes is believed: for links that check by themselves, as Ethernet does. Answers that are late or
    /// doubled are still told apart over Etherbone, where they bear a number; a write that the network delivers late or twice
    /// is carried out late or twice.
    None,
}

impl std::fmt::Display for Checking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Checking::Mailbox => "mailbox",
            Checking::Agree => "agree",
            Checking::None => "none",
        })
    }
}
