#!/usr/bin/env bash
# On a machine with a GPU, 16 cores and carry/site.tar.xz (bench/carry.sh): expert iteration for the networks of the package, in three
# calls of at most ten minutes each. What each call has made is kept in carry/trained, from which the next one goes on, and comes
# back in the folder named.
#
#   bash bench/train_gpu.sh train FOLDER     all games at once, the networks of the package being the first ones
#   bash bench/train_gpu.sh train FOLDER     the same again: goes on from the checkpoints
#   bash bench/train_gpu.sh proof FOLDER     levels, then duels against the search; it puts the new networks into the game folders there
#
# GAMES, SECONDS_EACH (of a call), MINUTES (of both trainings together), SIMULATIONS, DEVICE, WORKERS and DEALS change what is done.
# A game that does better afterwards gets the files of FOLDER/GAME; then `bench/bots.py --join FOLDER/strength.json` adds the duels.
set -uo pipefail
cd "$(dirname "$0")/.."
what=$1
out=$2
read -ra games <<<"${GAMES:-imhotep cleocatra egizia mural}"
kept=carry/trained
python=${PYTHON:-python3}
device=${DEVICE:-cuda}
seconds=${SECONDS_EACH:-470}
export PYTHONPATH=src PYTHONUNBUFFERED=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
mkdir -p "$kept" "$out"
if [ -e carry/site.tar.xz ] && ! "$python" -c 'import numba_cuda' 2>/dev/null; then
    tar xJf carry/site.tar.xz -C "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
fi

folder_of() { "$python" -c 'import sys; from perankh.engine.game import get_game; print(get_game(sys.argv[1]).folder)' "$1"; }

bring_back() {
    for game in "${games[@]}"; do
        name=$(basename "$game")
        mkdir -p "$out/$name"
        cp "$kept/$name"/*.npz "$kept/$name"/*.toml "$kept/$name"/*.md "$kept/$name"/*.json "$kept/$name.log" "$out/$name/" 2>/dev/null
    done
}

case $what in
train)
    for game in "${games[@]}"; do
        name=$(basename "$game")
        resume=()
        if [ -e "$kept/$name/checkpoint.pt" ]; then resume=(--resume); fi
        timeout --signal=INT --kill-after=40 "$seconds" "$python" -m perankh train "$game" --search "${SIMULATIONS:-32}" \
            --minutes "${MINUTES:-16}" --device "$device" --out "$kept/$name" "${resume[@]}" >>"$kept/$name.log" 2>&1 &
    done
    wait
    tail -n 3 "$kept"/*.log
    bring_back
    ;;
proof)
    for game in "${games[@]}"; do
        name=$(basename "$game")
        timeout 200 "$python" -m perankh train "$game" --levels --device "$device" --out "$kept/$name" >"$kept/$name-levels.log" 2>&1 &
    done
    wait
    tail -n 6 "$kept"/*-levels.log
    bring_back
    names=()
    for game in "${games[@]}"; do
        name=$(basename "$game")
        if [ -e "$kept/$name/levels.toml" ]; then
            cp "$kept/$name"/network*.npz "$kept/$name/levels.toml" "$(folder_of "$game")/"
            names+=("$game")
        fi
    done
    OMP_NUM_THREADS=1 "$python" bench/bots.py --part strength --games "${names[@]}" --players 2 4 --duels seer-search-20000 \
        pharaoh-search-20000 --first 5000 --deals "${DEALS:-200}" --minutes "${DUEL_MINUTES:-5.5}" --workers "${WORKERS:-16}" \
        --json "$out/strength.json"
    ;;
*)
    echo "train or proof, not $what" >&2
    exit 2
    ;;
esac
