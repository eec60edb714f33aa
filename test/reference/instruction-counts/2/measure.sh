#!/bin/sh
# Measures the table anew on a GPU with ncu: measure.sh FOLDER leaves counts.csv there.
set -e
cd "$(dirname "$0")"
nvcc -O3 -arch=sm_90 -o "$1/measure" measure.cu
ncu --csv --metrics smsp__inst_executed.sum,smsp__warps_launched.sum,launch__registers_per_thread "$1/measure" > "$1/counts.csv"
