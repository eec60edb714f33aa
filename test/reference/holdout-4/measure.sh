#!/bin/bash
# Measures census.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-census.json census.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-4/census.cu\" -DLAUNCHES=\"../holdout-4/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/census-bin}"
