"""A bridge over UDP made of LiteX's packet code alone, in front of words of memory. Prints its port, then every record."""

import socket
import sys

from litex.tools.remote.etherbone import EtherbonePacket, EtherboneRecord, EtherboneWrites

memory = {0: 0x424C4D4C}
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.bind(("127.0.0.1", 0))
link.settimeout(30)
print(link.getsockname()[1], flush=True)
while True:
    data, host = link.recvfrom(8192)
    packet = EtherbonePacket(32, data)
    packet.decode()
    record = packet.records.pop()
    if record.writes is not None:
        for place, word in enumerate(record.writes.get_datas()):
            address = record.writes.base_addr + 4 * place
            memory[address] = word
            print(f"write {address:#x} {word:#x}", flush=True)
    if record.reads is not None:
        words = [memory.get(address, 0) for address in record.reads.get_addrs()]
        # LiteX 2024.12 decodes the base address of the answer and forgets it; its gateware does not.
        number = int.from_bytes(record.reads.bytes[:4], "big")
        answer = EtherboneRecord()
        answer.writes = EtherboneWrites(base_addr=number, datas=words)
        answer.wcount = len(words)
        packet = EtherbonePacket(32)
        packet.records = [answer]
        packet.encode()
        link.sendto(packet.bytes, host)
