//! A scene as PDF: one page as large as the picture, text that can be searched and
//! copied, and only the used part of the fonts.

use std::collections::BTreeMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::GlyphRemapper;

use crate::area::Point;
use crate::colour::Colour;
use crate::export::{ExportError, single};
use crate::font::{Fonts, Typeface};
use crate::ink::Ink;
use crate::palette::{DASHES, HATCH_OPACITY, Palette, Theme};
use crate::png::corners;
use crate::scene::{Item, Scene, Shape, Text};

/// PostScript points in a pixel.
const POINTS: f64 = 0.75;
/// Not every reader shows larger pages.
const MOST_POINTS: f64 = 14_400.0;
/// The graphics state of translucent lines.
const PALE: Name<'static> = Name(b"Pale");
/// The names of the regular and the bold font on the page.
const FONT_NAMES: [Name<'static>; 2] = [Name(b"Regular"), Name(b"Bold")];
const SYSTEM: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The used glyphs of a font, and their characters.
#[derive(Default)]
struct Used {
    glyphs: GlyphRemapper,
    characters: BTreeMap<u16, char>,
}

/// The picture as a PDF file.
pub(crate) fn write(scene: &Scene, theme: Theme) -> Result<Vec<u8>, ExportError> {
    let (width, height) = (scene.width * POINTS, scene.height * POINTS);
    if width.max(height) > MOST_POINTS {
        return Err(ExportError::TooLarge {
            width: width.ceil() as u64,
            height: height.ceil() as u64,
            most: "14400 points wide and high",
        });
    }
    let palette = Palette::fixed(theme);
    let fonts = Fonts::new()?;
    let mut used = [Used::default(), Used::default()];
    let mut content = Content::new();
    // From pixels counted down to points counted up.
    let [points, top] = [POINTS, height].map(single);
    content.transform([points, 0.0, 0.0, -points, 0.0, top]);
    if theme != Theme::Auto {
        fill_colour(&mut content, palette.background);
        content.rect(0.0, 0.0, single(scene.width), single(scene.height)).fill_nonzero();
    }
    for item in &scene.items {
        match item {
            Item::Shape(shape, look) => draw_shape(&mut content, shape, palette.ink(*look)),
            Item::Text(text) => {
                fill_colour(&mut content, palette.text(text.look));
                draw_text(&mut content, text, &fonts, &mut used)?;
            }
        }
    }

    let mut next = 0;
    let mut new = || {
        next += 1;
        Ref::new(next)
    };
    let [catalog, pages, page, body, info] = [(); 5].map(|()| new());
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    pdf.document_info(info).title(TextStr(&scene.name)).creator(TextStr("viewmerge"));
    let font_refs = [new(), new()];
    let mut writer = pdf.page(page);
    writer.parent(pages).contents(body).media_box(Rect::new(0.0, 0.0, single(width), top));
    let mut resources = writer.resources();
    let mut dictionary = resources.fonts();
    for (name, font) in FONT_NAMES.into_iter().zip(font_refs) {
        dictionary.pair(name, font);
    }
    dictionary.finish();
    let mut states = resources.ext_g_states();
    states
        .insert(PALE)
        .start::<pdf_writer::writers::ExtGraphicsState<'_>>()
        .stroking_alpha(single(HATCH_OPACITY));
    states.finish();
    resources.finish();
    writer.finish();
    let packed = compress_to_vec_zlib(content.finish().as_slice(), 9);
    pdf.stream(body, &packed).filter(Filter::FlateDecode);
    for ((typeface, used), font) in fonts.both().iter().zip(&used).zip(font_refs) {
        write_font(&mut pdf, typeface, used, font, &mut new)?;
    }
    Ok(pdf.finish())
}

fn draw_shape(content: &mut Content, shape: &Shape, ink: Ink) {
    content.save_state();
    if let Some(fill) = ink.fill {
        fill_colour(content, fill);
    }
    if let Some(stroke) = ink.stroke {
        let [red, green, blue] = rgb(stroke.colour);
        content.set_stroke_rgb(red, green, blue).set_line_width(single(stroke.width));
        if stroke.dashed {
            content.set_dash_pattern(DASHES.map(single), 0.0);
        }
        if stroke.opacity < 1.0 {
            content.set_parameters(PALE);
        }
    }
    trace(content, shape);
    match (ink.fill, ink.stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
    content.restore_state();
}

fn trace(content: &mut Content, shape: &Shape) {
    match shape {
        Shape::Rectangle { area, radius } if *radius > 0.0 => {
            for (number, [from, one, two, to]) in corners(*area, *radius).into_iter().enumerate() {
                if number == 0 {
                    content.move_to(from.0, from.1);
                } else {
                    content.line_to(from.0, from.1);
                }
                content.cubic_to(one.0, one.1, two.0, two.1, to.0, to.1);
            }
            content.close_path();
        }
        Shape::Rectangle { area, .. } => {
            let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(single);
            content.rect(x, y, width, height);
        }
        Shape::Lines(lines) => lines.iter().for_each(|line| through(content, line)),
        Shape::Polygon(corners) => {
            through(content, corners);
            content.close_path();
        }
    }
}

fn through(content: &mut Content, points: &[Point]) {
    for (number, &(x, y)) in points.iter().enumerate() {
        if number == 0 {
            content.move_to(single(x), single(y));
        } else {
            content.line_to(single(x), single(y));
        }
    }
}

fn draw_text(
    content: &mut Content,
    text: &Text,
    fonts: &Fonts,
    used: &mut [Used; 2],
) -> Result<(), ExportError> {
    let run = fonts.run(text)?;
    let Some(first) = run.glyphs.first() else { return Ok(()) };
    let number = usize::from(text.is_bold());
    let used = &mut used[number];
    let mut codes = Vec::new();
    for placed in &run.glyphs {
        let code = used.glyphs.remap(placed.glyph.0);
        used.characters.insert(code, placed.character);
        codes.extend(code.to_be_bytes());
    }
    let start = first.offset * text.font.size();
    let (x, y) = text.at;
    // Letters stand upright, while the page counts down.
    let matrix = if text.upright {
        [0.0, -1.0, -1.0, 0.0, x, y - start]
    } else {
        [1.0, 0.0, 0.0, -1.0, x + start, y]
    };
    content.begin_text();
    content.set_font(FONT_NAMES[number], single(text.font.size()));
    content.set_text_matrix(matrix.map(single));
    content.show(Str(&codes));
    content.end_text();
    Ok(())
}

/// Writes the used glyphs of a font, with all that a reader needs.
fn write_font(
    pdf: &mut Pdf,
    typeface: &Typeface,
    used: &Used,
    font: Ref,
    new: &mut impl FnMut() -> Ref,
) -> Result<(), ExportError> {
    let [descendant, descriptor, file, unicode] = [(); 4].map(|()| new());
    // The format marks a subset of a font by six letters.
    let name = format!("VIEWMG+{}", typeface.name);
    let name = Name(name.as_bytes());
    pdf.type0_font(font)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(descendant)
        .to_unicode(unicode);

    let face = &typeface.face;
    // Fonts are measured in thousandths of the size of the letters.
    let thousandths = |units: f64| single(units / typeface.units() * 1000.0);
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2)
        .base_font(name)
        .system_info(SYSTEM)
        .font_descriptor(descriptor)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for (code, old) in (0..).zip(used.glyphs.remapped_gids()) {
        let advance = typeface.advance(ttf_parser::GlyphId(old));
        widths.consecutive(code, [single(advance * 1000.0)]);
    }
    widths.finish();
    cid.finish();

    let bounds = face.global_bounding_box();
    let [left, bottom, right, top] =
        [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(|n| thousandths(n.into()));
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::FIXED_PITCH | FontFlags::SYMBOLIC)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(0.0)
        .ascent(thousandths(face.ascender().into()))
        .descent(thousandths(face.descender().into()))
        .cap_height(thousandths(face.capital_height().unwrap_or(face.ascender()).into()))
        .stem_v(if face.is_bold() { 140.0 } else { 80.0 })
        .font_file2(file);

    let subset = subsetter::subset(typeface.data, 0, &used.glyphs);
    let subset = subset.map_err(|error| ExportError::Encoding { reason: error.to_string() })?;
    let packed = compress_to_vec_zlib(&subset, 9);
    let mut stream = pdf.stream(file, &packed);
    stream.filter(Filter::FlateDecode);
    stream.pair(Name(b"Length1"), i32::try_from(subset.len()).unwrap_or(i32::MAX));
    stream.finish();

    let mut map = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (&code, &character) in &used.characters {
        map.pair(code, character);
    }
    let map = map.finish();
    pdf.cmap(unicode, map.as_slice());
    Ok(())
}

fn fill_colour(content: &mut Content, colour: Colour) {
    let [red, green, blue] = rgb(colour);
    content.set_fill_rgb(red, green, blue);
}

fn rgb(colour: Colour) -> [f32; 3] {
    colour.channels().map(|channel| f32::from(channel) / 255.0)
}
