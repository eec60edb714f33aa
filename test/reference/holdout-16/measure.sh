#!/bin/bash
# Measures bazaar.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-bazaar.json bazaar.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-16/bazaar.cu\" -DLAUNCHES=\"../holdout-16/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/bazaar-bin}"
