#!/bin/bash
# Measures workshop.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-workshop.json workshop.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-15/workshop.cu\" -DLAUNCHES=\"../holdout-15/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/workshop-bin}"
