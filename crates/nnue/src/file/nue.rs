// SPDX-License-Identifier: GPL-3.0-or-later
//! Our own format: what the network is, in words, then its weights.
//!
//! ```text
//! 8 bytes    "NueNet1\n"
//! 4 bytes    length of the text, little-endian
//! text       lines `name: value` in a fixed order, `twofold` and `hand-crafted` only where they apply; the last,
//!            `run`, goes on to the end
//! weights    little-endian: accumulator bias and rows (16 bits), direct weights (32 bits), then for each
//!            bucket and layer biases (32 bits) and weights (8 bits; 16 where the output follows the accumulator)
//! ```

use features::chess::FeatureSet;
use rules::Checksum;

use super::{
    MAX_HEADER,
    reader::{Reader, Writer},
};
use crate::{Activation, Arch, Net, NetError, Scales, Weights};

/// How files of the format begin.
pub(super) const MAGIC: [u8; 8] = *b"NueNet1\n";

/// The line about the hand-crafted evaluation.
const HAND_CRAFTED: &str = "hand-crafted";
/// The line about a first hidden layer that is taken twofold.
const TWOFOLD: &str = "twofold";

pub(super) fn write(net: &Net) -> Result<Vec<u8>, NetError> {
    let weights = weight_bytes(net);
    let text = header(net, Checksum::of(&weights));
    if text.len() as u64 > MAX_HEADER {
        return Err(NetError::HeaderLength(text.len() as u64));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(weights);
    Ok(bytes)
}

pub(super) fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let mut reader = Reader::new(bytes);
    reader.take(MAGIC.len(), "its first bytes")?;
    let length = reader.u32("the length of its header")?;
    if u64::from(length) > MAX_HEADER {
        return Err(NetError::HeaderLength(length.into()));
    }
    let text = reader.take(length as usize, "its header")?;
    let mut lines = Lines { rest: std::str::from_utf8(text).map_err(|_| NetError::HeaderText)? };

    let features = lines.next("features")?;
    let arch = arch(&mut lines)?;
    let expected = lines.parsed("checksum", "16 hexadecimal digits", |text| {
        u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16)
    })?;
    let run = lines.last("run")?;

    // Everything that is quick to compare comes before everything that takes time or memory.
    arch.check()?;
    let found = reader.rest().len() as u64;
    if found != arch.bytes() {
        let header = bytes.len() as u64 - found;
        return Err(NetError::Length { found: bytes.len() as u64, expected: header + arch.bytes() });
    }
    let found = Checksum::of(reader.rest());
    if found != expected {
        return Err(NetError::Checksum { found, expected });
    }
    let features = FeatureSet::parse(features).map_err(|error| NetError::Features(error.to_string()))?;
    let weights = weights(&mut reader, &arch)?;
    Ok(Net { features, arch, run: run.to_owned(), weights })
}

fn header(net: &Net, checksum: u64) -> String {
    let Arch {
        inputs,
        width,
        activation,
        hidden,
        hidden_activation,
        twofold,
        buckets,
        psqt,
        hand_crafted,
        scales,
    } = &net.arch;
    let hidden: String = hidden.iter().map(|neurons| format!("{neurons} ")).collect();
    // Left out where there is nothing of it: most networks have plain layers and judge alone.
    let twofold = if *twofold { format!("{TWOFOLD}: yes\n") } else { String::new() };
    let beside = if *hand_crafted > 0 { format!("{HAND_CRAFTED}: {hand_crafted}\n") } else { String::new() };
    let Scales { input, hidden: scale, output, pawn } = scales;
    format!(
        "features: {features}\ninputs: {inputs}\nwidth: {width}\nactivation: {activation}\n\
         hidden: {hidden}{hidden_activation}\n{twofold}buckets: {buckets}\npsqt: {psqt}\n{beside}\
         scales: {input} {scale} {output} {pawn}\nchecksum: {checksum:016x}\nrun: {run}\n",
        features = net.features,
        psqt = if *psqt { "yes" } else { "no" },
        run = net.run,
    )
}

