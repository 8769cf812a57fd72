use super::items;
use super::kit::frames;
use super::top::top;
use super::vectors;
use crate::{Error, Filter};
use bloomline_hdl::mac::RGMII_LEAVES;
use bloomline_hdl::packet::{parser_clocks, PATH_CLOCKS};
use bloomline_spec::ports::{outer_ports, Direction};
use bloomline_spec::{
    outer_port_doc, Common, Design, HashFamily, HashUnit, Hashing, Parity, Ports, ResetName, LANES,
    LINECARD_CLOCKS, LINECARD_HOST_CLOCKS, LINECARD_TUNNEL_CLOCKS, PRESENT_SBOX,
};
use serde_json::{json, Map, Value};

/// Version of the manifest's own layout.
const MANIFEST_VERSION: u32 = 1;

/// The manifest: everything another program needs to know of an emitted filter, and the files of the emission. 64-bit constants are
/// hexadecimal text.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn text(filter: &Filter, files: &[&str]) -> Result<String, Error> {
    let (design, planned) = (filter.design(), filter.planned());
    let common = design.common();
    let predicted = planned.lines().iter();
    let prediction: Map<String, Value> = predicted
        .map(|line| (line.key.to_owned(), line.value.into()))
        .collect();
    let mut manifest = json!({
        "manifest_version": MANIFEST_VERSION,
        "name": common.name(),
        "version": env!("CARGO_PKG_VERSION"),
        "top": top(common),
        "geometry_hash": hexadecimal(design.geometry_hash()),
        "geometry": planned.geometry_values(),
        "ports": port_list(design),
        "interface": interface(common),
        "timing": planned.timing_values(),
        "hash": hash(common),
        "vectors": vectors::vectors(common),
        "items": items::items(design),
        "prediction": prediction,
        "specification": filter.text(),
        "files": files,
    });
    if common.parity() != Parity::None {
        manifest["geometry"]["parity"] = common.parity().word().into();
    }
    if common.ecc() {
        manifest["geometry"]["ecc"] = true.into();
    }
    if let Some(card) = common.card() {
        manifest["card"] = json!({
            "filter": common.name(),
            "tag_bits": common.stream_tag_bits(),
            "address_bits": common.map_address_bits(),
            "uart": card.uart.map(|uart| json!({
                "protocol": "uartbone",
                "baud": uart.baud,
                "clocks_per_bit": uart.clocks_per_bit,
                "timeout_clocks": uart.timeout_clocks,
            })),
        });
    }
    if let Some(packet) = common.packet() {
        let mut path = json!({
            "card": format!("{}_axil", common.name()),
            "data_bits": packet.data_bits(),
            "buffer_bytes": packet.buffer_bytes(),
            "frame_queue_frames": packet.frame_queue_frames(),
            "path_clocks": PATH_CLOCKS,
            "parser_clocks": parser_clocks(common),
        });
        let tunnels: Vec<&str> = packet
            .tunnels()
            .iter()
            .map(|tunnel| tunnel.word())
            .collect();
        if !tunnels.is_empty() {
            path["tunnels"] = tunnels.into();
        }
        manifest["frames"] = frames::listed(design).into();
        match packet.ports() {
            Ports::Streams => manifest["path"] = path,
            Ports::Rgmii => {
                manifest["lane"] = path;
                manifest["line_card"] = json!({
                    "lanes": LANES,
                    "linecard_clocks": LINECARD_CLOCKS,
                    "leaves_of_a_part": RGMII_LEAVES,
                });
                if !packet.tunnels().is_empty() {
                    manifest["line_card"]["linecard_tunnel_clocks"] = LINECARD_TUNNEL_CLOCKS.into();
                }
                if let Some(host) = packet.host() {
                    let [a, b, c, d] = host.address.ip;
                    manifest["line_card"]["host"] = json!({
                        "port": host.port,
                        "mac": host.address.mac.map(|byte| format!("{byte:02x}")).join(":"),
                        "ip": format!("{a}.{b}.{c}.{d}"),
                        "udp_port": host.address.udp_port,
                        "linecard_host_clocks": LINECARD_HOST_CLOCKS,
                    });
                }
            }
        }
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&manifest)?))
}

fn hexadecimal(value: u64) -> String {
    format!("0x{value:x}")
}

/// Names of clock and reset; those of a line card are pins.
fn interface(common: &Common) -> Value {
    let interface = common.interface();
    match common.line_card() {
        Some(_) => json!({ "clock": "clock", "reset": "hold", "reset_active": "high" }),
        None => json!({
            "clock": interface.clock,
            "reset": interface.reset,
            "reset_active": match interface.reset {
                ResetName::Reset => "high",
                ResetName::Aresetn => "low",
            },
        }),
    }
}

