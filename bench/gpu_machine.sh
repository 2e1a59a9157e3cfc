#!/usr/bin/env bash
# On a machine with a GPU, 16 cores and carry/site.tar.xz (bench/carry.sh) unpacked: all figures of the GPU, in 10 minutes, as the
# file $1/figures.tar.xz.
#
# First every game in processes of its own, at the same time: kernels are compiled and compared with native code, bit for bit. Then
# the speeds, one after the other, with the kernels loaded from disk. `bench/gpu_results.py FOLDER`, with the unpacked files, writes
# them into bench/RESULTS.md.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
export PYTHONPATH=src PYTHONUNBUFFERED=1 XLA_PYTHON_CLIENT_PREALLOCATE=false
games=(cleocatra egizia imhotep maqha mural examples/connect_four)

for game in "${games[@]}"; do
    name=$(basename "$game")
    timeout 290 python3 bench/environments_gpu.py "$game" --compare-only --sets 2 --json "$out/batches-$name.json" >"$out/batches-$name.log" 2>&1 &
    timeout 290 python3 bench/gpu.py "$game" --compare-only --sets 2 --json "$out/games-$name.json" >"$out/games-$name.log" 2>&1 &
    timeout 290 python3 bench/gpu.py "$game" --speed-only >"$out/compile-$name.log" 2>&1 &
done
wait
tail -n 3 "$out"/batches-*.log "$out"/games-*.log
timeout 140 python3 bench/environments_gpu.py --speed-only --json "$out/speeds-batches.json"
timeout 80 python3 bench/gpu.py --speed-only --json "$out/speeds-moves.json"
timeout 80 python3 bench/gpu.py --pgx-only --json "$out/speeds-pgx.json"
tar -cJf "$1/figures.tar.xz" -C "$out" .
