#!/bin/bash
# Measures forms.cu by ../holdout/measure.sh: measure.sh FOLDER; then ../holdout/collect.py FOLDER h200-forms.json forms.cu
here=$(cd "$(dirname "$0")" && pwd)
FLAGS="-DKERNELS=\"../holdout-9/forms.cu\" -DLAUNCHES=\"../holdout-9/launches.inc\"" exec bash $here/../holdout/measure.sh "$1" "${2:-/tmp/forms-bin}"
