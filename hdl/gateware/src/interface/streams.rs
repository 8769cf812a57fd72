//! Items, verdicts and frames, as AXI4-Stream carries them: a transfer wherever `tvalid` and `tready` meet.

use crate::wires::{Side, UInt, Wide};
use bloomline_language::bundle;

bundle! {
    /// Items: `tdata` is the key, `tuser` the operation, `tid` a tag that comes back with the verdict.
    ItemStream {
        ahead tvalid: bool,
        back tready: bool,
        ahead tdata: Wide,
        ahead tuser: UInt,
        ahead tid: UInt,
    }
}

bundle! {
    /// Verdicts, in the order of the items: `tdata` is the verdict, `seen` its bit 0 where that alone is wanted, `tid` the tag of the item.
    VerdictStream {
        ahead tvalid: bool,
        back tready: bool,
        ahead tdata: UInt,
        ahead tid: UInt,
        ahead seen: bool,
    }
}

bundle! {
    /// Frames in: `tdata` is a beat, the lowest byte first, `tkeep` its valid bytes, `tuser` says with the last beat that the frame is bad.
    FrameStream {
        ahead tvalid: bool,
        back tready: bool,
        ahead tdata: Wide,
        ahead tkeep: UInt,
        ahead tlast: bool,
        ahead tuser: bool,
    }
}

bundle! {
    /// Frames out: the same, but `tuser` is the length of the frame in bytes.
    SizedFrameStream {
        ahead tvalid: bool,
        back tready: bool,
        ahead tdata: Wide,
        ahead tkeep: UInt,
        ahead tlast: bool,
        ahead tuser: UInt,
    }
}

impl<S: Side> ItemStream<S> {
    /// For such keys, operations and tags, in bits; no tag with 0.
    pub fn new(key_bits: usize, operation_bits: usize, tag_bits: usize) -> Self {
        Self::of_widths(|member| match member {
            "tdata" => Some(key_bits),
            "tuser" => Some(operation_bits),
            "tid" => (tag_bits > 0).then_some(tag_bits),
            _ => Some(1),
        })
    }
}

impl<S: Side> ItemStream<S> {
    /// The same as a port of a design, documented; `operation` says what `tuser` holds.
    pub fn port(key_bits: usize, operation_bits: usize, tag_bits: usize, operation: &str) -> Self {
        Self::new(key_bits, operation_bits, tag_bits)
            .doc("tvalid", "item stream")
            .doc("tdata", "key")
            .doc("tuser", operation)
            .doc("tid", "tag, returned with the verdict")
    }
}

impl<S: Side> VerdictStream<S> {
    /// For such verdicts and tags, in bits; without either where it is 0. Its bit 0 is no member.
    pub fn new(verdict_bits: usize, tag_bits: usize) -> Self {
        Self::of_widths(|member| match member {
            "tdata" => (verdict_bits > 0).then_some(verdict_bits),
            "tid" => (tag_bits > 0).then_some(tag_bits),
            "seen" => None,
            _ => Some(1),
        })
    }

    /// The same as a port of a design, documented; `verdict` says what `tdata` holds.
    pub fn port(verdict_bits: usize, tag_bits: usize, verdict: &str) -> Self {
        Self::new(verdict_bits, tag_bits)
            .doc("tvalid", "verdict stream, in the order of the items")
            .doc("tdata", verdict)
            .doc("tid", "tag of the item")
    }

    /// The same from a queue, or from a filter without one, whose sink is always ready: it has no `tready`.
    pub fn queued(self, queued: bool) -> Self {
        match queued {
            true => self,
            false => self.without(Self::part(&["tready"])),
        }
    }

    /// Verdicts of which bit 0 is wanted alone, with such tags; without one where that is 0.
    pub fn seen(tag_bits: usize) -> Self {
        Self::of_widths(|member| match member {
            "tdata" => None,
            "tid" => (tag_bits > 0).then_some(tag_bits),
            _ => Some(1),
        })
    }
}

impl<S: Side> FrameStream<S> {
    /// For beats of `data_bits`.
    pub fn new(data_bits: usize) -> Self {
        Self::of_widths(|member| match member {
            "tdata" => Some(data_bits),
            "tkeep" => Some(data_bits / 8),
            _ => Some(1),
        })
    }

    /// The same as a port of a design: documented, and without `tkeep` where a beat is a byte.
    pub fn port(data_bits: usize) -> Self {
        let stream = Self::new(data_bits)
            .doc("tvalid", "frames in, without preamble and FCS")
            .doc(
                "tready",
                "always but behind a reset: what there is no room for is dropped",
            )
            .doc("tdata", "lowest byte first")
            .doc("tkeep", "valid bytes, the lowest; all but in the last beat")
            .doc("tuser", "with the last beat: the frame is bad");
        match data_bits {
            8 => stream.without(Self::part(&["tkeep"])),
            _ => stream,
        }
    }
}

impl<S: Side> SizedFrameStream<S> {
    /// For beats of `data_bits`.
    pub fn new(data_bits: usize) -> Self {
        Self::of_widths(|member| match member {
            "tdata" => Some(data_bits),
            "tkeep" => Some(data_bits / 8),
            "tuser" => Some(16),
            _ => Some(1),
        })
    }

    /// The same as a port of a design: documented, and without `tkeep` where a beat is a byte.
    pub fn port(data_bits: usize) -> Self {
        let stream = Self::new(data_bits)
            .doc("tvalid", "frames out")
            .doc("tuser", "bytes of the frame");
        match data_bits {
            8 => stream.without(Self::part(&["tkeep"])),
            _ => stream,
        }
    }
}
