#!/bin/bash
# Measures shelf.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-shelf.json shelf.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-13/shelf.cu\" -DLAUNCHES=\"../holdout-13/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/shelf-bin}"
