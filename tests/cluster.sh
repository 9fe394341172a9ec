#!/usr/bin/env bash
# Runs the scripts of tools/cluster as big jobs do, and prints which checks pass. As root:
#
#   tests/cluster.sh [PART...]
#
# Parts, all by default:
#
#   slurm       a Slurm of one node is started (Debian's slurm-wlm and munge, in target/cluster, with ports of its own),
#               runs an array of eight tasks, two at a time, of which one is requeued while it works; the joined games
#               are those of one process
#   parallel    eight tasks by GNU parallel over ssh to an sshd on loopback, the same games
#   kubernetes  the command of kubernetes.yml with the index of each of its pods, the same games; if there is a
#               kubernetes-validate (PyPI), it checks the file
#   faults      a missing tool, a full disk, an interrupted task, a half-written part and a part of another program are
#               reported, nothing is lost
#   records     the tasks of an analysis; an interrupted one is not joined, and can be continued
#
# Missing tools are named with their Debian packages. The exit status is 0 if everything passed, 1 if something failed,
# 2 if something is missing or an argument is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/common/tools.sh

readonly PARTS=(slurm parallel kubernetes faults records)
readonly GAMES=40 TASKS=8
# The same games for all.
readonly ARGUMENTS=(--nodes 40 --max-moves 60 --seed 3)

root=$PWD
target=${CARGO_TARGET_DIR:-target}
scratch=$target/cluster
mkdir -p "$scratch"
target=$(cd "$target" && pwd) scratch=$(cd "$scratch" && pwd)
readonly root target scratch
pids=() mounts=()

end() {
    local place
    ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
    for place in "${mounts[@]}"; do umount "$place" || true; done
}
trap end EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# until_true WHAT COMMAND...: waits until the command succeeds.
until_true() {
    local what=$1 end=$((SECONDS + 600))
    shift
    until "$@"; do
        ((SECONDS < end)) || fail "$what"
        sleep 0.2
    done
}

# same_games FOLDER: joins its parts and compares them with the games of one process.
same_games() {
    [[ -e $scratch/whole.games ]] ||
        selfplay generate --out "$scratch/whole.games" --games "$GAMES" --threads 1 "${ARGUMENTS[@]}"
    rm -f "$scratch/joined.games"
    selfplay join "$1"/part-*.games --out "$scratch/joined.games" --games "$GAMES" || fail "the parts of $1"
    cmp "$scratch/joined.games" "$scratch/whole.games" || fail "the joined games are others"
}

# ---- slurm -----------------------------------------------------------------------------------

start_slurm() {
    local host
    host=$(hostname -s)
    mkdir -p "$scratch/munge" "$scratch/state" "$scratch/spool"
    chmod 700 "$scratch/munge"
    head -c 1024 /dev/urandom >"$scratch/munge/key"
    chmod 400 "$scratch/munge/key"
    munged --foreground --force --key-file "$scratch/munge/key" --socket "$scratch/munge/socket" \
        --pid-file "$scratch/munge/pid" --log-file "$scratch/munge/log" --seed-file "$scratch/munge/seed" \
        >/dev/null 2>&1 &
    pids+=($!)
    until_true "munged does not start, see $scratch/munge/log" test -S "$scratch/munge/socket"
    export SLURM_CONF=$scratch/slurm.conf
    cat >"$SLURM_CONF" <<CONF
ClusterName=kawasemi
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket,cred_expire=3
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
SlurmctldPort=26817
SlurmdPort=26818
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    slurmctld -D >/dev/null 2>&1 &
    pids+=($!)
    slurmd -D >/dev/null 2>&1 &
    pids+=($!)
    until_true "Slurm does not start, see $scratch/slurmctld.log" node_is_idle
}

node_is_idle() { [[ $(sinfo --noheader --format %t 2>/dev/null) == idle ]]; }

queue_is_empty() { [[ -z $(squeue --noheader 2>/dev/null || echo unknown) ]]; }

part_slurm() {
    local job folder=$scratch/slurm
    start_slurm
    job=$(sbatch --parsable --array="1-$TASKS" --chdir "$root" --output "$scratch/slurm-%a.log" tools/cluster/slurm.sh \
        "$TASKS" "$folder" generate "$GAMES" "${ARGUMENTS[@]}")
    # In the middle of its work.
    until_true "task 2 does not start, see $scratch/slurm-2.log" test -s "$folder/part-2-of-$TASKS.games"
    scontrol requeue "${job}_2"
    until_true "the array does not end, see $scratch" queue_is_empty
    same_games "$folder"
    echo "slurm: $TASKS tasks, one requeued, gave the games of one process"
}

