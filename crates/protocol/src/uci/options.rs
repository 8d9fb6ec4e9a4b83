// SPDX-License-Identifier: GPL-3.0-or-later
//! `option name … type …`: the settings an engine offers.

use std::fmt;

use super::{
    ParseReplyError,
    words::{Words, push_word},
};

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionOffer {
    /// Its name, of one or several words.
    pub name: String,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// What an option can be set to, and what it is set to at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value at the start.
        default: String,
        /// Every value, in the order of the offer.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text; an empty one is written `<empty>`.
    Text {
        /// The value at the start.
        default: String,
    },
}

/// How UCI writes a text of no characters.
const EMPTY: &str = "<empty>";

impl OptionOffer {
    pub(super) fn parse(mut words: Words<'_>) -> Result<OptionOffer, ParseReplyError> {
        match words.next() {
            Some("name") => {}
            found => return Err(ParseReplyError::expected("'name'", "option", found)),
        }
        let (name, _) = words.until("type");
        if name.is_empty() {
            return Err(ParseReplyError::expected("the name of an option", "option name", None));
        }
        let kind = match words.next() {
            Some("check") => parse_check(words)?,
            Some("spin") => parse_spin(words)?,
            Some("combo") => parse_combo(words),
            Some("button") => OptionKind::Button,
            Some("string") => parse_text(words),
            found => return Err(ParseReplyError::expected("a type of option", "type", found)),
        };
        Ok(OptionOffer { name, kind })
    }
}

fn parse_check(mut words: Words<'_>) -> Result<OptionKind, ParseReplyError> {
    match (words.next(), words.next()) {
        (Some("default"), Some("true")) => Ok(OptionKind::Check { default: true }),
        (Some("default"), Some("false")) | (None, _) => Ok(OptionKind::Check { default: false }),
        (Some("default"), found) => Err(ParseReplyError::expected("'true' or 'false'", "default", found)),
        (found, _) => Err(ParseReplyError::expected("'default'", "check", found)),
    }
}

fn parse_spin(mut words: Words<'_>) -> Result<OptionKind, ParseReplyError> {
    let (mut default, mut min, mut max) = (0, i64::MIN, i64::MAX);
    while let Some(word) = words.next() {
        match word {
            "default" => default = words.signed("default")?,
            "min" => min = words.signed("min")?,
            "max" => max = words.signed("max")?,
            _ => return Err(ParseReplyError::expected("'default', 'min' or 'max'", "spin", Some(word))),
        }
    }
    Ok(OptionKind::Spin { default, min, max })
}

fn parse_combo(words: Words<'_>) -> OptionKind {
    let mut default = String::new();
    let mut choices = Vec::new();
    let mut phrase = &mut default;
    for word in words {
        match word {
            "default" => phrase = &mut default,
            "var" => {
                choices.push(String::new());
                phrase = choices.last_mut().expect("a choice was just added");
            }
            _ => push_word(phrase, word),
        }
    }
    OptionKind::Combo { default, choices }
}

fn parse_text(mut words: Words<'_>) -> OptionKind {
    let default = match words.next() {
        Some("default") if words.rest() != EMPTY => words.rest().to_owned(),
        _ => String::new(),
    };
    OptionKind::Text { default }
}

impl fmt::Display for OptionOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}
