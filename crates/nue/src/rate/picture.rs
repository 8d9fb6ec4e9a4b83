// SPDX-License-Identifier: GPL-3.0-or-later
//! The pictures of `nue rate`: a ranking, or the progress of versions.

use std::{ops::Range, path::Path};

use anyhow::ensure;
use plot::{
    Canvas, Drawn,
    plotters::{
        element::DashedPathElement,
        prelude::*,
        style::text_anchor::{HPos, Pos, VPos},
    },
    style,
};

use super::{natural_order, report::Report};

/// What a picture shows.
#[derive(Copy, Clone)]
pub(crate) enum Style<'a> {
    /// Everybody from the best to the worst.
    Ranking,
    /// Those whose names begin so, in the order of their names; everybody else is a level.
    Versions(&'a str),
}

/// A player as drawn.
struct Mark<'a> {
    label: &'a str,
    rating: f64,
    /// Nothing for the anchor, who is where the scale says.
    error: f64,
}

impl Mark<'_> {
    fn interval(&self) -> [f64; 2] {
        [self.rating - self.error, self.rating + self.error]
    }

    /// `+123 ± 12`, without an error only the rating.
    fn number(&self) -> String {
        let rating = style::number(self.rating.round());
        if self.error > 0.0 { format!("{rating} ± {:.0}", self.error) } else { rating }
    }
}

/// Draws the ratings and writes the file.
pub(crate) fn draw(
    path: &Path,
    title: Option<&str>,
    style: Style<'_>,
    report: &Report<'_>,
) -> anyhow::Result<()> {
    let mark = |player: usize| {
        let rating = report.ratings.standings[player].rating()?;
        let error = report.errors.ratings[player].unwrap_or(0.0);
        Some(Mark { label: &report.tournament.names[player], rating, error })
    };
    let marks: Vec<Mark<'_>> = report.ranking().into_iter().filter_map(mark).collect();
    ensure!(!marks.is_empty(), "nobody has a rating, so there is nothing to plot");
    let subtitle = format!("{} games, 95 % intervals", report.tournament.games.count());
    match style {
        Style::Ranking => {
            let size = (960, 110 + 30 * marks.len() as u32);
            plot::draw(path, size, |canvas| ranking(canvas, title.unwrap_or("Ratings"), &subtitle, &marks))?;
        }
        Style::Versions(prefix) => {
            let (mut versions, levels): (Vec<_>, Vec<_>) =
                marks.into_iter().partition(|mark| mark.label.starts_with(prefix));
            versions.sort_by(|a, b| natural_order::compare(a.label, b.label));
            ensure!(
                !versions.is_empty(),
                "no rated player's name begins with '{prefix}', expected versions to plot"
            );
            let progress = Progress { prefix, versions: &versions, levels: &levels };
            plot::draw(path, (960, 560), |canvas| {
                progress.draw(canvas, title.unwrap_or("Progress"), &subtitle)
            })?;
        }
    }
    Ok(())
}

/// Writes the headline and returns what is left of the canvas.
fn headed<'a>(
    canvas: &Canvas<'a>,
    title: &str,
    subtitle: &str,
) -> Result<Canvas<'a>, DrawingAreaErrorKind<std::io::Error>> {
    canvas.draw(&Text::new(title.to_owned(), (24, 16), style::bold(20.0)))?;
    canvas.draw(&Text::new(subtitle.to_owned(), (24, 42), style::faint(13.0)))?;
    Ok(canvas.margin(66, 10, 0, 0))
}

/// Rows of names, points with error bars, and numbers.
fn ranking(canvas: &Canvas<'_>, title: &str, subtitle: &str, marks: &[Mark<'_>]) -> Drawn {
    let below = headed(canvas, title, subtitle)?;
    let scale = scale(marks.iter());
    let mut chart = ChartBuilder::on(&below)
        .set_label_area_size(LabelAreaPosition::Left, label_width(marks.iter().map(|mark| mark.label)))
        .set_label_area_size(LabelAreaPosition::Bottom, 40)
        .margin_right(120)
        .build_cartesian_2d(scale.clone(), marks.len() as f64 - 0.5..-0.5)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_desc("Elo")
        .x_label_formatter(&|elo| style::number(*elo))
        .light_line_style(TRANSPARENT)
        .bold_line_style(style::GRID)
        .axis_style(style::GRID)
        .label_style(style::faint(13.0))
        .axis_desc_style(style::text(13.0))
        .draw()?;
    let names = style::text(14.0).pos(Pos::new(HPos::Right, VPos::Center));
    let numbers = style::text(14.0).pos(Pos::new(HPos::Left, VPos::Center));
    for (row, mark) in marks.iter().enumerate() {
        let y = row as f64;
        let [low, high] = mark.interval();
        let color = style::PALETTE[0];
        chart.draw_series([PathElement::new(vec![(low, y), (high, y)], style::line(color, 2))])?;
        chart.draw_series([Circle::new((mark.rating, y), 4, color.filled())])?;
        chart
            .draw_series([EmptyElement::at((scale.start, y))
                + Text::new(mark.label.to_owned(), (-12, 0), names.clone())])?;
        chart.draw_series([
            EmptyElement::at((scale.end, y)) + Text::new(mark.number(), (12, 0), numbers.clone())
        ])?;
    }
    Ok(())
}

