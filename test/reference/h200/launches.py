#!/usr/bin/env python3
"""Prints the launches of a measured file as text for measure.cu, a line each: launches.py measured/NAME.json > NAME.inc"""
import json, sys

for row in json.load(open(sys.argv[1]))["rows"]:
    grid, block = (", ".join(map(str, row[size])) for size in ("grid", "block"))
    print("L(%s, (%s), (%s), %d, %s)" % (row["kernel"], grid, block, row["sharedBytes"], row["args"]))
