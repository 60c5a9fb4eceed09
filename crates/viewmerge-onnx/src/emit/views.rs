//! Stored layouts under another shape or name: a Reshape or an Identity where one is needed.

use viewmerge_plan::plan::Place;

use super::Emitter;
use crate::error::Error;
use crate::proto::Node;

impl Emitter<'_> {
    /// A stored layout in a shape.
    pub(super) fn view(&mut self, place: Place, shape: &[i64]) -> Result<String, Error> {
        let (name, sizes) = self.stored(place)?;
        if sizes == shape {
            return Ok(name);
        }
        if let Some(view) = self.views.get(&(place, shape.to_vec())) {
            return Ok(view.clone());
        }
        let view = self.names.tensor(&self.root(place), "_view");
        self.reshape(&name, &view, shape);
        self.info(place, &view, shape);
        self.views.insert((place, shape.to_vec()), view.clone());
        Ok(view)
    }

    /// Ensures that a name stands for a stored layout in a shape.
    pub(super) fn named(&mut self, place: Place, name: &str, shape: &[i64]) -> Result<(), Error> {
        let (source, sizes) = self.stored(place)?;
        if source == name || !self.done.insert(name.into()) {
            return Ok(());
        }
        self.info(place, name, shape);
        match sizes == shape {
            true => {
                let node_name = self.names.node("same");
                self.nodes.push(Node {
                    input: vec![source],
                    output: vec![name.into()],
                    name: Some(node_name),
                    op_type: Some("Identity".into()),
                    ..Node::default()
                });
            }
            false => self.reshape(&source, name, shape),
        }
        Ok(())
    }

    pub(super) fn reshape(&mut self, from: &str, to: &str, shape: &[i64]) {
        let sizes = self.values(shape, &[i64::try_from(shape.len()).unwrap_or_default()]);
        let name = self.names.node("view");
        self.nodes.push(Node {
            input: vec![from.into(), sizes],
            output: vec![to.into()],
            name: Some(name),
            op_type: Some("Reshape".into()),
            ..Node::default()
        });
    }
}
