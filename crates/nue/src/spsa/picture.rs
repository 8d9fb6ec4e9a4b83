// SPDX-License-Identifier: GPL-3.0-or-later
//! The plot of a tuning run: a small chart for each parameter, its course over the iterations.

use std::{ops::Range, path::Path};

use plot::{
    Canvas, Drawn, PlotError,
    plotters::{
        prelude::{ChartBuilder, DashedLineSeries, LineSeries, Text},
        style::TRANSPARENT,
    },
    style::{self, FAINT_INK, GRID, PALETTE},
};

use super::state::State;

/// No more charts than can be looked at; those that moved most are shown.
const CHARTS: usize = 48;
/// The size of a chart with the space around it, in points.
const CELL: (u32, u32) = (250, 165);
/// What the charts of a row have together, at least: the title must fit.
const LEAST_WIDTH: u32 = 640;
const TITLE: u32 = 64;
const MARGIN: u32 = 16;

/// Draws the course of all parameters.
pub(crate) fn draw(path: &Path, title: &str, state: &State) -> Result<(), PlotError> {
    let shown = most_moved(state);
    // About as wide as a screen is.
    let columns = (1.15 * (shown.len() as f64).sqrt()).round().max(1.0) as usize;
    let rows = shown.len().div_ceil(columns);
    let cell = (CELL.0.max(LEAST_WIDTH / columns as u32), CELL.1);
    let size = (columns as u32 * cell.0 + 2 * MARGIN, rows as u32 * cell.1 + TITLE + MARGIN);
    plot::draw(path, size, |canvas| {
        headline(canvas, title, state, shown.len())?;
        let (_, charts) = canvas.split_vertically(TITLE);
        let charts = charts.margin(0, MARGIN, MARGIN, MARGIN);
        for (place, &index) in shown.iter().enumerate() {
            let corner = ((place % columns) as u32 * cell.0, (place / columns) as u32 * cell.1);
            chart(&charts.clone().shrink(corner, cell), state, index)?;
        }
        Ok(())
    })
}

/// The parameters that moved most, in the order of the run.
fn most_moved(state: &State) -> Vec<usize> {
    let moved = state.moved();
    let mut order: Vec<usize> = (0..moved.len()).collect();
    order.sort_by(|&a, &b| moved[b].abs().total_cmp(&moved[a].abs()));
    order.truncate(CHARTS);
    order.sort_unstable();
    order
}

fn headline(canvas: &Canvas<'_>, title: &str, state: &State, shown: usize) -> Drawn {
    canvas.draw(&Text::new(title.to_owned(), (MARGIN as i32 + 4, 14), style::bold(17.0)))?;
    let (all, games) = (state.starts.len(), state.games.samples());
    let which = if shown < all {
        format!("the {shown} of {all} parameters that moved most")
    } else {
        "all parameters".to_owned()
    };
    let line = format!(
        "value over iterations, {which}; {} of {} iterations, {games} games; dashed: the start",
        state.spsa.done, state.spsa.gains.iterations
    );
    canvas.draw(&Text::new(line, (MARGIN as i32 + 4, 38), style::faint(12.0)))
}

/// One parameter: its name, where it went and how.
fn chart(cell: &Canvas<'_>, state: &State, index: usize) -> Drawn {
    let (parameter, start) = (&state.spsa.parameters[index], state.starts[index]);
    let iterations = 0.0..state.spsa.gains.iterations as f64;
    let course: Vec<(f64, f64)> =
        state.history.iter().map(|point| (point.iterations as f64, point.values[index])).collect();
    let left = 4;
    // As many decimals as tell a twentieth of a step.
    let scale = if parameter.step < 2.0 { 100.0 } else { 10.0 };
    cell.draw(&Text::new(parameter.name.clone(), (left, 4), style::bold(11.0)))?;
    let summary = format!(
        "{} → {}  ({} steps)",
        style::number(start),
        style::number((parameter.value * scale).round() / scale),
        signed(state.moved()[index])
    );
    cell.draw(&Text::new(summary, (left, 20), style::faint(10.5)))?;
    let mut chart = ChartBuilder::on(cell)
        .margin_top(38)
        .margin_right(18)
        .margin_bottom(8)
        .x_label_area_size(18)
        .y_label_area_size(42)
        .build_cartesian_2d(iterations.clone(), range(start, parameter.step, &course))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT_INK)
        .label_style(style::faint(9.5))
        .x_labels(3)
        .y_labels(4)
        .x_label_formatter(&|value| style::number(*value))
        .y_label_formatter(&|value| style::number(*value))
        .draw()?;
    let ends = [(iterations.start, start), (iterations.end, start)];
    chart.draw_series(DashedLineSeries::new(ends, 4, 4, style::line(FAINT_INK, 1)))?;
    let color = if parameter.value < start { PALETTE[1] } else { PALETTE[0] };
    chart.draw_series(LineSeries::new(course, style::line(color, 2)))?;
    Ok(())
}

/// What the vertical axis covers: the whole course, and a step both ways, so that noise looks like noise.
fn range(start: f64, step: f64, course: &[(f64, f64)]) -> Range<f64> {
    let values = || course.iter().map(|&(_, value)| value);
    let low = values().fold(start - step, f64::min);
    let high = values().fold(start + step, f64::max);
    let air = 0.06 * (high - low);
    low - air..high + air
}

fn signed(value: f64) -> String {
    let text = style::number((value * 100.0).round() / 100.0);
    if value > 0.0 { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use arena::DuelResult;
    use contest::{
        Random, Trinomial,
        spsa::{Gains, Parameter, Spsa},
    };
    use plot::PIXELS_PER_POINT;

    use super::*;

    /// A run that has gone through two thirds of its way, driven by chance.
    fn state(parameters: usize) -> State {
        let parameters = (0..parameters).map(|index| Parameter {
            name: format!("group_parameter_{index}"),
            value: 10.0 * index as f64,
            min: 0,
            max: 10_000,
            step: 1.0 + index as f64,
            rate: 0.02,
        });
        let mut state = State::new(Spsa::new(parameters.collect(), Gains::new(300), 1).unwrap());
        let mut random = Random::new(5);
        for number in 1..=200 {
            let points = random.below(3);
            let mut games = Trinomial::default();
            games.add(points);
            games.add(points);
            state.count(&DuelResult { number, games, faults: 0 });
        }
        state
    }

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("nue-spsa-plot-{}-{name}", std::process::id()))
    }

    #[test]
    fn an_svg_names_every_parameter() {
        let path = file("few.svg");
        draw(&path, "Tuning of <nue>", &state(5)).unwrap();
        let svg = fs::read_to_string(&path).unwrap();
        for index in 0..5 {
            assert!(svg.contains(&format!("group_parameter_{index}\n")), "{svg}");
        }
        assert!(svg.contains("Tuning of &lt;nue&gt;") && svg.contains("200 of 300 iterations, 400 games"));
        assert!(svg.matches("<polyline").count() >= 5);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_png_has_a_chart_for_each_that_moved_most() {
        let path = file("many.png");
        let state = state(60);
        draw(&path, "Tuning", &state).unwrap();
        let png = fs::read(&path).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        let (columns, rows) = (8, 6);
        let size = [columns * CELL.0 + 2 * MARGIN, rows * CELL.1 + TITLE + MARGIN];
        assert_eq!([side(16), side(20)], size.map(|points| points * PIXELS_PER_POINT));
        assert!(png.len() > 100_000, "{}", png.len());
        assert_eq!(most_moved(&state).len(), CHARTS);
        fs::remove_file(path).unwrap();
    }
}
