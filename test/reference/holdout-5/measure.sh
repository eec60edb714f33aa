#!/bin/bash
# Measures roster.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-roster.json roster.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-5/roster.cu\" -DLAUNCHES=\"../holdout-5/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/roster-bin}"
