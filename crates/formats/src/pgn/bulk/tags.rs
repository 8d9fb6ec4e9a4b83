// SPDX-License-Identifier: GPL-3.0-or-later
//! The tags of a game: the numbers read, the rest kept as one text.

use rules::Outcome;

use super::super::parse_result;

/// Longer tags are cut off: nobody asks for them.
const LONGEST_TAGS: usize = 1 << 16;

/// The tags of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkTags {
    /// `WhiteElo`, if it is a number above 0.
    pub white_rating: Option<u16>,
    /// `BlackElo`, if it is a number above 0.
    pub black_rating: Option<u16>,
    /// What `Result` says; nothing for an unfinished game.
    pub outcome: Option<Outcome>,
    /// What `TimeControl` says.
    pub time_control: Option<TimeControl>,
    /// Names and values one after the other.
    text: String,
    /// Where each name and each value ends in the text.
    ends: Vec<(u32, u32)>,
}

/// Seconds at the beginning, and seconds added per move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Seconds at the beginning, or for the first period.
    pub base: u32,
    /// Seconds added after each move.
    pub increment: u32,
}

impl TimeControl {
    /// Reads `180+2`, `180` or `40/7200:3600`, of which the first period counts; `-` and `?` are none.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let first = text.split(':').next()?;
        let time = first.split_once('/').map_or(first, |(_, time)| time);
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(TimeControl { base: base.trim().parse().ok()?, increment: increment.trim().parse().ok()? })
    }
}

impl BulkTags {
    /// The value of a tag; the last one if it is there twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().filter(|(other, _)| *other == name).last().map(|(_, value)| value)
    }

    /// All tags, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut begin = 0;
        self.ends.iter().map(move |&(name_end, value_end)| {
            let (name_end, value_end) = (name_end as usize, value_end as usize);
            let pair = (&self.text[begin..name_end], &self.text[name_end..value_end]);
            begin = value_end;
            pair
        })
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        let (mut text, mut ends) = (std::mem::take(&mut self.text), std::mem::take(&mut self.ends));
        text.clear();
        ends.clear();
        *self = BulkTags { text, ends, ..BulkTags::default() };
    }

    /// Adds a tag.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        if self.text.len() + name.len() + value.len() > LONGEST_TAGS {
            return;
        }
        match name {
            "WhiteElo" => self.white_rating = rating(value),
            "BlackElo" => self.black_rating = rating(value),
            "Result" => self.outcome = parse_result(value).flatten(),
            "TimeControl" => self.time_control = TimeControl::parse(value),
            _ => {}
        }
        self.text.push_str(name);
        let name_end = self.text.len() as u32;
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len() as u32));
    }
}

fn rating(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&rating| rating > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_kept_and_numbers_read() {
        let mut tags = BulkTags::default();
        for (name, value) in [("WhiteElo", "1700"), ("BlackElo", "?"), ("Empty", ""), ("Result", "1/2-1/2")] {
            tags.push(name, value);
        }
        tags.push("WhiteElo", "1800");
        assert_eq!((tags.white_rating, tags.black_rating), (Some(1800), None));
        assert_eq!(tags.outcome, Some(Outcome::Draw));
        assert_eq!((tags.get("WhiteElo"), tags.get("Empty"), tags.get("X")), (Some("1800"), Some(""), None));
        assert_eq!(tags.iter().count(), 5);
        tags.clear();
        assert_eq!(tags, BulkTags::default());
    }

    #[test]
    fn time_controls() {
        let read = |text| TimeControl::parse(text).map(|control| (control.base, control.increment));
        assert_eq!(read("180+2"), Some((180, 2)));
        assert_eq!(read("600"), Some((600, 0)));
        assert_eq!(read("40/7200:3600"), Some((7200, 0)));
        assert_eq!(read("40/5400+30:1800+30"), Some((5400, 30)));
        assert_eq!((read("-"), read("?"), read(""), read("1+-2")), (None, None, None, None));
    }
}
