#!/bin/bash
# Measures judge.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-judge.json judge.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-3/judge.cu\" -DLAUNCHES=\"../holdout-3/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/judge-bin}"
