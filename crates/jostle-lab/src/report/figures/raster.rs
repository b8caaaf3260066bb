//! PNG files, made from the SVG files by resvg: one drawing in two formats.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Node, Options, Tree, fontdb};

use crate::LabError;

/// Pixels of a PNG per point; more than one, so that it is sharp on high-resolution screens.
const PIXELS: f32 = 2.0;

/// The only fonts that PNG files are drawn with, so that they are the same on every machine.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans_condensed::regular().to_vec());
    fonts.load_font_data(dejavu::sans_condensed::bold().to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first());
    let family = family.map(|(name, _)| name.clone()).unwrap_or_default();
    fonts.set_sans_serif_family(family);
    Arc::new(fonts)
});

fn parsed(svg: &str) -> Result<Tree, String> {
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| error.to_string())
}

/// The picture of an SVG file as a PNG file, two pixels per point.
///
/// # Errors
/// When it cannot be drawn.
pub fn png(svg: &str) -> Result<Vec<u8>, LabError> {
    pixels(svg)
        .and_then(|pixels| pixels.encode_png().map_err(|error| error.to_string()))
        .map_err(|error| LabError::input(format!("a figure cannot be drawn: {error}")))
}

fn pixels(svg: &str) -> Result<Pixmap, String> {
    let tree = parsed(svg)?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| side * PIXELS);
    let mut pixels = Pixmap::new(width.round() as u32, height.round() as u32)
        .ok_or_else(|| format!("{width}x{height} pixels are too many"))?;
    resvg::render(&tree, Transform::from_scale(PIXELS, PIXELS), &mut pixels.as_mut());
    Ok(pixels)
}

/// The width of the only text of an SVG file, in points, as it is drawn.
pub fn width_of_text(svg: &str) -> Option<f64> {
    width_of_first(parsed(svg).ok()?.root().children())
}

fn width_of_first(nodes: &[Node]) -> Option<f64> {
    nodes.iter().find_map(|node| match node {
        Node::Group(group) => width_of_first(group.children()),
        Node::Text(text) => Some(f64::from(text.abs_bounding_box().width())),
        Node::Path(_) | Node::Image(_) => None,
    })
}
