#!/usr/bin/env python3
"""Joins what measure.sh wrote (times.jsonl, ncu.csv, micro.jsonl) into h200-probes.json and h200-micro-extra.json.
Usage: collect.py FOLDER"""
import csv, json, sys, os

src = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
times = [json.loads(l) for l in open(src + "/times.jsonl")]
empty = times.pop(0)["empty_ms"]
lines = [l for l in open(src + "/ncu.csv") if not l.startswith("==")]
rows = list(csv.DictReader(lines))
units, rows = rows[0], rows[1:]
assert len(rows) == len(times), (len(rows), len(times))


def number(text):
    try:
        v = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(v) if v == int(v) else round(v, 4)


KEPT = ("smsp__", "sm__", "l1tex__", "lts__", "dram__", "gpu__time", "launch__")
FORMS = (".sum", ".avg", ".max", ".ratio", ".pct", "per_cycle_active", "pct_of_peak_sustained_active", "launch__registers_per_thread", "launch__waves_per_multiprocessor",
         "limit_blocks", "limit_registers", "limit_shared_mem", "limit_warps", "launch__shared_mem_per_block_allocated")
# measure.cu launches these kernels once for each value of s, in this order.
STEPS = {"stridedRead": [2, 8, 32], "offsetRead": [1, 11, 128]}
out = []
for t, r in zip(times, rows):
    name = r["Kernel Name"].split("(")[0]
    assert name == t["kernel"], (name, t["kernel"])
    args = t["args"].replace(", s", ", %d" % STEPS[name].pop(0)) if name in STEPS else t["args"]
    counters = {k: number(v) for k, v in sorted(r.items()) if k.startswith(KEPT) and k.endswith(FORMS) and number(v) is not None
                and not (k.endswith((".avg", ".max", ".min")) and k.rsplit(".", 1)[0] + ".sum" in r)}
    warps = t["grid"][0] * t["grid"][1] * t["grid"][2] * -(-t["block"][0] * t["block"][1] * t["block"][2] // 32)
    out.append({
        "kernel": t["kernel"], "args": args, "n": t["n"], "grid": t["grid"], "block": t["block"],
        "sharedBytes": t["sharedBytes"],
        "instructionsPerWarp": round(counters["smsp__inst_executed.sum"] / warps, 4),
        "timeMsCold": {"min": t["cold"][0], "median": t["cold"][1], "max": t["cold"][2]},
        "timeMsWarm": {"min": t["warm"][0], "median": t["warm"][1]},
        "counters": counters,
    })
head = {
    "device": "NVIDIA H200, driver 580.159.03, CUDA 13.0, nvcc -O3 -arch=sm_90, clocks not locked (1980 MHz when read)",
    "method": "times: CUDA events around one launch, median of 25 after 2 left out, cold = 512 MiB written before each run, "
              "warm = repeated at once; an empty kernel times at %.6f ms the same way. counters: Nsight Compute 2025.3, one launch, "
              "--clock-control none, its own cache control (flush before each pass); gpu__time_duration in ns, bytes in bytes." % empty,
    "emptyKernelMs": empty,
    "source": "measured for this project; kernels in probes.cu, launches and data in measure.cu, script measure.sh",
    "data": "element k of I, U and W is ((k * 2654435761) mod 2^32) >> 22 (0..1023), J that + 1, F G H (that + 1) / 1024 as float, "
            "D E as double, LL as long long, cnt zeros before each run. W is reduced in place and not restored between runs; H holds the "
            "output of earlier launches. No control flow depends on W or H.",
}
with open(here + "/h200-probes.json", "w") as f:
    f.write(json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n')
    f.write(",\n".join("  " + json.dumps(r) for r in out))
    f.write("\n ]\n}\n")
micro = [json.loads(l) for l in open(src + "/micro.jsonl")]
with open(here + "/h200-micro-extra.json", "w") as f:
    h = {"device": head["device"],
         "method": "cycles: clock64() from the first warp's start to the last warp's end around the operations of one block on one SM, best of 3 or 4; "
                   "times: CUDA events, medians of 3 or 5. 'op' rows: latency = dependent chain of one warp, throughput = four independent chains a warp; a name "
                   "with _ between two operations is that pair; fdiv_full and fsqrt run into the slow path (denormals). requests: volatile stores, relaxed loads. See micro-extra.cu.",
         "source": "measured for this project"}
    f.write(json.dumps(h, indent=1)[:-2] + ',\n "rows": [\n')
    f.write(",\n".join("  " + json.dumps(r) for r in micro))
    f.write("\n ]\n}\n")
for r in out:
    c = r["counters"]
    print("%-28s %9d b%-5s inst/warp %9.3f br %7.3f div %8d regs %3d  cold %8.4f warm %8.4f" % (
        r["kernel"], r["n"], "x".join(str(x) for x in r["block"] if x > 1), r["instructionsPerWarp"],
        c["smsp__inst_executed_op_branch.sum"] / (c["smsp__inst_executed.sum"] / r["instructionsPerWarp"]), c["smsp__sass_branch_targets_threads_divergent.sum"],
        c["launch__registers_per_thread"], r["timeMsCold"]["median"], r["timeMsWarm"]["median"]))
