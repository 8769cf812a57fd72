//! Rules for `[packet]`.

use super::{nearest, nearest_power_of_two, quoted, Rules};
use crate::card::Card;
use crate::error::SpecError;
use crate::host_port::{is_host, mac_text, parse_mac, HostAddress, HostBinding, HostSection};
use crate::key_source::{KeyFormat, KeySource};
use crate::packet::{
    Packet, Ports, Tunnel, Tunnels, FRAME_BUFFER_BYTES, FRAME_DATA_BITS, LANES, LINECARD_CLOCK_HZ,
    LINECARD_MAX_FRAME_BYTES, MAX_FRAME_BYTES, TUNNEL_DATA_BITS,
};
use crate::specification::FilterSpec;
use crate::values::FilterKind;
use std::net::Ipv4Addr;

impl Rules<'_> {
    /// The packet path, if the specification has one.
    pub fn packet(
        &self,
        spec: &FilterSpec,
        card: Option<Card>,
        key: KeyFormat,
    ) -> Result<Option<Packet>, SpecError> {
        let Some(section) = &spec.packet else {
            return Ok(None);
        };
        let Some(card) = card else {
            let rule = "is required by [packet]: its policies are registers";
            return Err(self.broken("card", "(missing)", rule, "add [card]"));
        };
        let Some(source) = key.source else {
            let rule = "is required by [packet]: its keys are fields of packets";
            let advice = "take \"ipv4-5tuple\" in the place of key.bits";
            return Err(self.broken("key.source", "(missing)", rule, advice));
        };
        if section.mask_hops && source != KeySource::FrameDigest {
            let rule = format!(
                "belongs to key.source = \"frame-digest\"; no other key holds what changes with a hop, and it is \"{source}\""
            );
            return Err(self.broken("packet.mask_hops", true, rule, nearest(false)));
        }
        let (buffer_bytes, max_frame_bytes) =
            self.frame_room(section.buffer_bytes, section.max_frame_bytes)?;
        let data_bits = self.frame_data_bits(section.data_bits)?;
        if section.ports == Ports::Rgmii {
            self.line_card(data_bits, max_frame_bytes, card, spec.clock_hz())?;
        }
        let tunnels = self.tunnels(&section.tunnels, data_bits, source)?;
        let host = match &section.host {
            Some(host) => Some(self.host(host, section.ports)?),
            None => None,
        };
        self.keys_of_frames(spec, section.trusted_keys)?;
        Ok(Some(Packet {
            ports: section.ports,
            data_bits,
            buffer_bytes,
            max_frame_bytes,
            learn: section.learn,
            mask_hops: section.mask_hops,
            tunnels,
            trusted_keys: section.trusted_keys,
            verdict_clocks: 0,
            policies: section.policy.by_class(),
            host,
        }))
    }

    /// Tunnels that are opened: each once, for a key that an inner header has, at a width that the parser opens them at.
    fn tunnels(
        &self,
        listed: &[Tunnel],
        data_bits: u32,
        source: KeySource,
    ) -> Result<Tunnels, SpecError> {
        const KEY: &str = "packet.tunnels";
        let tunnels = Tunnels::of(listed);
        let list = |tunnels: &[Tunnel]| {
            let words: Vec<String> = tunnels.iter().map(|&tunnel| quoted(tunnel)).collect();
            format!("[{}]", words.join(", "))
        };
        let once: Vec<Tunnel> = tunnels.iter().collect();
        if once.len() != listed.len() {
            let rule = "must name each tunnel once";
            return Err(self.broken(KEY, list(listed), rule, nearest(list(&once))));
        }
        if tunnels.is_empty() {
            return Ok(tunnels);
        }
        if source == KeySource::FrameDigest {
            let rule = "belongs to a key of addresses or of a 5-tuple, which the inner header has; key.source = \"frame-digest\" is of the whole frame, whatever is in it";
            return Err(self.broken(KEY, list(listed), rule, nearest("[]")));
        }
        if !TUNNEL_DATA_BITS.contains(&data_bits) {
            let widths: Vec<String> = TUNNEL_DATA_BITS.iter().map(u32::to_string).collect();
            let widths = widths.join(" or ");
            let rule = format!(
                "needs packet.data_bits = {widths}, and it is {data_bits}: a wider parser opens no tunnels yet"
            );
            let advice = format!("take packet.data_bits = {widths}, or leave out tunnels: the outer header is the key then");
            return Err(self.broken(KEY, list(listed), rule, advice));
        }
        Ok(tunnels)
    }

    /// Whoever sends frames chooses keys, so the hash has a secret unless the specification trusts them.
    fn keys_of_frames(&self, spec: &FilterSpec, trusted: bool) -> Result<(), SpecError> {
        let family = spec.hash.family;
        if trusted || family.is_keyed() {
            return Ok(());
        }
        let rule = "has no secret, and with [packet] whoever sends frames chooses the keys: they can compute keys that are seen at once";
        let advice = match spec.filter.kind {
            FilterKind::Sliding => "say trusted_keys = true in [packet] if all senders of frames are trusted; this kind has no keyed hash",
            _ => "take family = \"siphash\" in [hash] and load a secret, or say trusted_keys = true in [packet] if all senders of frames are trusted",
        };
        Err(self.broken("hash.family", quoted(family.word()), rule, advice))
    }

    /// The host port: at one of two Ethernet ports, with addresses that others can send to.
    fn host(&self, section: &HostSection, ports: Ports) -> Result<HostBinding, SpecError> {
        if ports != Ports::Rgmii {
            let rule = format!(
                "belongs to packet.ports = \"rgmii\", whose Ethernet ports it names; they are \"{ports}\""
            );
            let advice = "leave out [packet.host]";
            return Err(self.broken("packet.host.port", section.port, rule, advice));
        }
        let port = self.integer("packet.host.port", section.port, 0, LANES as u64 - 1)?;
        let udp_port =
            self.integer("packet.host.udp_port", section.udp_port, 1, u16::MAX.into())?;
        Ok(HostBinding {
            port: port as usize,
            auth: section.auth,
            address: HostAddress {
                mac: self.host_mac(&section.mac)?,
                ip: self.host_ip(&section.ip)?,
                udp_port: udp_port as u16,
            },
        })
    }

    fn host_mac(&self, text: &str) -> Result<[u8; 6], SpecError> {
        const KEY: &str = "packet.host.mac";
        const ADVICE: &str =
            "give one that no other device on the network has, such as \"02:b1:00:00:00:01\"";
        let Some(mac) = parse_mac(text) else {
            let rule = "must be six bytes of two hexadecimal digits each, between colons";
            return Err(self.broken(KEY, quoted(text), rule, ADVICE));
        };
        let mut single = mac;
        single[0] &= !1;
        if single == [0; 6] {
            let rule = "must not be zero: it is no device's";
            return Err(self.broken(KEY, quoted(text), rule, ADVICE));
        }
        if single != mac {
            let rule = "must not be a group's: bit 0 of its first byte is 1";
            let legal = nearest(quoted(mac_text(single)));
            return Err(self.broken(KEY, quoted(text), rule, legal));
        }
        Ok(mac)
    }

    fn host_ip(&self, text: &str) -> Result<[u8; 4], SpecError> {
        const KEY: &str = "packet.host.ip";
        const ADVICE: &str = "give one of the network at that port, such as \"192.168.1.50\"";
        let Ok(ip) = text.parse::<Ipv4Addr>() else {
            let rule = "must be an IPv4 address: four numbers from 0 to 255 between dots";
            return Err(self.broken(KEY, quoted(text), rule, ADVICE));
        };
        if !is_host(ip) {
            let rule = "must be one host's: not 0.0.0.0, 127.x.x.x, a group's (224.x.x.x to 239.x.x.x) or 255.255.255.255";
            return Err(self.broken(KEY, quoted(text), rule, ADVICE));
        }
        Ok(ip.octets())
    }

    /// What two Ethernet ports ask of the rest: a byte a clock at 125 MHz, and a host that comes over a UART, since the top module has no
    /// other pins for it.
    fn line_card(
        &self,
        data_bits: u32,
        max_frame_bytes: u32,
        card: Card,
        clock_hz: u64,
    ) -> Result<(), SpecError> {
        if data_bits != 8 {
            let rule =
                "must be 8 with packet.ports = \"rgmii\": a gigabit port gives a byte a clock";
            return Err(self.broken("packet.data_bits", data_bits, rule, nearest(8)));
        }
        if max_frame_bytes > LINECARD_MAX_FRAME_BYTES {
            let rule = format!(
                "must be at most {LINECARD_MAX_FRAME_BYTES} with packet.ports = \"rgmii\": a longer frame from a PHY with a faster clock overruns the receiver"
            );
            let legal = nearest(LINECARD_MAX_FRAME_BYTES);
            return Err(self.broken("packet.max_frame_bytes", max_frame_bytes, rule, legal));
        }
        if clock_hz != LINECARD_CLOCK_HZ {
            let rule = format!(
                "must be {LINECARD_CLOCK_HZ} with packet.ports = \"rgmii\": it is the clock of a gigabit port"
            );
            let legal = nearest(LINECARD_CLOCK_HZ);
            return Err(self.broken("target.clock_hz", clock_hz, rule, legal));
        }
        if card.uart.is_none() {
            let rule = "is required by packet.ports = \"rgmii\": the host of a line card comes over a UART";
            return Err(self.broken(
                "card.uart_baud",
                "(missing)",
                rule,
                "add uart_baud = 1_000_000",
            ));
        }
        Ok(())
    }

    fn frame_data_bits(&self, data_bits: u64) -> Result<u32, SpecError> {
        let legal = FRAME_DATA_BITS
            .into_iter()
            .min_by_key(|&bits| u64::from(bits).abs_diff(data_bits))
            .expect("there are three widths");
        if u64::from(legal) == data_bits {
            return Ok(legal);
        }
        let rule = "must be 8, 64 or 512";
        Err(self.broken("packet.data_bits", data_bits, rule, nearest(legal)))
    }

    /// Bytes of the buffer and of the longest frame, which fits the buffer.
    fn frame_room(&self, buffer_bytes: u64, max_frame_bytes: u64) -> Result<(u32, u32), SpecError> {
        const BUFFER: &str = "packet.buffer_bytes";
        const MAX_FRAME: &str = "packet.max_frame_bytes";
        let (least, most) = FRAME_BUFFER_BYTES.into_inner();
        if !buffer_bytes.is_power_of_two() {
            let rule = format!("must be a power of two from {least} to {most}");
            let legal = nearest_power_of_two(buffer_bytes).clamp(least, most);
            return Err(self.broken(BUFFER, buffer_bytes, rule, nearest(legal)));
        }
        let buffer = self.integer(BUFFER, buffer_bytes, least, most)?;
        let (least, most) = MAX_FRAME_BYTES.into_inner();
        let max_frame = self.integer(MAX_FRAME, max_frame_bytes, least, most)?;
        if max_frame > buffer {
            let rule = format!(
                "must hold the longest frame, packet.max_frame_bytes = {max_frame}: a frame leaves only when it is whole"
            );
            let legal = max_frame.next_power_of_two();
            return Err(self.broken(BUFFER, buffer, rule, nearest(legal)));
        }
        Ok((buffer, max_frame))
    }
}
