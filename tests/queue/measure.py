"""What a request in a queue costs, and what several workers do."""

import os
import pathlib
import time

from service import wait_for

# The part of a processor that each worker may use: three of them and the server share two.
QUOTA = 0.4
PERIOD = 20_000


class Quota:
    """A control group with a quota of processor time, of either version. Fails with OSError where that is not allowed."""

    def __init__(self, name, part):
        base = pathlib.Path("/sys/fs/cgroup")
        quota = int(part * PERIOD)
        if (base / "cgroup.controllers").exists():
            self.folder = base / name
            self.folder.mkdir(exist_ok=True)
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            self.folder = base / "cpu" / name
            self.folder.mkdir(exist_ok=True)
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))

    def hold(self, process):
        (self.folder / "cgroup.procs").write_text(str(process))

    def remove(self):
        wait_for(lambda: not (self.folder / "cgroup.procs").read_text(), 10, "the control group is empty")
        self.folder.rmdir()


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def all_of(program, server, folder, paths, Queue, Worker):
    # Without a quota, one worker that holds as many requests as it would by default.
    queue = Queue(program, server, folder, "cost")
    assert queue.submit("r", paths).returncode == 0
    worker = Worker(queue, "cost", LOG="warn").start()
    try:
        began = time.monotonic()
        wait_for(lambda: queue.stored.waiting() == 0, 3600, "the queue is empty")
        wall = time.monotonic() - began
        used = processor_seconds(worker.process.pid)
        metrics = worker.metrics()
        work = sum(value for name, value in metrics.items() if name.startswith("overfold_work_duration_seconds_sum"))
        stages = sum(value for name, value in metrics.items() if name.startswith("overfold_stage_duration_seconds_sum"))
    finally:
        worker.kill()
    count = len(paths)
    yield (
        f"one worker: {count / wall:.0f} requests a second; of {used / count * 1e3:.2f} ms of processor time for each, "
        f"{work / count * 1e3:.2f} ms are the work itself (stages {stages / count * 1e3:.2f} ms)"
    )
    for number in range(1, 4):
        queue = Queue(program, server, folder, f"quota{number}")
        assert queue.submit("r", paths).returncode == 0
        workers, quotas = [], []
        try:
            for at in range(number):
                quotas.append(Quota(f"overfold-test-{at}", QUOTA))
                workers.append(Worker(queue, f"quota{number}-{at}", LOG="warn"))
            began = time.monotonic()
            for worker, quota in zip(workers, quotas):
                quota.hold(worker.start().process.pid)
            wait_for(lambda: queue.stored.waiting() == 0, 3600, "the queue is empty")
            wall = time.monotonic() - began
        except OSError as why:
            yield f"SKIPPED: no quota of processor time can be set ({why}); the throughput of several workers has NOT been measured"
            return
        finally:
            for worker in workers:
                if worker.process:
                    worker.kill()
            for quota in quotas:
                quota.remove()
        yield f"{number} workers with {QUOTA:.0%} of a processor each: {count / wall:.0f} requests a second"