fn arch(lines: &mut Lines<'_>) -> Result<Arch, NetError> {
    let inputs = lines.number("inputs")?;
    let width = lines.number("width")?;
    let activation = lines.parsed("activation", "clipped, squared or pairwise", activation_of)?;
    let (hidden, hidden_activation) =
        lines.parsed("hidden", "numbers of neurons, then clipped or squared", |text| {
            let mut words: Vec<&str> = text.split(' ').collect();
            let activation = activation_of(words.pop()?)?;
            let sizes = words.into_iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
            Some((sizes, activation))
        })?;
    let twofold = match lines.follows(TWOFOLD) {
        true => lines.parsed(TWOFOLD, "yes", |text| (text == "yes").then_some(true))?,
        false => false,
    };
    let buckets = lines.number("buckets")?;
    let psqt = lines.parsed("psqt", "yes or no", |text| match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    })?;
    let hand_crafted = match lines.follows(HAND_CRAFTED) {
        true => lines.parsed(HAND_CRAFTED, "a number of percent from 1", |text| {
            text.parse().ok().filter(|&percent| percent > 0)
        })?,
        false => 0,
    };
    let scales = lines.parsed("scales", "four numbers: input, hidden, output, pawn", |text| {
        let mut words = text.split(' ');
        let scales = Scales {
            input: words.next()?.parse().ok()?,
            hidden: words.next()?.parse().ok()?,
            output: words.next()?.parse().ok()?,
            pawn: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(scales)
    })?;
    Ok(Arch {
        inputs,
        width,
        activation,
        hidden,
        hidden_activation,
        twofold,
        buckets,
        psqt,
        hand_crafted,
        scales,
    })
}

fn activation_of(text: &str) -> Option<Activation> {
    Activation::ALL.into_iter().find(|activation| activation.to_string() == text)
}

/// The lines of a header, to be taken in their order.
struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Lines<'a> {
    /// Whether the next line has this name.
    fn follows(&self, name: &str) -> bool {
        self.rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))
    }

    /// The value of the next line, which must have this name.
    fn next(&mut self, name: &'static str) -> Result<&'a str, NetError> {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let value = line.strip_prefix(name).and_then(|line| line.strip_prefix(": "));
        let value = value.ok_or_else(|| NetError::HeaderLine { expected: name, found: shortened(line) })?;
        self.rest = rest;
        Ok(value)
    }

    /// Everything from the value of the next line on.
    fn last(&mut self, name: &'static str) -> Result<&'a str, NetError> {
        let all = self.rest;
        self.next(name)?;
        let value = &all[name.len() + 2..];
        Ok(value.strip_suffix('\n').unwrap_or(value))
    }

    fn parsed<T>(
        &mut self,
        name: &'static str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, NetError> {
        let text = self.next(name)?;
        parse(text).ok_or_else(|| NetError::HeaderValue { name, found: shortened(text), expected })
    }

    fn number(&mut self, name: &'static str) -> Result<usize, NetError> {
        self.parsed(name, "a number", |text| text.parse().ok())
    }
}

/// The start of a text from a file that may be anything.
fn shortened(text: &str) -> String {
    text.chars().take(40).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

pub(super) fn weight_bytes(net: &Net) -> Vec<u8> {
    let Weights { bias, rows, psqt, heads } = &net.weights;
    let mut bytes = Vec::with_capacity(net.arch.bytes() as usize);
    bytes.i16s(bias);
    bytes.i16s(rows);
    bytes.i32s(psqt);
    heads.iter().for_each(|head| bytes.head(&net.arch, head));
    bytes
}

fn weights(reader: &mut Reader<'_>, arch: &Arch) -> Result<Weights, NetError> {
    Ok(Weights {
        bias: reader.i16s(arch.width, "the accumulator's bias")?,
        rows: reader.i16s(arch.inputs * arch.width, "the table of features")?,
        psqt: reader.i32s(if arch.psqt { arch.inputs * arch.buckets } else { 0 }, "the direct weights")?,
        heads: (0..arch.buckets).map(|_| reader.head(arch)).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_several_lines_survives() {
        let mut lines = Lines { rest: "a: 1\nrun: first\nsecond: x\n\n" };
        assert_eq!(lines.next("a").expect("the first line"), "1");
        assert_eq!(lines.last("run").expect("the rest"), "first\nsecond: x\n");
    }
}
