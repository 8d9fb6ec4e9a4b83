// SPDX-License-Identifier: GPL-3.0-or-later
//! The strokes of a picture as pixels, with letters of our own: nothing needs to be installed.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, FontStyle, FontTransform,
    text_anchor::{HPos, VPos},
};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};
use ttf_parser::{Face, OutlineBuilder};

static REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../fonts/NotoSans-Bold.ttf");

/// `plotters` takes the height of a line for the size of a font; SVG divides it by this, and so must we.
const LINE_HEIGHT: f64 = 1.24;

/// A picture made of pixels.
pub(crate) struct Pixels {
    map: Pixmap,
    /// From points to pixels.
    scale: Transform,
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Pixels {
    /// An empty picture of a size in points; `None` if it is too large or empty.
    pub(crate) fn new((width, height): (u32, u32), scale: u32) -> Option<Pixels> {
        let map = Pixmap::new(width.checked_mul(scale)?, height.checked_mul(scale)?)?;
        let scale = Transform::from_scale(scale as f32, scale as f32);
        let [regular, bold] = [REGULAR, BOLD].map(|font| Face::parse(font, 0).ok());
        Some(Pixels { map, scale, regular: regular?, bold: bold? })
    }

    /// The file.
    pub(crate) fn png(&self) -> Result<Vec<u8>, String> {
        self.map.encode_png().map_err(|error| error.to_string())
    }

    pub(crate) fn line(&mut self, points: impl IntoIterator<Item = BackendCoord>, style: &impl BackendStyle) {
        self.stroke(outline(points, false), style);
    }

    pub(crate) fn rectangle(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &impl BackendStyle,
        fill: bool,
    ) {
        let ((left, top), (right, bottom)) = (upper_left, bottom_right);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        match fill {
            true => self.polygon(&corners, style),
            false => self.stroke(outline(corners, true), style),
        }
    }

    pub(crate) fn circle(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &impl BackendStyle,
        fill: bool,
    ) {
        let circle = PathBuilder::from_circle(x as f32, y as f32, radius as f32);
        match fill {
            true => self.fill(circle, style.color(), self.scale),
            false => self.stroke(circle, style),
        }
    }

    pub(crate) fn polygon(&mut self, corners: &[BackendCoord], style: &impl BackendStyle) {
        self.fill(outline(corners.iter().copied(), true), style.color(), self.scale);
    }

    /// Writes text where SVG would: see the attributes `text-anchor` and `dy` of plotters' SVG.
    pub(crate) fn text(&mut self, text: &str, style: &impl BackendTextStyle, (x, y): BackendCoord) {
        let face = if matches!(style.style(), FontStyle::Bold) { &self.bold } else { &self.regular };
        let size = (style.size() / LINE_HEIGHT) as f32;
        let unit = size / f32::from(face.units_per_em());
        let middle = unit * f32::from(face.x_height().unwrap_or(0)) / 2.0;
        let Letters { path, width } = Letters::of(text, face);
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -unit * width / 2.0,
            HPos::Right => -unit * width,
        };
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76 * size,
            VPos::Center => middle,
            VPos::Bottom => -middle,
        };
        let turn = match style.transform() {
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
            _ => 0.0,
        };
        // Fonts count upwards, pictures downwards.
        let place = Transform::from_scale(unit, -unit)
            .post_translate(left, down)
            .post_rotate(turn)
            .post_translate(x as f32, y as f32)
            .post_concat(self.scale);
        self.fill(path, style.color(), place);
    }

    fn fill(&mut self, path: Option<Path>, color: BackendColor, place: Transform) {
        if let Some(path) = path {
            self.map.fill_path(&path, &paint(color), FillRule::Winding, place, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) {
        if let Some(path) = path {
            let stroke = Stroke { width: style.stroke_width() as f32, ..Stroke::default() };
            self.map.stroke_path(&path, &paint(style.color()), &stroke, self.scale, None);
        }
    }
}

fn paint(color: BackendColor) -> Paint<'static> {
    let (red, green, blue) = color.rgb;
    let mut paint = Paint::default();
    let alpha = (color.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    paint.set_color(Color::from_rgba8(red, green, blue, alpha));
    paint
}

/// The line through points; nothing without an extent.
fn outline(points: impl IntoIterator<Item = BackendCoord>, closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, (x, y)) in points.into_iter().enumerate() {
        match index {
            0 => path.move_to(x as f32, y as f32),
            _ => path.line_to(x as f32, y as f32),
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// Text as one path in the units of its font, from the left end of its base line.
struct Letters {
    path: Option<Path>,
    width: f32,
}

impl Letters {
    fn of(text: &str, face: &Face<'_>) -> Letters {
        let mut pen = Pen { path: PathBuilder::new(), x: 0.0 };
        for letter in text.chars() {
            // A letter that the font lacks shows as its empty box.
            let glyph = face.glyph_index(letter).unwrap_or_default();
            face.outline_glyph(glyph, &mut pen);
            pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        }
        Letters { path: pen.path.finish(), width: pen.x }
    }
}

/// Draws a letter at its place.
struct Pen {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, y1, self.x + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, y1, self.x + x2, y2, self.x + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
