#!/usr/bin/env bash
# Fills the working folder with the files that the guides need. Usage: files.sh TABLE_OF_SMILES_AND_VALUES
set -euo pipefail
table() { tail -n +2 "$1" | sed -n "$2,$3p"; }
with_prediction() { awk -F, -v OFS=, '{print $1, $2, $2 + (NR * 7919 % 41 - 20) / 2}'; }

(echo smiles,y,y_pred; table "$1" 1 240 | with_prediction) >train.csv
(echo smiles,y,y_pred; table "$1" 241 440 | with_prediction) >cal.csv
(echo smiles,name,y_pred; table "$1" 441 480 | awk -F, -v OFS=, '{print $1, "c" NR, $2}') >candidates.csv
(echo smiles,name; table "$1" 481 500 | awk -F, -v OFS=, '{print $1, "n" NR}') >new.csv
# Labels 0 and 1 for benchmarks. Molecules with fewer than two rings would form two very large scaffolds.
(echo smiles,active; table "$1" 1 4990 | awk -F, -v OFS=, '$1 ~ /2/ {print $1, ($2 > 45) ? 1 : 0}') >molecules.csv
head -n 6 molecules.csv >few.csv
