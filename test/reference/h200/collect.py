#!/usr/bin/env python3
"""Joins what measure.sh wrote (times.jsonl, ncu.csv) into a table. Usage: collect.py FOLDER [TABLE KERNELS]; TABLE is
h200/measured/holdout.json beside this file, KERNELS the name of its kernels' text, if left out."""
import csv, json, os, sys

src = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
table, kernels = sys.argv[2:4] if len(sys.argv) > 3 else (here + "/h200/measured/holdout.json", "holdout.cu")
times = [json.loads(line) for line in open(src + "/times.jsonl")]
empty = times.pop(0)["empty_ms"]
# An empty kernel behind each launch, which shows less than one at the program's start.
if "empty" in times[0]:
    empty = sorted(t["empty"] for t in times)[len(times) // 2]
gpu, driver = open(src + "/gpu.txt").read().split(", ")[:2]
rows = list(csv.DictReader(line for line in open(src + "/ncu.csv") if not line.startswith("==")))[1:]
assert len(rows) == len(times), (len(rows), len(times))
KEPT = ("smsp__", "sm__", "l1tex__", "lts__", "dram__", "gpu__time", "launch__registers")
FORMS = (".sum", ".ratio", ".pct", ".pct_of_peak_sustained_active", "per_thread")


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else float("%.4g" % value)


out = []
for t, r in zip(times, rows):
    assert r["Kernel Name"].split("(")[0] == t["kernel"], (r["Kernel Name"], t["kernel"])
    counters = {k: number(v) for k, v in sorted(r.items()) if k.startswith(KEPT) and k.endswith(FORMS) and ".m" not in k}
    counters = {k: v for k, v in counters.items() if v is not None and k != "sm__warps_active.sum.pct_of_peak_sustained_active"}
    # smsp__average_warps_issue_stalled_*_per_issue_active.ratio; what never occurred is left out.
    stalls = {k[34:-23]: v for k, v in counters.items() if "_stalled_" in k and v != 0}
    counters = {k: v for k, v in counters.items() if "_stalled_" not in k}
    out.append({"kernel": t["kernel"], "args": t["args"], "grid": t["grid"], "block": t["block"], "sharedBytes": t["sharedBytes"],
                "timeMsCold": {"min": t["cold"][0], "median": t["cold"][1], "max": t["cold"][2]},
                "timeMsWarm": {"min": t["warm"][0], "median": t["warm"][1]}, "counters": counters, "stalls": stalls})
head = {
    "device": "%s, driver %s, CUDA 13.0, nvcc -O3 -arch=sm_90, clocks not locked (at most 1980 MHz)" % (gpu, driver),
    "method": "as ../h200/measured/probes.json: CUDA events around one launch behind a small memset, median of 25 after 2 left out, cold = "
              "512 MiB written before each run, warm = repeated at once. counters: Nsight Compute 2025.3, one launch, --clock-control none, "
              "caches flushed before each pass; gpu__time_duration in ns.",
    "source": "measured for this project; kernels in %s, launches in launches.inc beside it, data in h200/measure.cu" % kernels,
    "emptyKernelMs": empty,
}
with open(table, "w") as f:
    f.write(json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n')
    f.write(",\n".join("  " + json.dumps(r, separators=(",", ":")) for r in out))
    f.write("\n ]\n}\n")
