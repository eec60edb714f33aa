#!/bin/bash
# Measures examined.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-examined.json examined.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-8/examined.cu\" -DLAUNCHES=\"../holdout-8/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/examined-bin}"
