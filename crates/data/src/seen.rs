// SPDX-License-Identifier: GPL-3.0-or-later
//! Keys seen before, in memory of a fixed size.
//!
//! A key is remembered as 32 bits in one of many buckets of sixteen. As long as the keys fit, every repetition is
//! found; when a bucket is full, it forgets the key it has known longest. Two different keys are taken for one
//! with a chance of sixteen in 2³², so that of a hundred million positions fewer than one is lost by mistake.

/// Keys that share a bucket: as many as a cache line holds.
const BUCKET: usize = 16;

/// A set of keys that never grows.
pub struct Seen {
    buckets: Vec<[u32; BUCKET]>,
}

impl Seen {
    /// An empty set of so many mebibytes, which hold a quarter of a million keys each.
    pub fn new(megabytes: usize) -> Seen {
        let buckets = (megabytes.max(1) << 20) / size_of::<[u32; BUCKET]>();
        Seen { buckets: vec![[0; BUCKET]; buckets] }
    }

    /// Remembers a key; tells whether it is new.
    pub fn insert(&mut self, key: u64) -> bool {
        // The upper bits choose the bucket, the lower ones are kept; 0 stands for an empty place.
        let bucket = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        let mark = (key as u32).max(1);
        let bucket = &mut self.buckets[bucket];
        if bucket.contains(&mark) {
            return false;
        }
        bucket.copy_within(..BUCKET - 1, 1);
        bucket[0] = mark;
        true
    }
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::*;

    #[test]
    fn what_fits_is_remembered() {
        let mut seen = Seen::new(1);
        let keys = || {
            let mut random = Random::new(7);
            (0..100_000).map(move |_| random.bits())
        };
        assert!(keys().all(|key| seen.insert(key)));
        let again = keys().filter(|&key| seen.insert(key)).count();
        assert!(again < 100, "{again} of 100,000 were forgotten");
    }

    #[test]
    fn the_oldest_keys_of_a_full_set_are_forgotten_first() {
        let mut seen = Seen::new(1);
        let mut random = Random::new(7);
        let keys: Vec<u64> = (0..1_000_000).map(|_| random.bits()).collect();
        let taken = keys.iter().filter(|&&key| seen.insert(key)).count();
        assert!(taken >= 999_990, "only {taken} of a million different keys were new");
        assert!(keys[990_000..].iter().all(|&key| !seen.insert(key)), "the newest are known");
        assert!(keys[..1000].iter().filter(|&&key| seen.insert(key)).count() > 990, "the oldest are not");
    }

    #[test]
    fn zero_is_a_key_like_any_other() {
        let mut seen = Seen::new(1);
        assert!(seen.insert(0) && !seen.insert(0));
    }
}
