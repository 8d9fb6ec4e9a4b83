// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything that is learned and remembered between two steps, and its bytes on disk.
//!
//! ```text
//! 8 bytes   "NueCkpt1"
//! 8 bytes   steps done, little-endian
//! 4 bytes   number of lists: (1 + slots) × tensors
//! lists     8 bytes of length, then 32-bit floats
//! 8 bytes   checksum of everything before
//! ```

use rules::Checksum;
use thiserror::Error;

use crate::Layout;

/// Learned numbers and the optimiser's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub steps: u64,
    /// The learned numbers by tensor.
    pub numbers: Vec<Vec<f32>>,
    /// What the optimiser remembers: by slot and tensor.
    pub slots: Vec<Vec<Vec<f32>>>,
}

/// Bytes that are no checkpoint, or one of another network.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum StateError {
    #[error("not a checkpoint: it does not begin with 'NueCkpt1'")]
    Foreign,
    #[error("the checkpoint is cut off or damaged")]
    Damaged,
    #[error("the checkpoint has {found} lists of numbers, expected {expected} as in the configuration")]
    Lists { found: usize, expected: usize },
    #[error("the checkpoint has {found} numbers for {what}, expected {expected} as in the configuration")]
    Length { what: String, found: usize, expected: usize },
}

const MAGIC: [u8; 8] = *b"NueCkpt1";

impl State {
    /// The state before the first step.
    pub fn start(layout: &Layout, slots: usize, seed: u64) -> State {
        State::with_numbers(layout.start(seed), slots)
    }

    /// The state before the first step that begins with these numbers.
    pub(crate) fn with_numbers(numbers: Vec<Vec<f32>>, slots: usize) -> State {
        let memory = |slot| {
            // The third slot holds the slow weights, which begin with the others.
            numbers.iter().map(|n| if slot == 2 { n.clone() } else { vec![0.0; n.len()] }).collect()
        };
        State { steps: 0, slots: (0..slots).map(memory).collect(), numbers }
    }

    /// The bytes of a checkpoint.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.steps.to_le_bytes());
        let lists = || self.numbers.iter().chain(self.slots.iter().flatten());
        bytes.extend((lists().count() as u32).to_le_bytes());
        for list in lists() {
            bytes.extend((list.len() as u64).to_le_bytes());
            list.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let sum = Checksum::new().and_words(&bytes).value();
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The state in the bytes of a checkpoint of this network and optimiser.
    pub fn from_bytes(bytes: &[u8], layout: &Layout, slots: usize) -> Result<State, StateError> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(StateError::Foreign)?;
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(StateError::Damaged)?;
        if u64::from_le_bytes(*sum) != Checksum::new().and_words(content).value() {
            return Err(StateError::Damaged);
        }
        let mut rest = &body[..body.len() - 8];
        let steps = u64::from_le_bytes(take(&mut rest)?);
        let found = u32::from_le_bytes(take(&mut rest)?) as usize;
        let expected = (1 + slots) * layout.tensors.len();
        if found != expected {
            return Err(StateError::Lists { found, expected });
        }
        let mut lists = Vec::new();
        for number in 0..found {
            let tensor = &layout.tensors[number % layout.tensors.len()];
            let len = u64::from_le_bytes(take(&mut rest)?) as usize;
            if len != tensor.len {
                return Err(StateError::Length {
                    what: tensor.name.clone(),
                    found: len,
                    expected: tensor.len,
                });
            }
            let (list, after) = rest.split_at_checked(4 * len).ok_or(StateError::Damaged)?;
            rest = after;
            lists.push(list.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect());
        }
        let mut lists = lists.into_iter();
        let mut next = || lists.by_ref().take(layout.tensors.len()).collect();
        Ok(State { steps, numbers: next(), slots: (0..slots).map(|_| next()).collect() })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], StateError> {
    let (taken, after) = rest.split_first_chunk().ok_or(StateError::Damaged)?;
    *rest = after;
    Ok(*taken)
}

#[cfg(test)]
mod tests {
    use features::chess::FeatureSet;
    use nnue::Arch;

    use super::*;

    fn layout(width: usize) -> Layout {
        let features = FeatureSet::parse("File × Role").unwrap();
        let arch = Arch { width, hidden: vec![4], ..Arch::seed(features.size()) };
        Layout::new(features, arch, false).unwrap()
    }

    #[test]
    fn bytes_come_back() {
        let layout = layout(128);
        let mut state = State::start(&layout, 2, 7);
        state.steps = 12;
        state.slots[1][0][3] = -0.5;
        let bytes = state.to_bytes();
        assert_eq!(State::from_bytes(&bytes, &layout, 2).unwrap(), state);
    }

    #[test]
    fn damage_and_strangers_are_refused() {
        let state = State::start(&layout(128), 2, 7);
        let mut bytes = state.to_bytes();
        assert_eq!(
            State::from_bytes(&bytes, &layout(256), 2).unwrap_err().to_string(),
            "the checkpoint has 6144 numbers for feature weights, expected 12288 as in the configuration"
        );
        assert_eq!(
            State::from_bytes(&bytes, &layout(128), 1),
            Err(StateError::Lists { found: 18, expected: 12 })
        );
        assert_eq!(State::from_bytes(&bytes[1..], &layout(128), 2), Err(StateError::Foreign));
        assert_eq!(State::from_bytes(&bytes[..500], &layout(128), 2), Err(StateError::Damaged));
        bytes[300] ^= 1;
        assert_eq!(State::from_bytes(&bytes, &layout(128), 2), Err(StateError::Damaged));
    }
}
