// SPDX-License-Identifier: GPL-3.0-or-later
//! Pictures of both kinds, as they lie on disk.

use std::{
    fs,
    path::{Path, PathBuf},
};

use plot::{
    Canvas, Drawn, PIXELS_PER_POINT, draw,
    plotters::prelude::{Circle, Text},
    style,
};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn words(canvas: &Canvas<'_>) -> Drawn {
    canvas.draw(&Text::new("Elo <over> games", (20, 20), style::bold(16.0)))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

#[test]
fn an_svg_holds_its_words() {
    let folder = folder("svg");
    let path = folder.join("plot.svg");
    draw(&path, (300, 100), words).unwrap();
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg width=\"300\" height=\"100\""), "{svg}");
    assert!(svg.contains("Elo &lt;over&gt; games") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(names(&folder), ["plot.svg"]);
}

#[test]
fn a_png_has_its_size_and_letters() {
    let folder = folder("png");
    let png = |name: &str, drawing: fn(&Canvas<'_>) -> Drawn| {
        draw(&folder.join(name), (300, 100), drawing).unwrap();
        fs::read(folder.join(name)).unwrap()
    };
    let (empty, words) = (png("empty.png", |_| Ok(())), png("words.png", words));
    let circle = png("circle.png", |canvas| {
        canvas.draw(&Circle::new((150, 50), 30, style::line(style::PALETTE[0], 2)))
    });
    for bytes in [&empty, &words, &circle] {
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([side(16), side(20)], [300 * PIXELS_PER_POINT, 100 * PIXELS_PER_POINT]);
    }
    // Letters are drawn without any font on the machine: they cost more bytes than nothing.
    assert!(words.len() > empty.len() + 500, "{} {}", words.len(), empty.len());
    assert!(circle.len() > empty.len());
}

#[test]
fn what_cannot_be_written_is_told_and_leaves_nothing() {
    let folder = folder("refused");
    let error = draw(&folder.join("plot.pdf"), (300, 100), words).unwrap_err().to_string();
    assert!(error.ends_with("plot.pdf, expected a name that ends in .svg or .png"), "{error}");
    let error = draw(&folder.join("none/plot.svg"), (300, 100), words).unwrap_err().to_string();
    assert!(error.contains("none/plot.svg: "), "{error}");
    assert!(names(&folder).is_empty());
}
