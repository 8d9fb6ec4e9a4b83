// SPDX-License-Identifier: GPL-3.0-or-later
//! The picture of `nue data stats`: histograms, king squares, and how often features are active.

use std::path::Path;

use data::stats::{Activity, PLY_STEP, Stats};
use plot::{
    Canvas, Drawn, PlotError,
    plotters::{
        prelude::{
            ChartBuilder, Color as _, EmptyElement, IntoLogRange, LabelAreaPosition, LineSeries, Rectangle,
            Text,
        },
        style::{
            RGBColor, TRANSPARENT,
            text_anchor::{HPos, Pos, VPos},
        },
    },
    style::{self, GRID, PALETTE},
};
use rules::Color;

/// The size of a chart with the space around it, in points.
const CELL: (u32, u32) = (380, 260);
const COLUMNS: u32 = 3;
const TITLE: u32 = 60;
const MARGIN: u32 = 16;
/// Points of a curve; more would lie on each other.
const CURVE_POINTS: usize = 200;

/// Draws everything and writes the file.
pub(crate) fn draw(path: &Path, stats: &Stats) -> Result<(), PlotError> {
    let rows = 2;
    let size = (COLUMNS * CELL.0 + 2 * MARGIN, rows * CELL.1 + TITLE + MARGIN);
    plot::draw(path, size, |canvas| {
        let counts = &stats.counts;
        canvas.draw(&Text::new("Positions", (MARGIN as i32 + 4, 14), style::bold(17.0)))?;
        let line = format!("{} positions, {} games", counts.positions, counts.games);
        canvas.draw(&Text::new(line, (MARGIN as i32 + 4, 37), style::faint(12.0)))?;
        let (_, charts) = canvas.split_vertically(TITLE);
        let charts = charts.margin(0, MARGIN, MARGIN, MARGIN);
        let cell = |place: u32| {
            charts.clone().shrink(((place % COLUMNS) * CELL.0, (place / COLUMNS) * CELL.1), CELL)
        };
        bars(&cell(0), "score for White, pawns", &stats.scores.0, |column| {
            f64::from(Stats::score_of(column)) / 100.0
        })?;
        bars(&cell(1), "half-moves", &stats.plies.0, |column| f64::from(column as u32 * PLY_STEP))?;
        bars(&cell(2), "pieces", &stats.pieces.0, |column| column as f64)?;
        for color in Color::ALL {
            kings(&cell(3 + color.index() as u32), color, &stats.kings[color.index()].0)?;
        }
        if stats.features.is_empty() { Ok(()) } else { curves(&cell(5), &stats.features) }
    })
}