/// Versions one after the other, and the levels of others.
struct Progress<'a> {
    prefix: &'a str,
    versions: &'a [Mark<'a>],
    levels: &'a [Mark<'a>],
}

impl Progress<'_> {
    fn draw(&self, canvas: &Canvas<'_>, title: &str, subtitle: &str) -> Drawn {
        let below = headed(canvas, title, subtitle)?;
        let last = self.versions.len() as f64 - 1.0;
        let right = label_width(self.levels.iter().map(|mark| mark.label)) + 70;
        let mut chart = ChartBuilder::on(&below)
            .margin_left(16)
            .set_label_area_size(LabelAreaPosition::Left, 70)
            .set_label_area_size(LabelAreaPosition::Bottom, 56)
            .margin_right(right)
            .build_cartesian_2d(-0.5..last + 0.5, scale(self.versions.iter().chain(self.levels)))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .y_desc("Elo")
            .y_label_formatter(&|elo| style::number(*elo))
            .light_line_style(TRANSPARENT)
            .bold_line_style(style::GRID)
            .axis_style(style::GRID)
            .label_style(style::faint(13.0))
            .axis_desc_style(style::text(13.0))
            .draw()?;
        let area = chart.plotting_area();

        let (top, bottom) = (area.get_y_range().end, area.get_y_range().start);
        let height = area.dim_in_pixel().1 as f64 / (top - bottom);
        let beside = style::faint(13.0).pos(Pos::new(HPos::Left, VPos::Center));
        let places = spread(self.levels.iter().map(|mark| (top - mark.rating) * height), 17.0);
        for (mark, place) in self.levels.iter().zip(places) {
            let ends = [(-0.5, mark.rating), (last + 0.5, mark.rating)];
            area.draw(&DashedPathElement::new(ends, 5, 4, style::line(style::FAINT_INK, 1)))?;
            let off = (place - (top - mark.rating) * height).round() as i32;
            let text = format!("{} {}", mark.label, mark.number());
            area.draw(
                &(EmptyElement::at((last + 0.5, mark.rating)) + Text::new(text, (10, off), beside.clone())),
            )?;
        }

        let color = style::PALETTE[0];
        let curve = self.versions.iter().enumerate().map(|(x, mark)| (x as f64, mark.rating));
        area.draw(&PathElement::new(curve.collect::<Vec<_>>(), style::line(color, 2)))?;
        let under = style::text(13.0).pos(Pos::new(HPos::Center, VPos::Top));
        let labels = self.versions.iter().map(|mark| &mark.label[self.prefix.len()..]);
        let widest = labels.clone().map(|label| label.chars().count()).max().unwrap_or(1) as f64;
        let room = area.dim_in_pixel().0 as f64 / self.versions.len() as f64;
        let every = ((8.0 * widest + 10.0) / room).ceil().max(1.0) as usize;
        for (index, (mark, label)) in self.versions.iter().zip(labels).enumerate() {
            let x = index as f64;
            let [low, high] = mark.interval();
            area.draw(&PathElement::new(vec![(x, low), (x, high)], style::line(color, 2)))?;
            area.draw(&Circle::new((x, mark.rating), 4, color.filled()))?;
            if index % every == 0 {
                area.draw(
                    &(EmptyElement::at((x, bottom)) + Text::new(label.to_owned(), (0, 8), under.clone())),
                )?;
            }
        }
        let axis = style::text(13.0).pos(Pos::new(HPos::Center, VPos::Top));
        let name = self.prefix.trim_end_matches(|c: char| !c.is_alphanumeric());
        let name = if name.is_empty() { "version" } else { name };
        area.draw(&(EmptyElement::at((last / 2.0, bottom)) + Text::new(name.to_owned(), (0, 30), axis)))
    }
}

/// What the axis of the ratings covers: everything and some air.
fn scale<'a>(marks: impl Iterator<Item = &'a Mark<'a>>) -> Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for [from, to] in marks.map(Mark::interval) {
        (low, high) = (low.min(from), high.max(to));
    }
    let air = ((high - low) * 0.05).max(5.0);
    low - air..high + air
}

/// Points that the longest label takes.
fn label_width<'a>(labels: impl Iterator<Item = &'a str>) -> u32 {
    24 + 8 * labels.map(|label| label.chars().count()).max().unwrap_or(0) as u32
}

/// Moves places in ascending order apart, so that labels of a height do not cover each other.
fn spread(places: impl Iterator<Item = f64>, apart: f64) -> Vec<f64> {
    let mut next = f64::NEG_INFINITY;
    places
        .map(|place| {
            let moved = place.max(next);
            next = moved + apart;
            moved
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        let places = spread([0.0, 5.0, 50.0, 52.0].into_iter(), 10.0);
        assert_eq!(places, [0.0, 10.0, 50.0, 60.0]);
    }

    #[test]
    fn the_scale_covers_all_intervals() {
        let marks = [(0.0, 10.0), (100.0, 20.0)].map(|(rating, error)| Mark { label: "", rating, error });
        let scale = scale(marks.iter());
        assert!(scale.start < -10.0 && scale.end > 120.0, "{scale:?}");
    }
}
