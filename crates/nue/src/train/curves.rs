// SPDX-License-Identifier: GPL-3.0-or-later
//! `loss.svg`: the loss of a run over the positions it has seen, and below it the Elo of its games.

use std::{ops::Range, path::Path};

use plot::{
    Canvas, Drawn, PlotError,
    plotters::{
        prelude::{ChartBuilder, Circle, LineSeries, PathElement, Text},
        style::{Color, RGBColor, TRANSPARENT},
    },
    style::{self, FAINT_INK, GRID, PALETTE},
};
use trainer::run::{Entry, Folder, Rating, read_log};

const WIDTH: u32 = 760;
const LOSS_HEIGHT: u32 = 430;
const ELO_HEIGHT: u32 = 260;

/// Draws the curves of a run into its folder.
pub(crate) fn draw(folder: &Folder, name: &str) -> anyhow::Result<()> {
    Ok(picture(&folder.path().join("loss.svg"), name, &read_log(folder)?)?)
}

fn picture(path: &Path, name: &str, entries: &[Entry]) -> Result<(), PlotError> {
    let matches: Vec<(f64, Rating)> =
        entries.iter().filter_map(|entry| Some((millions(entry), entry.elo?))).collect();
    let height = LOSS_HEIGHT + if matches.is_empty() { 0 } else { ELO_HEIGHT };
    plot::draw(path, (WIDTH, height), |canvas| {
        let (upper, lower) = canvas.split_vertically(LOSS_HEIGHT);
        let end = entries.last().map_or(1.0, millions);
        losses(&upper, name, entries, end)?;
        if matches.is_empty() { Ok(()) } else { elo(&lower, &matches, end) }
    })
}

fn millions(entry: &Entry) -> f64 {
    entry.positions as f64 / 1e6
}

fn losses(canvas: &Canvas<'_>, name: &str, entries: &[Entry], end: f64) -> Drawn {
    let point = |entry: &Entry, loss: f64| (millions(entry), loss);
    let training: Vec<(f64, f64)> = entries.iter().map(|entry| point(entry, entry.loss)).collect();
    let validation: Vec<(f64, f64)> =
        entries.iter().filter_map(|entry| entry.validation.map(|loss| point(entry, loss))).collect();
    let last = |course: &[(f64, f64)]| course.last().map_or_else(String::new, |at| format!("{:.6}", at.1));
    canvas.draw(&Text::new(name.to_owned(), (20, 14), style::bold(17.0)))?;
    let labels = [("training loss", &training, PALETTE[0]), ("held-out loss", &validation, PALETTE[1])];
    let mut left = 20;
    for (label, course, color) in labels.iter().filter(|(_, course, _)| !course.is_empty()) {
        let text = format!("{label} {}", last(course));
        canvas.draw(&Text::new(text, (left, 38), style::text(12.0).color(color)))?;
        left += 200;
    }
    let shown = range(training.iter().chain(&validation).map(|at| at.1));
    let lines = labels.map(|(_, course, color)| (course.as_slice(), color));
    axes(
        canvas,
        62,
        0.0..end,
        shown,
        |loss| format!("{loss:.4}"),
        |chart| {
            for (course, color) in lines {
                chart.draw_series(LineSeries::new(course.iter().copied(), style::line(color, 2)))?;
            }
            Ok(())
        },
    )
}

fn elo(canvas: &Canvas<'_>, matches: &[(f64, Rating)], end: f64) -> Drawn {
    let color = PALETTE[2];
    let last = matches.last().map_or_else(String::new, |(_, rating)| rating.to_string());
    let title = format!("Elo above the reference, 95 % intervals: {last}");
    canvas.draw(&Text::new(title, (20, 8), style::text(12.0).color(&color)))?;
    let ends = |rating: &Rating| {
        let error = rating.error.unwrap_or(0.0);
        [rating.elo - error, rating.elo + error]
    };
    let shown = whole_range(matches.iter().flat_map(|(_, rating)| ends(rating)).chain([0.0]));
    axes(canvas, 32, 0.0..end, shown, style::number, |chart| {
        let course = matches.iter().map(|&(at, rating)| (at, rating.elo));
        chart.draw_series(LineSeries::new(course, style::line(color, 2)))?;
        for (at, rating) in matches {
            let [low, high] = ends(rating);
            chart.draw_series([PathElement::new(vec![(*at, low), (*at, high)], style::line(color, 1))])?;
            chart.draw_series([Circle::new((*at, rating.elo), 3, RGBColor::filled(&color))])?;
        }
        Ok(())
    })
}

