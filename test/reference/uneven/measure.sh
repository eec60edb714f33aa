#!/bin/bash
# Measures uneven.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-uneven.json uneven.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../uneven/uneven.cu\" -DLAUNCHES=\"../uneven/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/uneven-bin}"
