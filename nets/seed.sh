#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The seed network, HalfKP 256x2-32-32, from one file of games, end to end:
#
#     nets/seed.sh GAMES FOLDER
#
# HalfKP needs more positions than there are, so it learns from networks that need fewer. Three teachers in a row learn from
# GAMES and from what the teachers before played against themselves. The last of them plays most: also games with
# mistakes, for a search looks at those too. Five teachers of different shapes learn from all of it, and the seed network
# from the mean of their judgement of every position and two beside it. At last it is refined with what searches
# found. No other data and no other network are used. It is FOLDER/seed.net in the end.
#
# Interrupt it as you like: the same command goes on where it was. The games take about an hour and a half on two cores, the
# trainings a quarter of an hour with an H200 (sums of the parts) and hours without any GPU. The largest training keeps 19 GB
# of positions, on disk if memory is short.
#
# NUE names the program (otherwise target/release/nue). SHARE (1000) says how many thousandths of the games and positions
# to take, to try it out, and MEMORY (4096) how many megabytes of positions a training may keep in memory.
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

# shape FEATURES WIDTH HIDDEN ACTIVATION BUCKETS DROPOUT: lines of a configuration.
shape() {
    printf 'features = "%s"\nwidth = %s\nhidden = [%s]\nactivation = "%s"\nbuckets = %s\ndropout = %s' "$@"
}

# files WEIGHT NAMES: the given games with a weight, and those played.
files() {
    printf '{ path = "%s", weight = %s }' "$games" "$1"
    for name in $2; do printf ', "%s.vf"' "$name"; done
}

# train NAME NETWORK DATA FILES MILLIONS RATE
train() {
    test -e "$1/nets/$1.net" && return
    if test -e "$1"; then
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
memory_mb = ${MEMORY:-4096}
$3
[loss]
scale = 400.0
exponent = 2.0
[optimiser]
kind = "adamw"
decay = 0.1
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

# play NAME TEACHER THOUSANDS NODES SEED OPTIONS
play() {
    test -e "$1.vf" && return
    output=$1.vf player=$2/nets/$2.net count=$(($3 * share)) nodes=$4 hash=$(($4 < 100 ? 1 : 2)) number=$5
    shift 5
    "$nue" data selfplay -o "$output" --net "$player" --games "$count" --nodes "$nodes" --hash "$hash" \
        --seed "$number" "$@"
}

# openings NAME OPTIONS: a tenth of the positions of the given games, to begin with.
openings() {
    test -e "$1.epd" && return
    output=$1.epd
    shift
    "$nue" data filter "$games" -o "$output" --loud --share 0.1 "$@"
}

level='--first-score 150 --resign 4,1000'
quiet='quiet = true'
teacher=$(shape HalfKA-hm8 512 16,32 squared 8 0.3)

train teacher0 "$teacher" "$quiet" "$(files 1.0 '')" 150 0.001
play play1 teacher0 125 120 1 --random-plies 6..9 $level

train teacher1 "$teacher" "$quiet" "$(files 1.0 play1)" 300 0.001
openings early --max-score 150 --max-ply 40
play play2 teacher1 125 120 2 --random-plies 1..4 --book early.epd $level

train teacher2 "$teacher" "$quiet" "$(files 1.0 'play1 play2')" 400 0.001
play play3 teacher2 190 30 3 --random-plies 6..9 $level
play play4 teacher2 190 30 4 --random-plies 1..4 --book early.epd $level
play play5 teacher2 190 30 5 --random-plies 6..9 $level

# Games with mistakes end soon: what is decided teaches little.
openings middle --max-score 250 --max-ply 110
begun='--random-plies 6..9 --first-score 250'
middle='--random-plies 1..2 --book middle.epd --first-score 400 --resign 1,500'
play errors1 teacher2 250 150 101 --random-moves 0.2 $middle
play errors2 teacher2 150 150 102 --random-moves 0.15 $begun --resign 1,500
play errors3 teacher2 220 40 201 --random-moves 0.1 $begun --resign 1,700
play errors4 teacher2 400 40 202 --random-moves 0.1 $middle

# Two judges learn from loud positions too: weaker players, but they err elsewhere.
best=$(files 2.0 'play1 play2 errors1 errors2')
all=$(files 2.0 'play1 play2 errors1 errors2 play3 play4 play5 errors3 errors4')
train judge1 "$(shape HalfKA-hm8 512 16,32 squared 8 0.2)" "$quiet" "$all" 400 0.002
train judge2 "$(shape HalfKA-hm8 768 16,32 pairwise 8 0.25)" "$quiet" "$best" 300 0.002
train judge3 "$(shape HalfKA-hm8 512 16,32 squared 8 0.2)" '' "$best" 300 0.002
train judge4 "$(shape HalfKAv2-hm 512 32,32 squared 4 0.3)" "$quiet" "$all" 400 0.002
train judge5 "$(shape HalfKA-hm8 512 32 squared 4 0.2)" '' "$all" 300 0.002

judges=$(printf '"judge%s/nets/judge%s.net", ' 1 1 2 2 3 3 4 4 5 5)
train pupil "$(shape HalfKP 256 32,32 clipped 1 0.0)" "$quiet
mirror = true
teachers = [$judges]
siblings = 2" "$all" 2500 0.002
train refined "$(shape HalfKP 256 32,32 clipped 1 0.05)
start = \"pupil\"" "$quiet
mirror = true" "$best" 100 0.0003

"$nue" crosscheck refined
cp refined/nets/refined.net seed.net.part
mv seed.net.part seed.net
echo "$folder/seed.net"
