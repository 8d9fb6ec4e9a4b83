#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The seed network, HalfKP 256x2-32-32, from one file of games, end to end:
#
#     nets/seed.sh GAMES FOLDER [ROUNDS]
#
# First the network learns from GAMES. Then, ROUNDS times (1 unless said otherwise), the engine plays against itself with it,
# and a new network learns from GAMES and all games so played. No other data and no other network are used.
# The last network is FOLDER/seed.net. Interrupt it as you like: the same command goes on where it was.
#
# NUE names the program (otherwise target/release/nue). TRAINED (600) says how many million positions a round trains on, the first
# training taking a sixth of it, and PLAYED (170) how many thousand games a round plays.
set -eu

games=${1:?"usage: nets/seed.sh GAMES FOLDER [ROUNDS]"}
folder=${2:?"usage: nets/seed.sh GAMES FOLDER [ROUNDS]"}
rounds=${3:-1}
nue=${NUE:-target/release/nue}
trained=${TRAINED:-600}
played=${PLAYED:-170}
test -r "$games" || { echo "$games: no such file; expected games with scores and results" >&2; exit 1; }
command -v "$nue" > /dev/null || { echo "$nue: no such program; build it with cargo build --release" >&2; exit 1; }
mkdir -p "$folder"

# train NAME MILLIONS FILES: into FOLDER/NAME.
train() {
    test -e "$folder/$1/nets/$1.net" && return
    if test -e "$folder/$1"; then
        "$nue" resume "$folder/$1"
        return
    fi
    cat > "$folder/$1.toml" <<END
name = "$1"
[network]
features = "HalfKP"
width = 256
hidden = [32, 32]
factoriser = true
fake_quantisation = true
dropout = 0.1
[data]
files = [$3]
quiet = true
mirror = true
min_ply = 8
max_score = 4000
hold_out = 0.01
[loss]
scale = 400.0
exponent = 2.0
[optimiser]
kind = "adamw"
decay = 0.1
[schedule]
kind = "cosine"
rate = 0.001
last = 0.000002
[run]
positions = $2_000_000
round = 25_000_000
END
    "$nue" train "$folder/$1.toml" --out "$folder/$1"
}

# Files are looked for from the folder of the configuration.
files="\"$(cd "$(dirname "$games")" && pwd)/$(basename "$games")\""
train seed0 $((trained / 6)) "$files"
round=1
while test "$round" -le "$rounds"; do
    last=seed$((round - 1))
    # Random moves from the start position, and only openings that are about level.
    test -e "$folder/play$round.vf" || "$nue" data selfplay --games "${played}000" -o "$folder/play$round.vf" \
        --net "$folder/$last/nets/$last.net" --nodes 120 --hash 2 --random-plies 6..9 --first-score 150 \
        --resign 4,1000 --seed "$round"
    files="$files, \"play$round.vf\""
    train "seed$round" "$trained" "$files"
    round=$((round + 1))
done
last=seed$((round - 1))
"$nue" crosscheck "$folder/$last"
cp "$folder/$last/nets/$last.net" "$folder/seed.net.part"
mv "$folder/seed.net.part" "$folder/seed.net"
echo "$folder/seed.net"
