// SPDX-License-Identifier: GPL-3.0-or-later
//! A score as answers: is it the last one, is it zero, higher or lower, how many bits does the change have?

use super::{coder::Coder, logistic::Predictor};
use crate::games::NO_SCORE;

const CONTEXTS: usize = 6;
/// More than there are.
const NODES: usize = 256;
/// The probability of what nobody can guess.
const EVEN: u32 = 1 << 15;

/// Learns how scores go on.
#[derive(Debug)]
pub(super) struct ScoreModel {
    predictor: Predictor<CONTEXTS>,
    /// The last three scores of the game, latest first.
    past: [i32; 3],
    scored: bool,
    plies: u32,
}

/// The questions; the numbers of their contexts.
#[derive(Copy, Clone)]
enum Node {
    Scored = 0,
    Same = 1,
    Zero = 2,
    Up = 3,
    /// Whether the change has more bits than this: up to 17 nodes.
    Longer = 4,
    /// The bits behind the first, eight nodes for each length.
    Bits = 32,
}

impl ScoreModel {
    pub(super) fn new() -> ScoreModel {
        let predictor = Predictor::new([14, 17, 17, 18, 18, 14], NODES);
        ScoreModel { predictor, past: [0; 3], scored: true, plies: 0 }
    }

    /// Forgets the last game but not what was learnt.
    pub(super) fn begin(&mut self) {
        (self.past, self.plies) = ([0; 3], 0);
    }

    /// How the score changed in favour of White.
    pub(super) fn last_change(&self) -> i32 {
        self.past[0] - self.past[1]
    }

    /// The latest score, White's view.
    pub(super) fn last(&self) -> i32 {
        self.past[0]
    }

    /// Codes a score; a reader gets the one that was written.
    pub(super) fn code(&mut self, coder: &mut impl Coder, black: bool, score: i16) -> i16 {
        let contexts = self.contexts(black);
        self.plies += 1;
        let scored = self.ask(coder, contexts, Node::Scored as u32, score != NO_SCORE);
        self.scored = scored;
        if !scored {
            return NO_SCORE;
        }
        let last = self.past[0];
        let wanted = i32::from(score);
        let found = if self.ask(coder, contexts, Node::Same as u32, wanted == last) {
            last
        } else if last != 0 && self.ask(coder, contexts, Node::Zero as u32, wanted == 0) {
            0
        } else {
            last + self.code_change(coder, contexts, wanted - last)
        };
        // Only a damaged block can lead outside.
        let found = found.clamp(i32::from(i16::MIN) + 1, i16::MAX.into());
        self.past = [found, self.past[0], self.past[1]];
        found as i16
    }

    fn code_change(&mut self, coder: &mut impl Coder, contexts: [u32; CONTEXTS], change: i32) -> i32 {
        let up = self.ask(coder, contexts, Node::Up as u32, change > 0);
        let side = u32::from(up);
        let wanted = change.unsigned_abs();
        let length = 32 - wanted.leading_zeros();
        let mut bits = 1;
        while bits < 17 && self.ask(coder, with(contexts, side), Node::Longer as u32 + bits, length > bits) {
            bits += 1;
        }
        let mut value = 1;
        for place in (0..bits - 1).rev() {
            // The first three bits behind the leading one can be learnt, the rest is noise.
            let wanted = wanted >> place & 1 != 0;
            let bit = if value < 8 {
                self.ask(coder, with(contexts, side), Node::Bits as u32 + bits * 8 + value, wanted)
            } else {
                coder.code(wanted, EVEN)
            };
            value = value << 1 | u32::from(bit);
        }
        if up { value as i32 } else { -(value as i32) }
    }

    fn ask(&mut self, coder: &mut impl Coder, contexts: [u32; CONTEXTS], node: u32, answer: bool) -> bool {
        let mut asked = contexts.map(|context| context << 8 | node);
        asked[0] = node << 1 | u32::from(self.scored);
        self.predictor.code(coder, asked, node as usize, answer)
    }

    /// What the last scores say about the next.
    fn contexts(&self, black: bool) -> [u32; CONTEXTS] {
        let [a, b, c] = self.past;
        let side = u32::from(black);
        let (change, before) = (steps(a - b), steps(b - c));
        let size = steps(a);
        [
            0,
            (change * 64 + before) << 1 | side,
            (size * 64 + steps((a - b).abs() + (b - c).abs())) << 1 | side,
            (((a - b).clamp(-100, 100) + 128) as u32) << 1 | side,
            (((a - c).clamp(-60, 60) + 64) as u32) << 7 | size << 1 | side,
            (self.plies.min(255) >> 3) << 1 | side,
        ]
    }
}

/// The contexts with the side to which the score goes.
fn with(contexts: [u32; CONTEXTS], side: u32) -> [u32; CONTEXTS] {
    contexts.map(|context| context | side << 16)
}

/// A number in 64 steps that grow with its size, negative ones below 32.
pub(super) fn steps(number: i32) -> u32 {
    let size = number.unsigned_abs();
    let length = 32 - size.leading_zeros();
    let step = match size {
        0..4 => size,
        4..64 => 2 * length - 2 + (size >> (length - 2) & 1),
        _ => (length + 5).min(31),
    };
    if number < 0 { 31 - step } else { 32 + step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::coder::{Decoder, Encoder};

    #[test]
    fn steps_grow_and_stay_below_64() {
        let mut last = 0;
        for number in -70_000..70_000 {
            let step = steps(number);
            assert!(step >= last && step < 64, "{number}: {step} after {last}");
            last = step;
        }
    }

    #[test]
    fn scores_come_back() {
        let mut scores: Vec<i16> =
            vec![0, 0, 5, -5, 5, i16::MAX, i16::MIN + 1, NO_SCORE, 1, NO_SCORE, NO_SCORE, 0];
        scores.extend((0..3000).map(|n: i32| (n * n % 20_011 - 10_000) as i16));
        let (mut encoder, mut model) = (Encoder::new(), ScoreModel::new());
        for &score in &scores {
            assert_eq!(model.code(&mut encoder, false, score), score);
        }
        let bytes = encoder.finish();
        let (mut decoder, mut model) = (Decoder::new(&bytes), ScoreModel::new());
        for &score in &scores {
            assert_eq!(model.code(&mut decoder, false, 0), score);
        }
    }
}
