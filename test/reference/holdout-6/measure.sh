#!/bin/bash
# Measures sweep.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-sweep.json sweep.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-6/sweep.cu\" -DLAUNCHES=\"../holdout-6/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/sweep-bin}"
