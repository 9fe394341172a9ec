#!/usr/bin/env bash
# Joins what the tasks of `task.sh ... analyze` or `puzzles` have written, in the order of the records:
#
#   join_records.sh FOLDER OUT
#
# If a record has no result, the script names it and writes nothing. Analyses become one file with one JSON object per
# line; problems become one list without duplicates. Needs only a shell.
set -euo pipefail

complain() {
    echo "join_records.sh: $1" >&2
    exit 1
}

(($# == 2)) || { echo "join_records.sh: needs a folder and the file to write" >&2; exit 2; }
folder=$1 out=$2
[[ ! -e $out ]] || complain "$out exists"
shopt -s nullglob
files=("$folder"/[0-9]*-of-[0-9]*.json "$folder"/[0-9]*-of-[0-9]*.tsv)
((${#files[@]})) || complain "there are no results in $folder"
suffix=${files[0]##*.} name=${files[0]##*/}
count=${name#*-of-}
count=${count%.*}
trap 'rm -f "$out.new" "$out.unique"' EXIT
: >"$out.new"
for ((place = 1; place <= count; place++)); do
    file=$folder/$(printf %06d "$place")-of-$count.$suffix
    [[ -e $file ]] || complain "record $place of $count has no result; start its task again to continue"
done
((${#files[@]} == count)) || complain "$folder has results of several jobs"
for file in "${files[@]}"; do
    if [[ $suffix == json ]]; then
        tr -d '\n' <"$file"
        echo
    else
        cat "$file"
    fi
done >"$out.new"
if [[ $suffix == tsv ]]; then
    # The first column is the position.
    awk -F '\t' '!seen[$1]++' "$out.new" >"$out.unique"
    mv "$out.unique" "$out.new"
fi
mv "$out.new" "$out"
