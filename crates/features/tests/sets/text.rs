// SPDX-License-Identifier: GPL-3.0-or-later
//! Expressions as text: read, written, and refused.

use features::chess::{FeatureSet, sets::Expression};
use rules::Random;

use crate::{algebra::random_text, every_set};

fn parse(text: &str) -> Expression {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn what_is_written_is_read_back() {
    for set in every_set() {
        let again = FeatureSet::parse(&set.text()).expect("canonical text");
        assert_eq!((again.text(), again.size()), (set.text(), set.size()));
        assert_eq!(again, set);
    }
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let modifiers = random.pick(&["", ", mirror", ",rotate", ", fold a-d", ", FOLD e-h , Counted"]);
        let expression = parse(&format!("{}{modifiers}", random_text(&mut random, 4)));
        let written = expression.to_string();
        assert_eq!(parse(&written), expression, "{written}");
        assert_eq!(parse(&written).to_string(), written);
    }
}

#[test]
fn spellings_come_to_the_same() {
    let same = [
        ("HalfKP = King x (Square * Role5 × color)", "King × (Square × Role5 × Colour)"),
        ("  ((File))+rank ", "File ⊕ Rank"),
        ("File × Role + Rank", "File × Role ⊕ Rank"),
        ("(File + Rank) * (Own)", "(File ⊕ Rank) × Own"),
        ("role[QRBNP] x Role[kp] x Role[PNBRQK]", "Role5 × Role[PK] × Role"),
        ("King × Piece, mirror", "King × (Square × Role × Colour)"),
        ("Bucket[0,1,2,3 / 4 4 4 4/4 4 4 4], fold a-d", "Bucket[0 1 2 3/4 4 4 4], fold a-d"),
        (
            "HalfKAv2-hm ⊕ Piece",
            "King × (Role5 × Colour ⊕ Role[K]) × Square ⊕ Square × Role × Colour, fold e-h",
        ),
        ("File, counted, fold e-h, rotate, rotate", "File, rotate, fold e-h, counted"),
    ];
    for (text, canonical) in same {
        assert_eq!(parse(text).to_string(), canonical, "{text}");
    }
}

#[test]
fn refusals_say_where_and_what_was_expected() {
    let refused = [
        ("", "column 1: found the end, expected a set or '('"),
        ("King ×", "column 7: found the end, expected a set or '('"),
        ("King × (File", "column 13: found the end, expected '×', '⊕' or ')'"),
        ("King File", "column 6: found 'File', expected '×', '⊕', ',' or the end"),
        ("File)", "column 5: found ')', expected '×', '⊕', ',' or the end"),
        ("File % Rank", "column 6: found '%', expected a word, a sign or brackets"),
        (
            "File ⊕ Rook",
            "column 8: no set is called 'Rook', expected a basic set such as File, Role5 or King, \
             or a named one such as HalfKP",
        ),
        (
            "File, spin",
            "column 7: found 'spin', expected 'mirror', 'rotate', 'fold a-d', 'fold e-h' or 'counted'",
        ),
        ("File, fold b-c", "column 12: found 'b-c', expected 'a-d' or 'e-h' after 'fold'"),
        ("File, rotate, mirror", "column 15: 'mirror' contradicts 'rotate', expected one of them"),
        ("HalfKP-SF12, mirror", "column 14: 'mirror' contradicts 'rotate', expected one of them"),
        ("HalfKAv2-hm, fold a-d", "column 14: 'a-d' contradicts 'e-h', expected one of them"),
        ("Role[PX]", "column 7: 'X' is no role, expected some of P, N, B, R, Q and K"),
        ("Role[]", "column 5: found '[]', expected some of P, N, B, R, Q and K in them"),
        ("Role[P", "column 5: found '[', expected a ']' after it"),
        ("File[1]", "column 5: found '[1]', expected brackets only after Role or Bucket"),
        ("Bucket × File", "column 8: found '×', expected '[' and the map of king buckets"),
        ("Bucket[0 1 2 3]", "column 8: a rank of 4 king buckets, expected 8 without 'fold'"),
        (
            "Bucket[0 0 0 0 0 0 0 0], fold a-d",
            "column 8: a rank of 8 king buckets, expected 4 on a folded board",
        ),
        (
            "Bucket[0 1 2 3/4], fold a-d",
            "column 16: a rank of 1 king buckets, expected 8 (4 with 'fold') on each",
        ),
        ("Bucket[0 1 x 3]", "column 12: found 'x', expected a bucket from 0 to 63"),
        ("Bucket[0 1 2 4], fold a-d", "column 8: no square has king bucket 3, expected numbers without gaps"),
        (
            "Bucket[0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0], fold a-d",
            "column 8: 9 ranks of king buckets, expected at most 8",
        ),
        (
            "King × King × King × King × King",
            "'King × King × King × King × King' has too many features, expected at most 16777216",
        ),
    ];
    for (text, message) in refused {
        let error = FeatureSet::parse(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn monstrous_texts_are_refused_at_once() {
    let deep = format!("{}File{}", "(".repeat(1000), ")".repeat(1000));
    let message = FeatureSet::parse(&deep).expect_err("too deep").to_string();
    assert_eq!(message, "column 33: more than 32 parentheses inside each other, expected fewer");
    let long = "File+".repeat(1000);
    let message = FeatureSet::parse(&long).expect_err("too long").to_string();
    assert_eq!(message, "a text of 5000 bytes, expected at most 4096");
    let many = vec!["Own"; 65].join("+");
    let message = FeatureSet::parse(&many).expect_err("too many").to_string();
    assert!(message.ends_with("gives one piece 65 features, expected at most 64"), "{message}");
    // Nothing to enumerate, for all its branches.
    let hollow = format!("({many}) × ({many}) × ({many}) × Unused");
    assert_eq!(FeatureSet::parse(&hollow).expect("an empty set").max_rows(), 0);
    for text in ["King×".repeat(800), "Own×".repeat(700) + "Own"] {
        let _ = FeatureSet::parse(&text);
    }
}