/// How the values of a hash unit come about, and in which order.
fn unit_doc(family: HashFamily) -> &'static str {
    match family {
        HashFamily::H3 => {
            "A unit is one function. Its value: offset XOR rows[b] for every key bit b that is 1."
        }
        HashFamily::H3Sbox => {
            "A unit gives several functions. In this order: w = offset XOR rows[b] for every key bit b that is 1 (64 bits); each nibble of w is \
             replaced by sbox[nibble]; output bit j is the XOR of the bits taps[j] of w. Output bits 0 to function_bits - 1 are the unit's \
             first function, the lowest bit first; the next function_bits are its second."
        }
        HashFamily::SipHash | HashFamily::SipHash24 => {
            "A unit gives several functions. In this order: the message is the key's bytes, the lowest first, ceil(key_bits / 8) of them, then \
             the byte `number` unless it is null; h = SipHash-compress-finish of it (64 bits) under the secret, whose low 64 bits are k0; \
             function f of the unit is bits f * function_bits and up of h."
        }
    }
}

/// Ports of the top module.
fn port_list(design: &Design) -> Vec<Value> {
    outer_ports(design)
        .iter()
        .map(|outer| {
            let port = &outer.port;
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            };
            let mut entry = json!({
                "name": port.name,
                "direction": direction,
                "width": port.width,
                "doc": outer_port_doc(design, outer),
            });
            if outer.padding_bits() > 0 {
                entry["padding_bits"] = outer.padding_bits().into();
            }
            entry
        })
        .collect()
}

fn hash(common: &Common) -> Value {
    let constants = common.hash();
    let units: Vec<Value> = constants
        .units
        .iter()
        .map(|unit| {
            let functions: Vec<usize> = unit.functions().collect();
            let words = |rows: &[u64]| rows.iter().copied().map(hexadecimal).collect::<Vec<_>>();
            match unit {
                HashUnit::Sbox(unit) => json!({
                    "functions": functions,
                    "rows": words(&unit.rows),
                    "offset": hexadecimal(unit.offset),
                    "taps": unit.taps,
                }),
                HashUnit::H3(unit) => json!({
                    "functions": functions,
                    "rows": words(&unit.rows),
                    "offset": hexadecimal(unit.offset),
                }),
                HashUnit::Sip(unit) => json!({
                    "functions": functions,
                    "compress": unit.compress,
                    "finish": unit.finish,
                    "number": unit.number,
                    "message_bytes": unit.message_bytes,
                }),
            }
        })
        .collect();
    let probing = common.probing();
    let mut hash = json!({
        "family": common.family(),
        "seed": hexadecimal(common.seed()),
        "hashing": common.hashing(),
        "functions": constants.functions,
        "function_bits": constants.function_bits,
        "sbox": PRESENT_SBOX,
        "probing": {
            "functions": probing.functions(),
            "function_bits": probing.function_bits(),
            "index_bits": probing.index_bits(),
            "range": probing.range,
            "distinct": probing.distinct,
            "scales": probing.scales(),
            "doc": match (probing.distinct, probing.scales()) {
                (true, _) => {
                    "floor(H * (range - k + 1 + i) / 2^function_bits) for the value H of function i; if an earlier position of the key is the same, range - k + i instead"
                }
                (false, true) => "floor(H * range / 2^function_bits) for a function's value H",
                (false, false) => "the low index_bits bits of a function's value",
            },
        },
        "units": units,
        "doc": format!(
            "Keys are integers, key bit 0 the lowest. {} A value becomes a position as probing.doc says; then position i of k is {}. \
             sim/bloomline_reference.py computes it.",
            unit_doc(common.family()),
            match common.hashing() {
                Hashing::Independent => "that of function i",
                Hashing::Double if probing.copies > 1 => {
                    "that of row i mod d of copy c = i div d, (p[2 c] + (i mod d) p[2 c + 1]) mod range with d = k / geometry.copies"
                }
                Hashing::Double => "(p0 + i p1) mod range",
                Hashing::ExtendedDouble2 => "(p0 + i p1 + i^2) mod range",
                Hashing::ExtendedDouble3 => "(p0 + i p1 + i^3) mod range",
            },
        ),
    });
    if let Some(secret) = constants.secret {
        hash["public_secret"] = json!({
            "value": format!("0x{secret:032x}"),
            "doc": "in force at power-up, under which the vectors hold; anybody can compute it from hash.seed, so it protects nothing \
                    until HASH_KEY_0 to HASH_KEY_3 and CONTROL bit 1 (rekey) load another one",
        });
    }
    hash
}