# ---- parallel --------------------------------------------------------------------------------

start_sshd() {
    mkdir -p "$scratch/ssh" /run/sshd
    chmod 700 "$scratch/ssh"
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/host"
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/user"
    # Programs by PATH, as on machines of one's own.
    echo "environment=\"PATH=$PATH\" $(cat "$scratch/ssh/user.pub")" >"$scratch/ssh/authorized_keys"
    "$(command -v sshd)" -D -f /dev/null -h "$scratch/ssh/host" -p 26822 -o ListenAddress=127.0.0.1 -o StrictModes=no \
        -o AuthorizedKeysFile="$scratch/ssh/authorized_keys" -o PidFile=none -o PermitUserEnvironment=yes \
        -o PermitRootLogin=prohibit-password -E "$scratch/ssh/log" &
    pids+=($!)
    cat >"$scratch/ssh/ssh" <<SSH
#!/bin/sh
exec ssh -F none -p 26822 -i "$scratch/ssh/user" -o BatchMode=yes -o StrictHostKeyChecking=no \
    -o UserKnownHostsFile="$scratch/ssh/known" -o LogLevel=ERROR "\$@"
SSH
    chmod +x "$scratch/ssh/ssh"
    until_true "sshd does not answer, see $scratch/ssh/log" "$scratch/ssh/ssh" 127.0.0.1 true
}

part_parallel() {
    local folder=$scratch/parallel
    start_sshd
    PARALLEL_SSH=$scratch/ssh/ssh tools/cluster/parallel.sh 2/127.0.0.1 "$TASKS" "$folder" generate "$GAMES" \
        --threads 1 "${ARGUMENTS[@]}"
    [[ $(grep -c 127.0.0.1 "$folder/tasks.log") == "$TASKS" ]] || fail "not all tasks went through ssh"
    same_games "$folder"
    echo "parallel: $TASKS tasks over ssh gave the games of one process"
}

# ---- kubernetes ------------------------------------------------------------------------------

# job_command FILE: the command of the only container of a job.
job_command() {
    python3 - "$1" <<'PYTHON'
import sys
import yaml

with open(sys.argv[1]) as file:
    [container] = yaml.safe_load(file)["spec"]["template"]["spec"]["containers"]
assert container["command"] == ["bash", "-c"]
[command] = container["args"]
print(command)
PYTHON
}

part_kubernetes() {
    local file=tools/cluster/kubernetes.yml folder=$scratch/kubernetes command index
    if command -v kubernetes-validate >/dev/null; then kubernetes-validate --strict "$file"; fi
    command=$(job_command "$file")
    [[ $command == *"/$TASKS /games generate 100000 --nodes 1000 --seed 7"* ]] || fail "another command: $command"
    # The volume is this folder, and there are fewer and shorter games.
    command=${command/ \/games / '"$folder"' }
    command=${command/100000 --nodes 1000 --seed 7/"$GAMES ${ARGUMENTS[*]}"}
    for ((index = 0; index < TASKS; index++)); do
        env PATH="$root/tools/cluster:$PATH" folder="$folder" JOB_COMPLETION_INDEX="$index" bash -c "$command"
    done
    same_games "$folder"
    echo "kubernetes: the command of the pods gave the games of one process"
}

# ---- faults ----------------------------------------------------------------------------------

# refuses REASON COMMAND...: fails with this text in its messages.
refuses() {
    local reason=$1 text
    shift
    if text=$("$@" 2>&1); then fail "it succeeds: $*"; fi
    [[ $text == *"$reason"* ]] || fail "no word of '$reason': $text"
}

task() { tools/cluster/task.sh "$1/2" "$2" generate 6 --threads 1 "${ARGUMENTS[@]}"; }

