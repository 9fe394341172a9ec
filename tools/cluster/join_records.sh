#!/usr/bin/env bash
# Joins what the tasks of `task.sh ... analyze` or `puzzles` have written, in the order of the records:
#
#   join_records.sh FOLDER OUT
#
# A record without a result is named, and nothing is written. Analyses become one file with a JSON object a line;
# problems become one list, without those that two records have in common. Needs no program but a shell.
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
trap 'rm -f "$out.new"' EXIT
: >"$out.new"
for ((place = 1; place <= count; place++)); do
    file=$folder/$(printf %06d "$place")-of-$count.$suffix
    [[ -e $file ]] || complain "record $place of $count has no result; its task goes on with it when it is started again"
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
