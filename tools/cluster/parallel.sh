#!/usr/bin/env bash
# Tasks on several machines by GNU parallel and ssh (task.sh has the commands):
#
#   tools/cluster/parallel.sh 4/one,4/two 8 FOLDER generate 100000 --nodes 1000 --seed 7 --threads 1
#
# 4/one runs four tasks at a time on the machine `one`; a single colon is this machine. Every machine needs the
# repository at the same path, the programs in PATH, and the shared FOLDER. Without a shared folder copy the parts
# together before they are joined. The same command repeats the tasks that have failed; FOLDER/tasks.log is the log of
# parallel.
set -euo pipefail
(($# >= 4)) || { echo "parallel.sh: needs machines, the number of tasks, a folder and a command" >&2; exit 2; }
command -v parallel >/dev/null || { echo "parallel.sh: parallel is missing (package parallel)" >&2; exit 2; }
machines=$1 count=$2 folder=$3
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
# The arguments are quoted for the remote shell.
seq "$count" | parallel --sshlogin "$machines" --workdir "$root" --joblog "$folder/tasks.log" --resume-failed \
    --retries 3 "tools/cluster/task.sh {}/$count $(printf '%q ' "$@")"
