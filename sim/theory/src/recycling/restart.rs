//! Start of a cycle: the contents of a half after a recycle.

/// Which chain of RBF IV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// The tripping message is forgotten; the next cycle starts empty.
    Forget,
    /// The tripping message opens the next cycle: with as many distinct bits as it has, given that it tripped.
    Retain,
    /// The retaining chains of RBF (9), (10), (14): the retained message's bits are drawn afresh. The same as
    /// [`Restart::Retain`] for distinct probes; for colliding ones the rates differ by a relative `k^2/(M L)`.
    RetainRedrawn,
}
