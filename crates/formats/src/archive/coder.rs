// SPDX-License-Identifier: GPL-3.0-or-later
//! Binary arithmetic coding: an answer of probability p costs about -log2(p) bits.
//!
//! The interval of all 32-bit numbers is narrowed with each answer to the part that belongs to it; bytes on
//! which both ends agree are written. The scheme is Witten, Neal and Cleary's of 1987 with the byte-wise
//! renormalisation that Mahoney's compressors made popular.

/// Writes answers or reads them back: the model above does not see the difference.
pub(super) trait Coder {
    /// Codes one answer; `probability` is that of a yes, of 65536. A reader ignores `answer` and returns the
    /// one that was written.
    fn code(&mut self, answer: bool, probability: u32) -> bool;
}

#[derive(Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval { low: 0, high: u32::MAX };

    /// The last number that means yes.
    fn split(&self, probability: u32) -> u32 {
        debug_assert!((1..65536).contains(&probability));
        self.low + ((u64::from(self.high - self.low) * u64::from(probability)) >> 16) as u32
    }

    fn narrow(&mut self, answer: bool, split: u32) {
        if answer {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// Whether both ends begin with the same byte; if so it is shifted out.
    fn shift(&mut self) -> bool {
        let agreed = (self.low ^ self.high) >> 24 == 0;
        if agreed {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
        agreed
    }
}

/// Turns answers into bytes.
#[derive(Debug)]
pub(super) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { interval: Interval::ALL, bytes: Vec::new() }
    }

    /// The bytes of all answers.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // Four bytes within the interval; a reader sees zeros behind them.
        self.bytes.extend(self.interval.high.to_be_bytes());
        self.bytes
    }
}

impl Coder for Encoder {
    #[inline]
    fn code(&mut self, answer: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        self.interval.narrow(answer, split);
        loop {
            let byte = (self.interval.high >> 24) as u8;
            if !self.interval.shift() {
                return answer;
            }
            self.bytes.push(byte);
        }
    }
}

/// Turns bytes back into answers; behind the last byte it reads zeros.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    interval: Interval,
    value: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { interval: Interval::ALL, value: 0, bytes: bytes.iter() };
        (0..4).for_each(|_| decoder.pull());
        decoder
    }

    fn pull(&mut self) {
        self.value = self.value << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        let answer = self.value <= split;
        self.interval.narrow(answer, split);
        while self.interval.shift() {
            self.pull();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::*;

    #[test]
    fn answers_come_back_at_the_price_of_their_surprise() {
        let mut random = Random::new(5);
        let questions: Vec<(bool, u32)> = (0..200_000)
            .map(|_| {
                let probability = [1, 50, 6554, 32768, 65535][(random.bits() % 5) as usize];
                ((random.bits() >> 48) < u64::from(probability), probability)
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut bits = 0.0;
        for &(answer, probability) in &questions {
            encoder.code(answer, probability);
            let yes = f64::from(probability) / 65536.0;
            bits -= if answer { yes } else { 1.0 - yes }.log2();
        }
        let bytes = encoder.finish();
        assert!((bytes.len() as f64) < bits / 8.0 * 1.001 + 8.0, "{} bytes for {bits} bits", bytes.len());
        let mut decoder = Decoder::new(&bytes);
        for (number, &(answer, probability)) in questions.iter().enumerate() {
            assert_eq!(decoder.code(false, probability), answer, "answer {number}");
        }
    }

    #[test]
    fn no_answers_and_no_bytes() {
        assert!(Encoder::new().finish().len() <= 4);
        let mut decoder = Decoder::new(&[]);
        assert!((0..1000).all(|_| decoder.code(false, 32768)));
    }
}
