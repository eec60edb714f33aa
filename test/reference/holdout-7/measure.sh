#!/bin/bash
# Measures sizes.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-sizes.json sizes.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-7/sizes.cu\" -DLAUNCHES=\"../holdout-7/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/sizes-bin}"
