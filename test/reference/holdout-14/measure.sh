#!/bin/bash
# Measures atelier.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-atelier.json atelier.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-14/atelier.cu\" -DLAUNCHES=\"../holdout-14/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/atelier-bin}"
