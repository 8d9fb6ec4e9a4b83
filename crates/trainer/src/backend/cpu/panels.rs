// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer on the way back: the gradients of every row.
//!
//! A row's gradients are summed up in registers and added to the table once for each segment of views. Tasks own columns
//! of the table, so that no two threads ever write the same place and the order of additions is always that
//! of the segments.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    batch::Batch,
    inverse::Inverse,
    lanes::{Lanes, Line},
    memory,
};

/// A table of gradients, cut into panels of columns.
pub(crate) struct Panels {
    /// Lines of a row within a panel.
    pub(crate) width: usize,
    /// Each panel holds `width` lines for every row.
    pub(crate) panels: Vec<Vec<Line>>,
    /// By panel: the gradient of the bias.
    pub(crate) bias: Vec<Vec<Line>>,
}

impl Panels {
    /// Panels for rows of `lines` lines, none wider than `widest`, at least one for each thread where that is possible.
    pub(crate) fn new(rows: usize, lines: usize, widest: usize, threads: usize) -> Panels {
        let fits =
            |&width: &usize| width <= widest && lines.is_multiple_of(width) && lines / width >= threads;
        let width = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
        let panel =
            |rows: usize| (0..lines / width).map(|_| memory::filled(Line::ZERO, rows * width)).collect();
        Panels { width, panels: panel(rows), bias: panel(1) }
    }

    /// Begins the gradient of the bias anew.
    pub(crate) fn forget_bias(&mut self) {
        self.bias.iter_mut().for_each(|bias| bias.fill(Line::ZERO));
    }

    /// Adds the gradients of some segments: `slopes` has those of all their views. `fresh` rows begin anew.
    pub(crate) fn add(
        &mut self,
        batch: &Batch,
        segments: &[Range<usize>],
        inverses: &[Inverse],
        fresh: &[u32],
        slopes: &[Line],
        order: SlopeOrder,
    ) {
        let width = self.width;
        self.panels.par_iter_mut().zip(&mut self.bias).enumerate().for_each(|(number, (panel, bias))| {
            for &row in fresh {
                panel[row as usize * width..][..width].fill(Line::ZERO);
            }
            let columns = Columns { slopes, order, number };
            for (inverse, segment) in inverses.iter().zip(segments) {
                let views = &batch.sorted[segment.clone()];
                match width {
                    8 => columns.add::<8>(views, inverse, panel, bias),
                    4 => columns.add::<4>(views, inverse, panel, bias),
                    2 => columns.add::<2>(views, inverse, panel, bias),
                    _ => columns.add::<1>(views, inverse, panel, bias),
                }
            }
        });
    }
}

/// How the slopes of views lie in memory.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SlopeOrder {
    /// Lines of a view.
    pub(crate) lines: usize,
    /// Lines of a panel.
    pub(crate) width: usize,
    /// The first view that has slopes.
    pub(crate) first: usize,
    /// How many have.
    pub(crate) views: usize,
    /// Views of a group whose slopes lie panel by panel; none if they lie view by view.
    pub(crate) group: Option<usize>,
}

impl SlopeOrder {
    /// Within the slopes of a group of so many views: where a line of a view and those behind it are, counted from the
    /// group's first.
    #[inline(always)]
    pub(crate) fn places(
        &self,
        views: usize,
        view: usize,
        line: usize,
    ) -> impl Iterator<Item = usize> + use<> {
        // The width is a power of two, and divisions would take longer than all the rest.
        let (shift, last) = (self.width.trailing_zeros(), self.width - 1);
        // How far the end of a panel is from where the view goes on in the next one.
        let (start, gap) = match self.group {
            Some(_) => ((((line >> shift) * views + view) << shift) + (line & last), (views - 1) << shift),
            None => (view * self.lines + line, 0),
        };
        let mut next = (start, line);
        std::iter::repeat_with(move || {
            let (place, line) = next;
            next = (place + 1 + if line & last == last { gap } else { 0 }, line + 1);
            place
        })
    }

