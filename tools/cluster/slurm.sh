#!/usr/bin/env bash
# An array of tasks for Slurm (task.sh has the commands):
#
#   sbatch --array=1-8 tools/cluster/slurm.sh 8 FOLDER generate 100000 --nodes 1000 --seed 7
#   sbatch --array=3 tools/cluster/slurm.sh 8 FOLDER generate 100000 --nodes 1000 --seed 7
#
# The second command runs only the third of the eight tasks. Call it in the folder of the repository. FOLDER must be
# visible to all nodes. A requeued task continues its file. Two minutes before its time limit a task gets SIGTERM, and
# finishes the games in progress.
#SBATCH --job-name=kawasemi
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=600M
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@120
#SBATCH --output=%x-%A_%a.log
set -euo pipefail
count=${1:?slurm.sh: the first argument is the number of all tasks}
: "${3:?slurm.sh: after the number of tasks come the folder, the command of task.sh and its arguments}"
shift
threads=()
[[ $2 =~ ^(analyze|puzzles|predict|label)$ ]] || threads=(--threads "${SLURM_CPUS_PER_TASK:-1}")
exec "$SLURM_SUBMIT_DIR/tools/cluster/task.sh" "$SLURM_ARRAY_TASK_ID/$count" "$@" "${threads[@]}"
