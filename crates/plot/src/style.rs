// SPDX-License-Identifier: GPL-3.0-or-later
//! One style for all pictures: few colours, told apart by everybody, and letters that can be read.

use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// Colours for what is compared, in this order. Okabe and Ito chose them so that people with every kind of
/// colour vision can tell them apart (Color Universal Design, 2008); their yellow is too faint on white.
pub const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Letters and axes.
pub const INK: RGBColor = RGBColor(40, 40, 40);

/// Letters of less weight.
pub const FAINT_INK: RGBColor = RGBColor(110, 110, 110);

/// Lines that help the eye and are not looked at.
pub const GRID: RGBColor = RGBColor(226, 226, 226);

/// The generic family: a viewer of SVG takes its own letters, PNG those built in.
const FAMILY: &str = "sans-serif";

/// `plotters` takes the height of a line for the size of a font and divides it by this for SVG.
const LINE_HEIGHT: f64 = 1.24;

/// Letters of a size in points.
pub fn text(size: f64) -> TextStyle<'static> {
    (FAMILY, size * LINE_HEIGHT).into_font().color(&INK)
}

/// Bold letters, for titles.
pub fn bold(size: f64) -> TextStyle<'static> {
    (FAMILY, size * LINE_HEIGHT).into_font().style(FontStyle::Bold).color(&INK)
}

/// Letters that stay in the background.
pub fn faint(size: f64) -> TextStyle<'static> {
    (FAMILY, size * LINE_HEIGHT).into_font().color(&FAINT_INK)
}

/// A line of a colour and a width in points.
pub fn line(color: RGBColor, width: u32) -> ShapeStyle {
    color.stroke_width(width)
}

/// A number as short as it can be read: `-1,234.5` is `−1234.5`, and `3.00` is `3`.
pub fn number(value: f64) -> String {
    let rounded = format!("{value:.3}");
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    match short.strip_prefix('-') {
        Some("0") => "0".to_owned(),
        Some(positive) => format!("\u{2212}{positive}"),
        None => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [(3.0, "3"), (-1234.5, "−1234.5"), (0.1 + 0.2, "0.3"), (-0.0001, "0"), (1200.0, "1200")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }
}
