"""Reads and writes registers through a running litex_server: PORT ADDRESS_WRITTEN VALUE; prints one number a line."""

import sys
import time

from litex.tools.litex_client import RemoteClient

port, address, value = (int(word, 0) for word in sys.argv[1:])
client = RemoteClient(port=port)
for _ in range(100):
    try:
        client.open()
        break
    except ConnectionRefusedError:
        time.sleep(0.1)
else:
    sys.exit("litex_server does not listen")
print(client.read(0))
client.write(address, value)
print(client.read(address))
for word in client.read(0, length=5):
    print(word)
client.close()
