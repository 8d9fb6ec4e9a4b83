#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The seed network, HalfKP 256x2-32-32, from one file of games, end to end:
#
#     nets/seed.sh GAMES FOLDER
#
# HalfKP needs more positions than there are, so it learns from networks that need fewer. Those that learn beside the
# hand-crafted evaluation need the fewest: three of them learn from GAMES, the third also from the judgement of the first
# two, and it plays against itself: games to learn from, and quick ones with mistakes, which nobody believes but which
# lead to other positions. Three judges learn from GAMES and the first kind, one of them without the hand-crafted
# evaluation. The seed network, which has no other evaluation beside it, learns from the mean of what the judges say of
# the positions of all games and of four beside each. No other data and no other network are used. It is FOLDER/seed.net
# in the end.
#
# Interrupt it as you like: the same command goes on where it was. Its games take half an hour on two cores of a fast CPU,
# its trainings seven minutes on an H200 or, reckoned from their speed, two hours and a half on the same two cores.
# The largest training keeps 8 GB of positions, on disk if memory is short.
#
# NUE names the program (otherwise target/release/nue). SHARE (1000) says how many thousandths of the games and positions
# to take, to try it out, and MEMORY (12288) how many megabytes of positions a training may keep in memory.
# With less than the largest needs it sees them in another order, and ends with other bytes.
set -eu

games=${1:?"usage: nets/seed.sh GAMES FOLDER"}
folder=${2:?"usage: nets/seed.sh GAMES FOLDER"}
nue=${NUE:-target/release/nue}
share=${SHARE:-1000}
test -r "$games" || { echo "$games: no such file; expected games with scores and results" >&2; exit 1; }
command -v "$nue" > /dev/null || { echo "$nue: no such program; build it with cargo build --release" >&2; exit 1; }
case $nue in
    /*) ;;
    */*) nue=$PWD/$nue ;;
esac
games="$(cd "$(dirname "$games")" && pwd)/$(basename "$games")"
mkdir -p "$folder"
cd "$folder"

# shape FEATURES WIDTH HIDDEN ACTIVATION BUCKETS DROPOUT BESIDE: lines of a configuration; BESIDE says beside how many
# percent of the hand-crafted evaluation the network stands.
shape() {
    printf 'features = "%s"\nwidth = %s\nhidden = [%s]\nactivation = "%s"\nbuckets = %s\ndropout = %s\n' \
        "$1" "$2" "$3" "$4" "$5" "$6"
    printf 'hand_crafted = %s' "$7"
}

# taught SIBLINGS JUDGES: quiet positions, and as many beside each as SIBLINGS says, judged by the mean of the judges.
taught() {
    printf 'quiet = true\nsiblings = %s\nteachers = [' "$1"
    for name in $2; do printf '"%s/nets/%s.net", ' "$name" "$name"; done
    printf ']'
}

# train NAME NETWORK DATA FILES MILLIONS RATE DECAY
train() {
    test -e "$1/nets/$1.net" && return
    if test -e "$1/config.toml"; then
        "$nue" resume "$1"
        return
    fi
    cat > "$1.toml" <<END
name = "$1"
[network]
$2
factoriser = true
fake_quantisation = true
[data]
files = [$4]
min_ply = 8
max_score = 4000
hold_out = 0.01
memory_mb = ${MEMORY:-12288}
$3
[loss]
scale = 400.0
exponent = 2.0
[optimiser]
kind = "adamw"
decay = $7
[schedule]
kind = "cosine"
rate = $6
last = 0.000002
[run]
positions = $(($5 * share))_000
round = 25_000_000
END
    "$nue" train "$1.toml" --out "$1"
}

# Where a position has a score of its own, the judges 2, 4 and 5 keep it; the seed network believes its teachers.
quiet='quiet = true'
own='judged = "siblings"'
given="\"$games\""
both="{ path = \"$games\", weight = 2.0 }, \"play.vf\""
beside() { shape HalfKA-hm8 "$1" 16,32 squared 8 "$2" 120; }

train judge0 "$(beside 256 0.2)" "$quiet" "$given" 150 0.001 0.1
train judge1 "$(beside 512 0.3)" "$quiet" "$given" 150 0.001 0.1
train judge2 "$(beside 256 0.1)" "$(taught 4 'judge0 judge1')
$own" "$given" 150 0.001 0.1

# play FILE THOUSANDS NODES SEED OTHERS...
play() {
    file=$1 games_to_play=$(($2 * share)) nodes=$3 seed=$4
    shift 4
    test -e "$file" || "$nue" data selfplay -o "$file" --net judge2/nets/judge2.net --games $games_to_play \
        --nodes "$nodes" --seed "$seed" --hash 2 --resign 4,1000 "$@"
}
play play.vf 150 150 1 --random-plies 6..9 --first-score 150
play more.vf 400 40 2 --random-plies 4..9 --random-moves 0.08

train judge3 "$(beside 256 0.1)" "$quiet" "$both" 200 0.001 0.1
train judge4 "$(beside 512 0.1)" "$(taught 3 'judge2 judge3')
$own" "$both" 250 0.001 0.1
train judge5 "$(shape HalfKA-hm8 256 16,32 squared 8 0.1 0)" "$(taught 3 'judge2 judge3 judge4')
$own" "$both" 150 0.001 0.1

train pupil "$(shape HalfKP 256 32,32 squared 1 0.0 0)" "$(taught 4 'judge2 judge3 judge4 judge5')
mirror = true" "$both, \"more.vf\"" 4000 0.002 0.05

"$nue" crosscheck pupil
test -e order.epd || "$nue" data filter "$games" -o order.epd --loud --share 0.001
"$nue" net convert pupil/nets/pupil.net seed.net.part --order order.epd
mv seed.net.part seed.net
echo "$folder/seed.net"
