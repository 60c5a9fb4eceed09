//! Questions about layouts other than the operations: banks, tiles, instructions over warps.

use serde::Serialize;
use viewmerge_cute::{
    Access, Atom, Banks, Conflicts, Error, Layout, Limit, Tiler, local_tile, tiled_copy,
};

/// An answer with its text.
#[derive(Debug, Serialize)]
pub struct Told<T> {
    /// As the command writes it.
    pub text: String,
    /// As data.
    pub answer: T,
}

/// An access pattern as text and numbers: the arguments of `viewmerge cute banks`.
///
/// ```
/// use viewmerge_cute::{Banks, Limit};
/// use viewmerge_json::layouts::Pattern;
///
/// let asked = Pattern { memory: "(32,32):(32,1)", pattern: Some("32:1"), bytes: None, vector: None };
/// let told = asked.conflicts(&Banks::default(), &Limit::none())?;
/// assert_eq!(told.answer.degree, 32);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// The layout of the memory, swizzled or not.
    pub memory: &'a str,
    /// (thread, values) to their positions; without it, the memory's layout is the pattern.
    pub pattern: Option<&'a str>,
    /// The bytes of an element, 4 by default.
    pub bytes: Option<i64>,
    /// How many values a thread reads at once, 1 by default.
    pub vector: Option<i64>,
}

impl Pattern<'_> {
    /// The access.
    ///
    /// # Errors
    ///
    /// If a text is not a layout.
    pub fn access(&self) -> Result<Access, Error> {
        Ok(Access {
            memory: self.memory.parse()?,
            pattern: self.pattern.map(str::parse).transpose()?,
            bytes: self.bytes.unwrap_or(4),
            vector: self.vector.unwrap_or(1),
        })
    }

    /// Its bank conflicts.
    ///
    /// # Errors
    ///
    /// As [`Access::conflicts`].
    pub fn conflicts(&self, banks: &Banks, limit: &Limit<'_>) -> Result<Told<Conflicts>, Error> {
        let answer = self.access()?.conflicts(banks, limit)?;
        Ok(Told { text: answer.to_string(), answer })
    }
}

/// A tile, or a layout of threads and values over one; without a layout, the reason.
#[derive(Debug, Serialize)]
pub struct Tile {
    /// Where a tile starts; the sizes of a tile that threads fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// Its rows and columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<[i64; 2]>,
    /// The layout.
    pub layout: Option<Layout>,
}

/// The answer of `viewmerge cute local_tile`: the tile at some place of a layout.
///
/// # Errors
///
/// As [`local_tile`].
pub fn tile_at(a: &str, tiler: &str, at: &[i64], limit: &Limit<'_>) -> Result<Told<Tile>, Error> {
    let tiler: Tiler = tiler.parse()?;
    Ok(match local_tile(&a.parse()?, &tiler, at, limit)? {
        Ok((start, layout)) => Told {
            text: if start == 0 { layout.to_string() } else { format!("{start} + {layout}") },
            answer: Tile { start: Some(start), tile: None, layout: Some(layout) },
        },
        Err(none) => nothing(&none.to_string()),
    })
}

/// The answer of `viewmerge cute tiled_copy`: which thread copies what.
///
/// # Errors
///
/// As [`tiled_copy`].
pub fn copied(threads: &str, values: &str, limit: &Limit<'_>) -> Result<Told<Tile>, Error> {
    Ok(match tiled_copy(&threads.parse()?, &values.parse()?, limit)? {
        Ok((tile @ [rows, columns], layout)) => Told {
            text: format!("{rows} by {columns}: {layout}"),
            answer: Tile { start: None, tile: Some(tile), layout: Some(layout) },
        },
        Err(none) => nothing(&none.to_string()),
    })
}

fn nothing(why: &str) -> Told<Tile> {
    let answer = Tile { start: None, tile: None, layout: None };
    Told { text: format!("no layout: {why}"), answer }
}

/// The answer of `viewmerge cute tiled_mma`: an instruction over warps.
///
/// # Errors
///
/// As [`Atom::tiled`]; also if no instruction has the name.
pub fn tiled(
    name: &str,
    warps: &str,
    repeat: Option<[i64; 3]>,
    limit: &Limit<'_>,
) -> Result<Atom, Error> {
    Atom::named(name)?.tiled(&warps.parse()?, repeat.unwrap_or([1, 1, 1]), limit)
}
