#!/bin/bash
# Measures language.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-language.json language.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-17/language.cu\" -DLAUNCHES=\"../holdout-17/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/language-bin}"
