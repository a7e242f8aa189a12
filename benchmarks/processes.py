"""What one change costs with one process and with eight: `python -m benchmarks.processes`.

The same viewers of the session page are spread over the processes, which hear of changes from PostgreSQL or through the
relay. CPU is that of all processes together; the time is from the request that writes until the last screen has it.
"""

import argparse
import asyncio
import contextlib
import os
from collections.abc import Sequence
from statistics import median

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.viewers import REST, Bench, Order
from tests.valkey import serving

VIEWERS, CHANGES = 96, 20
COUNTS = (1, 8)


async def everywhere(benches: Sequence[Bench]) -> float:
    """Put the next participant on stage by the first process; returns the seconds until every screen has it."""
    first, *others = benches
    for bench in others:
        bench.sequence = first.sequence
        bench.expect()
    begun = asyncio.get_running_loop().time()
    await first.change()
    await asyncio.wait_for(asyncio.gather(*(bench.done.wait() for bench in others)), 60)
    return asyncio.get_running_loop().time() - begun


async def watched(orders: Sequence[Order]) -> dict[str, float]:
    """Milliseconds of a change, of all processes' CPU and until the last screen."""
    benches = [Bench(order) for order in orders]
    for bench in benches:
        await bench.warm_up()
        await bench.grow(VIEWERS // len(orders))
    benches[0].sequence = max(bench.sequence for bench in benches)
    await everywhere(benches)
    before, times = sum(cpu(order.pid) for order in orders), []
    for _ in range(CHANGES):
        await asyncio.sleep(REST)
        times.append(await everywhere(benches))
    spent = sum(cpu(order.pid) for order in orders) - before
    for bench in benches:
        bench.leaving = True
    return {"cpu_ms": spent / CHANGES * 1e3, "last_ms": median(times) * 1e3}


def measured(opened: site_processes.House, count: int, address: str) -> dict[str, float]:
    """The same for so many processes, with a bus at this address."""
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(opened.server("site", BUS_URL=address)) for _ in range(count)]
        known = {name: opened.evening[name] for name in ("session", "appearances")}
        return asyncio.run(watched([Order(kind="site", port=each.port, pid=each.pid, **known) for each in processes]))


def main() -> None:
    """Measure each number of processes by either transport, in turn."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with site_processes.opened() as opened, serving() as valkey:
        print(f"{VIEWERS} viewers, load {os.getloadavg()[0]:.1f}")
        for _ in range(options.runs):
            for name, way in (("PostgreSQL", ""), ("relay", valkey.address)):
                found = {count: measured(opened, count, way) for count in COUNTS}
                one, many = (found[count] for count in COUNTS)
                ratios = ", ".join(f"{figure} {many[figure] / one[figure]:.2f}" for figure in one)
                print(f"{name:>10}", found, f"eight to one: {ratios}", flush=True)


if __name__ == "__main__":
    main()