/// What charts are drawn on.
type Chart<'a, 'b> = plot::plotters::chart::ChartContext<
    'a,
    plot::Backend<'b>,
    plot::plotters::coord::cartesian::Cartesian2d<
        plot::plotters::coord::types::RangedCoordf64,
        plot::plotters::coord::types::RangedCoordf64,
    >,
>;

/// Axes over millions of positions, and on them whatever `content` draws.
fn axes<'b>(
    canvas: &Canvas<'b>,
    top: u32,
    across: Range<f64>,
    up: Range<f64>,
    label: fn(f64) -> String,
    content: impl FnOnce(&mut Chart<'_, 'b>) -> Drawn,
) -> Drawn {
    let mut chart = ChartBuilder::on(canvas)
        .margin_top(top)
        .margin_right(24)
        .margin_bottom(12)
        .margin_left(8)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT_INK)
        .label_style(style::faint(11.0))
        .x_desc("millions of positions")
        .axis_desc_style(style::faint(11.0))
        .x_label_formatter(&|value| style::number(*value))
        .y_label_formatter(&|value| label(*value))
        .draw()?;
    content(&mut chart)
}

/// What the vertical axis covers: everything but a first round that dwarfs the rest.
fn range(losses: impl Iterator<Item = f64>) -> Range<f64> {
    let mut sorted: Vec<f64> = losses.filter(|loss| loss.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.truncate(1 + sorted.len().saturating_sub(1) * 97 / 100);
    whole_range(sorted.into_iter())
}

/// All values and some air.
fn whole_range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let ends = values.fold(None, |ends: Option<(f64, f64)>, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    });
    let Some((low, high)) = ends else { return 0.0..1.0 };
    let air = 0.08 * (high - low).max(1e-6);
    low - air..high + air
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_picture_show_losses_and_elo() {
        let entry = |round: u64| Entry {
            round,
            steps: 100 * round,
            positions: 1_000_000 * round,
            loss: 0.01 + 0.02 / round as f64,
            validation: Some(0.012 + 0.02 / round as f64),
            rate: 0.001,
            lambda: 1.0,
            seconds: round as f64,
            speed: 1e6,
            elo: round
                .is_multiple_of(5)
                .then_some(Rating { elo: 9.0 * round as f64 - 80.0, error: Some(31.0) }),
        };
        let entries: Vec<Entry> = (1..=20).map(entry).collect();
        let path =
            |ending: &str| std::env::temp_dir().join(format!("nue-curves-{}.{ending}", std::process::id()));
        picture(&path("svg"), "toy", &entries).unwrap();
        let svg = std::fs::read_to_string(path("svg")).unwrap();
        for text in ["toy", "held-out loss 0.013000", "Elo above the reference", "+100.0 ± 31.0"] {
            assert!(svg.contains(text), "{text}");
        }
        picture(&path("png"), "toy", &entries).unwrap();
        assert!(std::fs::metadata(path("png")).unwrap().len() > 10_000);
        for ending in ["svg", "png"] {
            std::fs::remove_file(path(ending)).unwrap();
        }
    }

    #[test]
    fn a_first_round_that_dwarfs_the_rest_is_cut_off() {
        let losses = std::iter::once(9.0).chain((0..99).map(|n| 1.0 + f64::from(n) / 100.0));
        let shown = range(losses);
        assert!(shown.start < 1.0 && shown.start > 0.8 && shown.end < 2.5, "{shown:?}");
        assert_eq!(range(std::iter::empty()), 0.0..1.0);
    }
}
