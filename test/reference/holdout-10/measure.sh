#!/bin/bash
# Measures plain.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-plain.json plain.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-10/plain.cu\" -DLAUNCHES=\"../holdout-10/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/plain-bin}"
