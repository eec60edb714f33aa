#!/usr/bin/env python3
"""Joins what measure.sh left in a folder into the rows of a measured file: collect.py FOLDER > measured/NAME.json. It prints the
card and the time of an empty kernel, which the manifest needs, to standard error."""
import csv, json, sys

src = sys.argv[1]
times = [json.loads(line) for line in open(src + "/times.jsonl")][1:]
metrics = open(src + "/metrics.txt").read().split()
rows = list(csv.DictReader(line for line in open(src + "/ncu.csv") if line.startswith('"')))[1:]
assert len(rows) == len(times), (len(rows), len(times))
STALLED, PER_ISSUE = "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else float("%.4g" % value)


out = []
for time, row in zip(times, rows):
    assert row["Kernel Name"].split("(")[0] == time["kernel"], (row["Kernel Name"], time["kernel"])
    counters = {name: number(row[name]) for name in metrics if number(row.get(name, "")) is not None}
    # A reason that never occurred is left out.
    stalls = {name[len(STALLED) : -len(PER_ISSUE)]: value for name, value in counters.items() if name.startswith(STALLED) and value != 0}
    counters = {name: value for name, value in counters.items() if not name.startswith(STALLED)}
    out.append({**{key: time[key] for key in ("kernel", "args", "grid", "block", "sharedBytes")},
                "timeMsCold": dict(zip(("min", "median", "max"), time["cold"])), "timeMsWarm": dict(zip(("min", "median"), time["warm"])),
                "counters": counters, "stalls": stalls})
print('{\n "rows": [\n' + ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in out) + "\n ]\n}")
print(open(src + "/gpu.txt").read().strip(), "emptyKernelMs:", sorted(time["empty"] for time in times)[len(times) // 2], file=sys.stderr)