part_faults() {
    local folder=$scratch/faults full=$scratch/full task status=0
    PATH=/usr/bin:/bin refuses "selfplay is missing" task 1 "$folder"
    refuses "is not I/N" tools/cluster/task.sh 3/2 "$folder" generate 6
    refuses "number of games" tools/cluster/task.sh 1/2 "$folder" generate --nodes 9

    # Kubernetes and parallel do not start a task again that has ended with 0.
    tools/cluster/task.sh 1/1 "$scratch/interrupted" generate 100000 --threads 1 "${ARGUMENTS[@]}" \
        >"$scratch/interrupted.log" &
    task=$!
    until_true "no file is begun" test -s "$scratch/interrupted/part-1-of-1.games"
    kill -TERM "$task"
    wait "$task" || status=$?
    [[ $status == 143 ]] || fail "an interrupted task ended with the status $status"

    # A disk with no room, and one that becomes full.
    mkdir -p "$full"
    mount -t tmpfs -o size=256k tmpfs "$full"
    mounts+=("$full")
    refuses "no room" task 1 "$full"
    mount -o remount,size=1100k "$full"
    head -c 2M /dev/zero >"$full/other" 2>/dev/null || true
    refuses "No space left" selfplay generate --out "$full/part-1-of-2.games" --games 3 --threads 1 "${ARGUMENTS[@]}"
    rm "$full/other"
    task 1 "$full"
    task 2 "$full"
    mkdir -p "$folder"
    cp "$full"/part-*.games "$folder"
    # The same for the joined file.
    head -c 2M /dev/zero >"$full/other" 2>/dev/null || true
    refuses "No space left" selfplay join "$folder"/part-*.games --out "$full/joined.games" --games 6
    [[ ! -e $full/joined.games ]] || fail "a part of the joined games was left"

    # A part that was written by half, and one of another program.
    truncate -s -50 "$folder/part-2-of-2.games"
    refuses "not complete" selfplay join "$folder"/part-*.games --out "$folder/joined.games" --games 6
    cp "$(command -v selfplay)" "$scratch/selfplay"
    echo >>"$scratch/selfplay"
    PATH=$scratch:$PATH refuses "program=" task 2 "$folder"
    rm "$folder/part-2-of-2.games"
    PATH=$scratch:$PATH task 2 "$folder"
    refuses "made with other settings" selfplay join "$folder"/part-*.games --out "$folder/joined.games" --games 6
    [[ ! -e $folder/joined.games ]] || fail "games of two programs were joined"
    rm "$folder/part-2-of-2.games"
    task 2 "$folder"
    selfplay join "$folder"/part-*.games --out "$folder/joined.games" --games 6
    echo "faults: all were reported, and nothing was lost or mixed"
}

# ---- records ---------------------------------------------------------------------------------

part_records() {
    local task words=("$scratch/records" analyze --threads 1 --hash 4)
    local records=(-- tests/web/game.kif tests/web/missed.usi tests/web/game.kif)
    tools/cluster/task.sh 1/2 "${words[@]}" --nodes 100000000 "${records[@]}" 2>"$scratch/records.log" &
    task=$!
    # In the middle of an analysis.
    until_true "no analysis begins" test -e "$scratch/records/000001-of-3.json.new"
    kill -TERM "$task"
    if wait "$task"; then fail "a task that was interrupted succeeds"; fi
    refuses "no results" tools/cluster/join_records.sh "$scratch/records" "$scratch/records.json"
    tools/cluster/task.sh 2/2 "${words[@]}" --nodes 200 "${records[@]}"
    refuses "record 1 of 3" tools/cluster/join_records.sh "$scratch/records" "$scratch/records.json"
    tools/cluster/task.sh 1/2 "${words[@]}" --nodes 200 "${records[@]}"
    tools/cluster/join_records.sh "$scratch/records" "$scratch/records.json"
    [[ $(grep -c '"complete":true' "$scratch/records.json") == 3 ]] || fail "not three analyses"

    # A record that cannot be read does not stop those behind it.
    refuses "tests/cluster.sh failed" tools/cluster/task.sh 1/1 "$scratch/unreadable" analyze --threads 1 --hash 4 \
        --nodes 200 -- tests/cluster.sh tests/web/missed.usi
    [[ -e $scratch/unreadable/000002-of-2.json && ! -e $scratch/unreadable/000001-of-2.json ]] ||
        fail "the records behind an unreadable one are missing"
    echo "records: an interrupted analysis was made again, and all were joined"
}

find_tools() {
    case $1 in
    slurm)
        need slurmctld slurm-wlm
        need munged munge
        ;;
    parallel)
        need parallel parallel
        need sshd openssh-server
        ;;
    kubernetes) python3 -c 'import yaml' 2>/dev/null || missing+=("PyYAML for python3 (package python3-yaml)") ;;
    faults) need mount mount ;;
    esac
}

if [[ ${1-} == -h || ${1-} == --help ]]; then
    print_help tests/cluster.sh
    exit
fi
(($#)) || set -- "${PARTS[@]}"
((EUID == 0)) || missing+=("the rights of root")
for part in "$@"; do
    declare -F "part_$part" >/dev/null || usage "no such part: $part"
    find_tools "$part"
done
need_all
# What an earlier run has left stays until here: the help and a wrong argument remove nothing.
rm -rf "$scratch"
mkdir "$scratch"
profile=${PROFILE:-checked}
cargo build --quiet --profile "$profile" --features tools --bin selfplay --bin kawasemi
export PATH=$target/${profile/dev/debug}:$PATH
for part in "$@"; do
    "part_$part"
done
