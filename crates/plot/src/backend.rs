// SPDX-License-Identifier: GPL-3.0-or-later
//! What charts are drawn with: every stroke goes into an SVG, and into pixels where a PNG is wanted.

use std::io;

use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use crate::pixels::Pixels;

type Done = Result<(), DrawingErrorKind<io::Error>>;

/// An SVG under way, and perhaps the same as pixels.
pub struct Backend<'a> {
    svg: SVGBackend<'a>,
    pixels: Option<&'a mut Pixels>,
}

impl<'a> Backend<'a> {
    pub(crate) fn new(svg: SVGBackend<'a>, pixels: Option<&'a mut Pixels>) -> Backend<'a> {
        Backend { svg, pixels }
    }
}

impl DrawingBackend for Backend<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.svg.get_size()
    }

    fn ensure_prepared(&mut self) -> Done {
        self.svg.ensure_prepared()
    }

    fn present(&mut self) -> Done {
        self.svg.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Done {
        if let Some(pixels) = &mut self.pixels {
            pixels.rectangle(point, (point.0 + 1, point.1 + 1), &color, true);
        }
        self.svg.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done {
        if let Some(pixels) = &mut self.pixels {
            pixels.line([from, to], style);
        }
        self.svg.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done {
        if let Some(pixels) = &mut self.pixels {
            pixels.rectangle(upper_left, bottom_right, style, fill);
        }
        self.svg.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Done {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        if let Some(pixels) = &mut self.pixels {
            pixels.line(points.iter().copied(), style);
        }
        self.svg.draw_path(points, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done {
        if let Some(pixels) = &mut self.pixels {
            pixels.circle(center, radius, style, fill);
        }
        self.svg.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Done {
        let corners: Vec<BackendCoord> = corners.into_iter().collect();
        if let Some(pixels) = &mut self.pixels {
            pixels.polygon(&corners, style);
        }
        self.svg.fill_polygon(corners, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Done {
        if let Some(pixels) = &mut self.pixels {
            pixels.text(text, style, at);
        }
        self.svg.draw_text(text, style, at)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<io::Error>> {
        self.svg.estimate_text_size(text, style)
    }
}
