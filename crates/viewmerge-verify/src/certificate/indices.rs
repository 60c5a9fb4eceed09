//! Reads claims that indices alone show.

use super::Content;
use crate::json::{Read, Reader};
use crate::number::Integer;

impl Reader<'_> {
    /// Reads a list of two indices.
    pub(super) fn two_indices(&mut self) -> Read<[Vec<Integer>; 2]> {
        self.sign(b'[', "a list of two indices")?;
        let first = self.integers()?;
        self.sign(b',', "`,` and a second index")?;
        let second = self.integers()?;
        self.sign(b']', "`]` after the second index")?;
        Ok([first, second])
    }

    /// Reads a view and an index of it that points outside the view below.
    pub(super) fn apart(&mut self) -> Read<Content> {
        let mut object = self.open("misfit", &["view", "index"])?;
        let (mut view, mut index) = (None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "view" => view = Some(self.integer()?),
                _ => index = Some(self.integers()?),
            }
        }
        match (view, index) {
            (Some(view), Some(index)) => Ok(Content::Apart { view, index }),
            _ => Err(self.incomplete(&object, "view and index")),
        }
    }
}
