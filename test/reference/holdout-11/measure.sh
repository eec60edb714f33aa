#!/bin/bash
# Measures lessons.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-lessons.json lessons.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-11/lessons.cu\" -DLAUNCHES=\"../holdout-11/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/lessons-bin}"