    /// Among all slopes: where a panel would begin for view 0 if all views belonged to one group, and the step from
    /// view to view. `view` is any of the group. The beginning may lie before the slopes, so it wraps around.
    fn panel(&self, number: usize, view: usize) -> (usize, usize) {
        let Some(group) = self.group else {
            return ((number * self.width).wrapping_sub(self.first * self.lines), self.lines);
        };
        let start = (view - self.first) / group * group;
        let views = group.min(self.views - start);
        let place = start * (self.lines - self.width) + number * views * self.width;
        (place.wrapping_sub(self.first * self.width), self.width)
    }
}

/// Some columns of the gradients of all views.
struct Columns<'a> {
    slopes: &'a [Line],
    order: SlopeOrder,
    number: usize,
}

impl Columns<'_> {
    #[inline(always)]
    fn add<const N: usize>(&self, views: &[u32], inverse: &Inverse, panel: &mut [Line], bias: &mut [Line]) {
        // A segment lies within a group, wherever there are groups.
        let (first, step) = self.order.panel(self.number, views[0] as usize);
        let slopes = Strided { slopes: self.slopes, first, step };
        slopes.sum::<N>(views, bias);
        let mut part = Rest { rows: &inverse.rows, views: &inverse.views, done: 0 };
        slopes.sum_each::<N, 1>(&mut part, inverse.ends[1], panel);
        slopes.sum_each::<N, 2>(&mut part, inverse.ends[2], panel);
        slopes.sum_each::<N, 3>(&mut part, inverse.ends[3], panel);
        slopes.sum_each::<N, 4>(&mut part, inverse.ends[4], panel);
        slopes.sum_each::<N, 5>(&mut part, inverse.ends[5], panel);
        slopes.sum_each::<N, 6>(&mut part, inverse.ends[6], panel);
        slopes.sum_each::<N, 7>(&mut part, inverse.ends[7], panel);
        slopes.sum_each::<N, 8>(&mut part, inverse.ends[8], panel);
        let mut start = inverse.views.len() - part.views.len();
        for (&row, &end) in part.rows.iter().zip(&inverse.long) {
            let views = &inverse.views[start..end as usize];
            slopes.sum::<N>(views, &mut panel[row as usize * N..][..N]);
            start = end as usize;
        }
    }
}

/// What is left of an inverse index.
struct Rest<'a> {
    rows: &'a [u32],
    views: &'a [u32],
    /// Rows before these.
    done: usize,
}

/// The slopes of a panel.
#[derive(Copy, Clone)]
struct Strided<'a> {
    slopes: &'a [Line],
    /// Where the panel of view 0 would be; it wraps around.
    first: usize,
    /// Lines from view to view.
    step: usize,
}

impl Strided<'_> {
    #[inline(always)]
    fn add_to<const N: usize>(&self, sums: &mut [Lanes; N], view: u32) {
        if let Some(slopes) =
            self.slopes[self.first.wrapping_add(view as usize * self.step)..].first_chunk::<N>()
        {
            for i in 0..N {
                sums[i] = sums[i].add(Lanes::load(&slopes[i]));
            }
        }
    }

    /// Adds the slopes of some views to `total`.
    #[inline(always)]
    fn sum<const N: usize>(&self, views: &[u32], total: &mut [Line]) {
        let Some(total) = total.first_chunk_mut::<N>() else { return };
        let mut sums: [Lanes; N] = std::array::from_fn(|i| Lanes::load(&total[i]));
        for &view in views {
            self.add_to(&mut sums, view);
        }
        for (total, sum) in total.iter_mut().zip(sums) {
            sum.store(total);
        }
    }

    /// The same for the rows up to `end`, which have `K` views each.
    #[inline(always)]
    fn sum_each<const N: usize, const K: usize>(&self, rest: &mut Rest<'_>, end: usize, panel: &mut [Line]) {
        let (rows, later) = rest.rows.split_at(end - rest.done);
        let (views, others) = rest.views.split_at(K * rows.len());
        for (&row, views) in rows.iter().zip(views.as_chunks::<K>().0) {
            let Some(total) = panel[row as usize * N..].first_chunk_mut::<N>() else { return };
            let mut sums: [Lanes; N] = std::array::from_fn(|i| Lanes::load(&total[i]));
            for &view in views {
                self.add_to(&mut sums, view);
            }
            for (total, sum) in total.iter_mut().zip(sums) {
                sum.store(total);
            }
        }
        *rest = Rest { rows: later, views: others, done: end };
    }
}
