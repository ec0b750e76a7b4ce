#!/usr/bin/env python3
"""A link between this network namespace and another one, with delay and loss, as two TAP devices. It needs no netem in the kernel.

slow-link.py HERE NAMESPACE THERE: the names of the devices. Each line "DELAY_MS LOSS_PERCENT" on stdin applies to both directions;
the end of stdin ends the link.
"""
import ctypes, fcntl, heapq, os, random, select, struct, sys, time

TUNSETIFF, IFF_TAP_WITHOUT_HEADER, CLONE_NEWNET = 0x400454CA, 0x1002, 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def enter(namespace_fd):
    if libc.setns(namespace_fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def open_tap(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP_WITHOUT_HEADER))
    return device


here = os.open("/proc/self/ns/net", os.O_RDONLY)
near = open_tap(sys.argv[1])
enter(os.open(f"/run/netns/{sys.argv[2]}", os.O_RDONLY))
far = open_tap(sys.argv[3])
enter(here)

delay = loss = 0.0
waiting, number = [], 0
while True:
    until_next = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for source in select.select([near, far, sys.stdin], [], [], until_next)[0]:
        if source is sys.stdin:
            line = sys.stdin.readline()
            if line == "":
                sys.exit()
            delay, loss = (float(value) for value in line.split())
            continue
        try:
            frame = os.read(source, 65535)
        except OSError:  # The device is down, or another wake-up has read the frame.
            continue
        if random.random() * 100 >= loss:
            number += 1
            heapq.heappush(waiting, (time.monotonic() + delay / 1000, number, far if source == near else near, frame))
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, target, frame = heapq.heappop(waiting)
        try:
            os.write(target, frame)
        except OSError:  # The device is down: the frame is lost.
            pass
