#!/bin/bash
# Measures primer.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-primer.json primer.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-12/primer.cu\" -DLAUNCHES=\"../holdout-12/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/primer-bin}"
