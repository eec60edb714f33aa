#!/bin/bash
# Measures textbook.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-textbook.json textbook.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-2/textbook.cu\" -DLAUNCHES=\"../holdout-2/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/textbook-bin}"
