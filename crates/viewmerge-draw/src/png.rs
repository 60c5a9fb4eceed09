//! A scene as PNG.

use tiny_skia::{
    Color, FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use crate::area::{Area, Point};
use crate::colour::Colour;
use crate::export::{ExportError, single};
use crate::font::Fonts;
use crate::ink::Ink;
use crate::palette::{DASHES, Palette, Theme};
use crate::scene::{Item, Scene, Shape, Text};

/// The most pixels of a picture: 200 megabytes while it is drawn.
const MOST_PIXELS: f64 = 50e6;
/// The distance of the control points of a quarter circle from its corner, for radius 1.
pub(crate) const TO_CONTROL: f64 = 1.0 - 0.552_284_749_8;

/// The picture, with `scale` pixels in the file for each of its own.
pub(crate) fn write(scene: &Scene, theme: Theme, scale: f64) -> Result<Vec<u8>, ExportError> {
    if !(0.1..=16.0).contains(&scale) {
        return Err(ExportError::Scale { scale });
    }
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let too_large = ExportError::TooLarge {
        width: width as u64,
        height: height as u64,
        most: "50 million pixels",
    };
    if width * height > MOST_PIXELS {
        return Err(too_large);
    }
    let mut canvas = Canvas {
        pixmap: Pixmap::new(width as u32, height as u32).ok_or(too_large)?,
        palette: Palette::fixed(theme),
        scale: Transform::from_scale(single(scale), single(scale)),
        fonts: Fonts::new()?,
    };
    canvas.pixmap.fill(colour(canvas.palette.background));
    for item in &scene.items {
        match item {
            Item::Shape(shape, look) => canvas.draw_shape(shape, canvas.palette.ink(*look)),
            Item::Text(text) => canvas.draw_text(text)?,
        }
    }
    let encoded = canvas.pixmap.encode_png();
    encoded.map_err(|error| ExportError::Encoding { reason: error.to_string() })
}

struct Canvas {
    pixmap: Pixmap,
    palette: Palette,
    scale: Transform,
    fonts: Fonts,
}

impl Canvas {
    fn draw_shape(&mut self, shape: &Shape, ink: Ink) {
        let Some(path) = path(shape) else { return };
        if let Some(fill) = ink.fill {
            self.fill(&path, fill, self.scale);
        }
        if let Some(line) = ink.stroke {
            let mut paint = paint(line.colour);
            paint.shader.apply_opacity(single(line.opacity));
            let dashes = DASHES.map(single).to_vec();
            let stroke = Stroke {
                width: single(line.width),
                line_cap: LineCap::Butt,
                dash: if line.dashed { StrokeDash::new(dashes, 0.0) } else { None },
                ..Stroke::default()
            };
            self.pixmap.stroke_path(&path, &paint, &stroke, self.scale, None);
        }
    }

    fn draw_text(&mut self, text: &Text) -> Result<(), ExportError> {
        let run = self.fonts.run(text)?;
        let mut outlines = Outlines(PathBuilder::new());
        let (size, units) = (text.font.size(), run.typeface.units());
        let mut glyphs = Vec::new();
        for placed in &run.glyphs {
            // A space has no outline.
            if run.typeface.face.outline_glyph(placed.glyph, &mut outlines).is_some() {
                let path = std::mem::replace(&mut outlines.0, PathBuilder::new()).finish();
                glyphs.extend(path.map(|path| (path, placed.offset)));
            }
        }
        let turn = if text.upright { -90.0 } else { 0.0 };
        let line = self
            .scale
            .pre_translate(single(text.at.0), single(text.at.1))
            .pre_rotate(turn)
            .pre_scale(single(size / units), -single(size / units));
        let colour = self.palette.text(text.look);
        for (path, offset) in glyphs {
            self.fill(&path, colour, line.pre_translate(single(offset * units), 0.0));
        }
        Ok(())
    }

    fn fill(&mut self, path: &Path, colour: Colour, place: Transform) {
        self.pixmap.fill_path(path, &paint(colour), FillRule::Winding, place, None);
    }
}

/// The path of a shape; `None` if it has no extent.
fn path(shape: &Shape) -> Option<Path> {
    let mut path = PathBuilder::new();
    match shape {
        Shape::Rectangle { area, radius } if *radius > 0.0 => round(&mut path, *area, *radius),
        Shape::Rectangle { area, .. } => {
            let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(single);
            path.push_rect(Rect::from_xywh(x, y, width, height)?);
        }
        Shape::Lines(lines) => lines.iter().for_each(|line| through(&mut path, line)),
        Shape::Polygon(corners) => {
            through(&mut path, corners);
            path.close();
        }
    }
    path.finish()
}

fn through(path: &mut PathBuilder, points: &[Point]) {
    for (number, &(x, y)) in points.iter().enumerate() {
        if number == 0 {
            path.move_to(single(x), single(y));
        } else {
            path.line_to(single(x), single(y));
        }
    }
}

fn round(path: &mut PathBuilder, area: Area, radius: f64) {
    for (number, [from, one, two, to]) in corners(area, radius).into_iter().enumerate() {
        if number == 0 {
            path.move_to(from.0, from.1);
        } else {
            path.line_to(from.0, from.1);
        }
        path.cubic_to(one.0, one.1, two.0, two.1, to.0, to.1);
    }
    path.close();
}

/// The round corners of an area as cubic curves, clockwise from the upper right.
pub(crate) fn corners(area: Area, radius: f64) -> [[(f32, f32); 4]; 4] {
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    // Each corner, and the directions from it to where the curve starts and ends.
    let corners: [[Point; 3]; 4] = [
        [(right, top), (-1.0, 0.0), (0.0, 1.0)],
        [(right, bottom), (0.0, -1.0), (-1.0, 0.0)],
        [(left, bottom), (1.0, 0.0), (0.0, -1.0)],
        [(left, top), (0.0, 1.0), (1.0, 0.0)],
    ];
    corners.map(|[(x, y), before, after]| {
        let at = |(right, down): Point, distance: f64| {
            (single(x + right * distance * radius), single(y + down * distance * radius))
        };
        [at(before, 1.0), at(before, TO_CONTROL), at(after, TO_CONTROL), at(after, 1.0)]
    })
}

/// Collects the outline of a glyph.
struct Outlines(PathBuilder);

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

fn colour(colour: Colour) -> Color {
    let [red, green, blue] = colour.channels();
    Color::from_rgba8(red, green, blue, 255)
}

fn paint(of: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour(of));
    paint
}