/// A histogram in percent.
fn bars(cell: &Canvas<'_>, title: &str, columns: &[u64], place: impl Fn(usize) -> f64) -> Drawn {
    cell.draw(&Text::new(title.to_owned(), (8, 4), style::bold(12.0)))?;
    let total = columns.iter().sum::<u64>().max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / total;
    let most = columns.iter().copied().map(share).fold(0.0, f64::max).max(1e-9);
    let width = place(1) - place(0);
    let ends = place(0) - width / 2.0..place(columns.len() - 1) + width / 2.0;
    let mut chart = ChartBuilder::on(cell)
        .margin_top(26)
        .margin_right(14)
        .set_label_area_size(LabelAreaPosition::Left, 44)
        .set_label_area_size(LabelAreaPosition::Bottom, 26)
        .build_cartesian_2d(ends, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_label_formatter(&|value| style::number(*value))
        .y_label_formatter(&|value| format!("{} %", style::number(*value)))
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(style::faint(11.0))
        .x_labels(9)
        .y_labels(5)
        .draw()?;
    let bar = |(column, &count): (usize, &u64)| {
        let (middle, half) = (place(column), width * 0.45);
        Rectangle::new([(middle - half, 0.0), (middle + half, share(count))], PALETTE[0].filled())
    };
    chart.draw_series(columns.iter().enumerate().filter(|(_, count)| **count > 0).map(bar))?;
    Ok(())
}

/// The board with the king's squares, darker where it stands more often.
fn kings(cell: &Canvas<'_>, color: Color, squares: &[u64]) -> Drawn {
    let title = format!("{color} king, % by square as {color} sees the board");
    cell.draw(&Text::new(title, (8, 4), style::bold(12.0)))?;
    let total = squares.iter().sum::<u64>().max(1) as f64;
    let most = squares.iter().copied().max().unwrap_or(0).max(1) as f64;
    let side = 27;
    let centred = Pos::new(HPos::Center, VPos::Center);
    for (index, &count) in squares.iter().enumerate() {
        let (file, rank) = (index as i32 % 8, index as i32 / 8);
        let corner = (40 + file * side, 26 + (7 - rank) * side);
        // The root lets rare squares be told from those that never occur.
        let shade = (count as f64 / most).sqrt();
        let mixed = |ink: u8| (255.0 - (255.0 - f64::from(ink)) * shade) as u8;
        let RGBColor(red, green, blue) = PALETTE[0];
        let fill = RGBColor(mixed(red), mixed(green), mixed(blue));
        cell.draw(&Rectangle::new([corner, (corner.0 + side - 1, corner.1 + side - 1)], fill.filled()))?;
        cell.draw(&Rectangle::new([corner, (corner.0 + side, corner.1 + side)], style::line(GRID, 1)))?;
        let percent = 100.0 * count as f64 / total;
        if percent >= 0.95 {
            let ink = if shade > 0.6 { RGBColor(255, 255, 255) } else { style::INK };
            let letters = style::text(10.0).color(&ink).pos(centred);
            cell.draw(&Text::new(
                format!("{percent:.0}"),
                (corner.0 + side / 2, corner.1 + side / 2),
                letters,
            ))?;
        }
    }
    for number in 0..8 {
        let letters = style::faint(10.0).pos(centred);
        let file = char::from(b'a' + number as u8).to_string();
        cell.draw(&Text::new(file, (40 + number * side + side / 2, 26 + 8 * side + 9), letters.clone()))?;
        cell.draw(&Text::new((number + 1).to_string(), (30, 26 + (7 - number) * side + side / 2), letters))?;
    }
    Ok(())
}

/// How often features are active, the most frequent first, on two logarithmic scales.
fn curves(cell: &Canvas<'_>, activities: &[Activity]) -> Drawn {
    cell.draw(&Text::new("feature activity, % of views by rank", (8, 4), style::bold(12.0)))?;
    let largest = activities.iter().map(|activity| activity.hits.len()).max().unwrap_or(1).max(2);
    let least = 100.0 / activities.iter().map(|activity| activity.views).max().unwrap_or(1).max(10) as f64;
    let mut chart = ChartBuilder::on(cell)
        .margin_top(26)
        .margin_right(80)
        .set_label_area_size(LabelAreaPosition::Left, 56)
        .set_label_area_size(LabelAreaPosition::Bottom, 26)
        .build_cartesian_2d((1.0..largest as f64).log_scale(), (least..100.0).log_scale())?;
    chart
        .configure_mesh()
        .x_label_formatter(&|value| style::number(*value))
        .y_label_formatter(&|value| format!("{value:.0e}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(style::faint(11.0))
        .x_labels(6)
        .y_labels(5)
        .draw()?;
    for (number, activity) in activities.iter().enumerate() {
        let color = PALETTE[number % PALETTE.len()];
        let curve = curve(activity);
        let end = curve.last().copied();
        chart.draw_series(LineSeries::new(curve, style::line(color, 2)))?;
        if let Some(end) = end {
            let letters = style::text(11.0).color(&color).pos(Pos::new(HPos::Left, VPos::Center));
            chart.draw_series([EmptyElement::at(end) + Text::new(activity.name.clone(), (6, 0), letters)])?;
        }
    }
    Ok(())
}

/// Rank and percent of active features, at ranks that are evenly spaced on the scale.
fn curve(activity: &Activity) -> Vec<(f64, f64)> {
    let mut hits: Vec<u64> = activity.hits.iter().copied().filter(|&hits| hits > 0).collect();
    hits.sort_unstable_by(|a, b| b.cmp(a));
    let last = hits.len().max(1) as f64;
    let mut ranks: Vec<usize> = (0..=CURVE_POINTS)
        .map(|step| last.powf(step as f64 / CURVE_POINTS as f64).round() as usize)
        .filter(|&rank| (1..=hits.len()).contains(&rank))
        .collect();
    ranks.dedup();
    let percent = |rank: usize| 100.0 * hits[rank - 1] as f64 / activity.views.max(1) as f64;
    ranks.into_iter().map(|rank| (rank as f64, percent(rank))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_from_the_most_to_the_least_frequent() {
        let hits: Vec<u64> = (0..1000).map(|index| index * 7 % 13).collect();
        let activity = Activity { name: String::new(), views: 100, active: 0, hits };
        let curve = curve(&activity);
        assert_eq!((curve[0], curve[curve.len() - 1].1), ((1.0, 12.0), 1.0));
        assert!(curve.is_sorted_by(|a, b| a.0 < b.0 && a.1 >= b.1));
    }
}
