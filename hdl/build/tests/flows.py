"""The expected values of traces.rs, from scapy: python3 flows.py TRACE...   (pip install scapy==2.8.0)

Shares nothing with the crate's parser. Prints per trace: frames, frames with flow fields, distinct flows, SHA-256 over
one line a record.
"""

import hashlib
import ipaddress
import os
import sys

from scapy.all import GRE, IP, IPv6, NoPayload, PcapReader, load_contrib
from scapy.layers.dot11 import Dot11

load_contrib("mpls")


def innermost(packet):
    """The innermost IP header that can be reached, or None."""
    while packet is not None and not isinstance(packet, NoPayload):
        if isinstance(packet, (IP, IPv6)):
            if isinstance(packet, IP) and packet.proto == 47 and packet.frag == 0 and packet.haslayer(GRE):
                gre = packet[GRE]
                inside = Dot11(bytes(gre.payload)) if 0x8200 <= gre.proto <= 0x83FF else gre.payload
                return innermost(inside) or packet
            return packet
        packet = packet.payload
    return None


def flow(ip):
    """Source, destination, protocol, ports; ports 0 for fragments after the first."""
    payload, later = ip.payload, False
    if isinstance(ip, IP):
        protocol, later = ip.proto, ip.frag > 0
    else:
        protocol = ip.nh
        while protocol in (0, 43, 44, 60) and not later:
            later = protocol == 44 and payload.offset > 0
            protocol, payload = payload.nh, payload.payload
    ports = bytes(payload)[:4] if protocol in (6, 17, 132) and not later else bytes(4)
    addresses = (str(ipaddress.ip_address(ip.src)), str(ipaddress.ip_address(ip.dst)))
    return addresses + (protocol, int.from_bytes(ports[:2], "big"), int.from_bytes(ports[2:], "big"))


for path in sys.argv[1:]:
    frames, records, flows, digest = 0, 0, set(), hashlib.sha256()
    for packet in PcapReader(path):
        frames += 1
        ip = innermost(packet)
        if ip is None:
            continue
        records += 1
        fields = flow(ip)
        flows.add(fields)
        line = "%s %s %d %d %d" % fields + " %d %d\n" % (int(packet.time * 1000000) * 1000, packet.wirelen)
        digest.update(line.encode())
    print('("%s", %d, %d, %d, "%s"),' % (os.path.basename(path), frames, records, len(flows), digest.hexdigest()))
