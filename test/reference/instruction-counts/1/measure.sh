#!/bin/sh
# Measures one folder's kernels anew on a GPU: measure.sh 1|2|3 FOLDER leaves counts.csv and checksums.txt in FOLDER.
set -e
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -w -arch=sm_90 -I"$here/$1" -o "$2/measure" "$here/measure.cu"
"$2/measure" > "$2/checksums.txt"
ncu --csv --metrics smsp__inst_executed.sum,smsp__warps_launched.sum,launch__registers_per_thread "$2/measure" counted > "$2/counts.csv"
