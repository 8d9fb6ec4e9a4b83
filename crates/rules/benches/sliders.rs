// SPDX-License-Identifier: GPL-3.0-or-later
//! Sliding attacks side by side: what the build uses (PEXT on a CPU that has it), hyperbola
//! quintessence, and magic multiplication. `cargo bench -p rules --bench sliders`
//!
//! Each round looks up rook and bishop attacks from every square for a stream of occupancies as
//! middlegames have them. A micro-benchmark keeps the tables in cache, which flatters the large ones;
//! whether that holds in a search is told by `nue bench` of two builds, one with
//! `-Ctarget-feature=-bmi2`, which falls back to hyperbola quintessence.

use std::{hint::black_box, time::Instant};

use rules::chess::{Bitboard, Square, attacks, attacks::hyperbola};

const OCCUPANCIES: usize = 1 << 12;
const ROUNDS: usize = 7;

/// Attacks of one square found by multiplying its blockers with a number that has no bad collision.
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    attacks: Vec<Bitboard>,
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

impl Magic {
    /// Tries sparse random factors until one separates all blockers with different attacks.
    fn find(square: Square, slide: fn(Square, Bitboard) -> Bitboard, state: &mut u64) -> Magic {
        let rim = |line: Bitboard| -> Bitboard {
            let own_file = Bitboard::file(square.file());
            let own_rank = Bitboard::rank(square.rank());
            let files = (Bitboard::FILE_A | Bitboard::FILE_H) - own_file;
            let ranks = (Bitboard::rank(0) | Bitboard::rank(7)) - own_rank;
            line - (files | ranks)
        };
        let mask = rim(slide(square, Bitboard::EMPTY)).0;
        let shift = 64 - mask.count_ones();
        let mut subsets = Vec::new();
        let mut blockers = 0u64;
        loop {
            subsets.push((blockers, slide(square, Bitboard(blockers))));
            blockers = blockers.wrapping_sub(mask) & mask;
            if blockers == 0 {
                break;
            }
        }
        'candidates: loop {
            let factor = next(state) & next(state) & next(state);
            let mut table = vec![None; subsets.len()];
            for &(blockers, attacks) in &subsets {
                let slot = &mut table[(blockers.wrapping_mul(factor) >> shift) as usize];
                if slot.is_some_and(|other| other != attacks) {
                    continue 'candidates;
                }
                *slot = Some(attacks);
            }
            let attacks = table.into_iter().map(Option::unwrap_or_default).collect();
            return Magic { mask, factor, shift, attacks };
        }
    }

    #[inline(always)]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        self.attacks[((occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift) as usize]
    }
}

/// Lookups per second, the best of some rounds.
fn speed(occupancies: &[Bitboard], look_up: impl Fn(Square, Bitboard) -> Bitboard) -> (f64, u64) {
    let (mut best, mut sum) = (0f64, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        sum = 0;
        for &occupied in occupancies {
            for square in Square::all() {
                sum ^= look_up(square, occupied).0.rotate_left(square.index() as u32);
            }
        }
        black_box(sum);
        best = best.max((occupancies.len() * 64) as f64 / start.elapsed().as_secs_f64());
    }
    (best / 1e6, sum)
}

#[allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
fn main() {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let occupancies: Vec<Bitboard> = (0..OCCUPANCIES)
        .map(|_| Bitboard(next(&mut state) & (next(&mut state) | next(&mut state))))
        .collect();
    let rooks: Vec<Magic> = Square::all().map(|s| Magic::find(s, hyperbola::rook, &mut state)).collect();
    let bishops: Vec<Magic> = Square::all().map(|s| Magic::find(s, hyperbola::bishop, &mut state)).collect();

    let build = speed(&occupancies, |s, o| attacks::rook(s, o) | attacks::bishop(s, o));
    let hyperbola = speed(&occupancies, |s, o| hyperbola::rook(s, o) | hyperbola::bishop(s, o));
    let magic = speed(&occupancies, |s, o| rooks[s.index()].attacks(o) | bishops[s.index()].attacks(o));
    assert!(build.1 == hyperbola.1 && hyperbola.1 == magic.1, "all ways must agree");

    let name = if cfg!(target_feature = "bmi2") { "this build: pext" } else { "this build: hyperbola" };
    println!("{:<24} {:>14}", "queen lookups", "million/s");
    println!("{name:<24} {:>14.1}", build.0);
    println!("{:<24} {:>14.1}", "hyperbola quintessence", hyperbola.0);
    println!("{:<24} {:>14.1}", "magics", magic.0);
}
