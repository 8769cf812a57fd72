"""What Scapy reads in the first frames of a capture: a line for each, its fields or why there are none."""

import gzip
import itertools
import logging
import sys

logging.getLogger("scapy").setLevel(logging.CRITICAL)

from scapy.config import conf
from scapy.contrib.mpls import MPLS
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.layers.sctp import SCTP
from scapy.utils import PcapReader

conf.debug_dissector = False


def packet(frame):
    """The IP packet right behind Ethernet, tags and labels."""
    layer = frame.payload
    while isinstance(layer, (Dot1Q, Dot1AD, MPLS)):
        layer = layer.payload
    return layer if isinstance(layer, (IP, IPv6)) else None


def fields(ip):
    """Addresses, ports, protocol; the ports 0 where there are none, or in a later fragment."""
    if isinstance(ip, IP):
        protocol, later, upper = ip.proto, ip.frag > 0, ip.payload
    else:
        protocol, later, upper = ip.nh, False, ip.payload
        # extension headers have `nh`, and are no packets
        while protocol in (0, 43, 44, 51, 60) and hasattr(upper, "nh") and not isinstance(upper, IPv6):
            later = later or isinstance(upper, IPv6ExtHdrFragment) and upper.offset > 0
            protocol, upper = upper.nh, upper.payload
            if later:
                break
    ports = (upper.sport, upper.dport) if not later and isinstance(upper, (TCP, UDP, SCTP)) else (0, 0)
    return f"{ip.src} {ip.dst} {ports[0]} {ports[1]} {protocol}"


def main(path, most):
    opened = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
    for frame in itertools.islice(PcapReader(opened), most):
        if not isinstance(frame, Ether):
            print("not Ethernet")
            continue
        ip = packet(frame)
        print("without IP" if ip is None else fields(ip))


main(sys.argv[1], int(sys.argv[2]))
