// SPDX-License-Identifier: GPL-3.0-or-later
//! Arrows and circles in comments: `[%csl Ge4,Rd5][%cal Ye2e4]`.

use rules::chess::Square;

use crate::message::{Brush, Shape};

/// A comment without its shapes, and the shapes.
pub(super) fn split_shapes(comment: &str) -> (String, Vec<Shape>) {
    let (mut text, mut shapes, mut rest) = (String::new(), Vec::new(), comment);
    while let Some(begin) = rest.find("[%c") {
        let Some(end) = rest[begin..].find(']').map(|end| begin + end) else { break };
        let (command, squares) = rest[begin + 1..end].split_once(' ').unwrap_or_default();
        text.push_str(&rest[..begin]);
        if matches!(command, "%csl" | "%cal") {
            shapes.extend(squares.split(',').filter_map(|shape| parse_shape(shape.trim())));
        } else {
            text.push_str(&rest[begin..=end]);
        }
        rest = &rest[end + 1..];
    }
    text.push_str(rest);
    shapes.truncate(64);
    (text.trim().to_owned(), shapes)
}

fn parse_shape(text: &str) -> Option<Shape> {
    let brush = match text.get(..1)? {
        "G" => Brush::Green,
        "R" => Brush::Red,
        "B" => Brush::Blue,
        "Y" => Brush::Yellow,
        _ => return None,
    };
    let square = |text: &str| text.parse::<Square>().ok().map(|square| square.to_string());
    let from = square(text.get(1..3)?)?;
    let to = match text.get(3..) {
        None | Some("") => None,
        Some(text) => Some(square(text)?),
    };
    Some(Shape { from, to, brush })
}

/// The shapes as commands of a comment.
pub(super) fn shapes_text(shapes: &[Shape]) -> String {
    let letter = |brush| match brush {
        Brush::Green => 'G',
        Brush::Red => 'R',
        Brush::Blue => 'B',
        Brush::Yellow => 'Y',
    };
    let list = |command: &str, arrows: bool| {
        let chosen = shapes.iter().filter(|shape| shape.to.is_some() == arrows);
        let texts: Vec<String> = chosen
            .map(|shape| {
                format!("{}{}{}", letter(shape.brush), shape.from, shape.to.as_deref().unwrap_or(""))
            })
            .collect();
        if texts.is_empty() { String::new() } else { format!("[%{command} {}]", texts.join(",")) }
    };
    list("csl", false) + &list("cal", true)
}
