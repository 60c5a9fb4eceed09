//! The picture as a whole: what is drawn, its options, and its panels below each other.

use std::fmt;

use svg::Document;
use svg::node::Node;
use svg::node::element::{Element, Group, Style};
use viewmerge::{Error, GuardedView, Limit, Verdict, View, ViewChain};

use crate::caption::wrap;
use crate::function::Function;
use crate::layout::USUAL_CELLS;
use crate::panel::{Arrows, LEAST_CAPTION, Panel};
use crate::style::{ROOT, SHEET};
use crate::text::{Anchor, Font, printable, rounded, text};

const MARGIN: f64 = 12.0;
const BETWEEN_PANELS: f64 = 22.0;
/// Of a longer chain the views next to memory and the last ones are drawn.
const MOST_VIEWS: usize = 8;
/// Steps of search before a picture says that it does not know; a fraction of a second.
const SEARCH: u64 = 500_000;

/// A picture of a view, of a chain, or of why a chain is or is not one view.
///
/// It is written as SVG by [`Display`](fmt::Display) and [`Drawing::to_svg`].
/// Any view can be drawn, also one that is empty, never valid or huge. The same
/// drawing is always the same text.
///
/// ```
/// use viewmerge::View;
/// use viewmerge_draw::Drawing;
///
/// let huge = View::contiguous(&[1 << 31, 1 << 31])?;
/// let svg = Drawing::of_view(&huge).to_string();
/// assert!(svg.contains("…") && svg.len() < 100_000);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a drawing is only a plan until it is written"]
pub struct Drawing {
    subject: Subject,
    chain: ViewChain,
    title: Option<String>,
    most_cells: usize,
}

#[derive(Debug, Clone)]
enum Subject {
    View,
    Guarded(Box<GuardedView>),
    Chain,
    Merge,
}

impl Drawing {
    /// The picture of one view: every index, with its memory position.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&"(2,3):(1,2)+40".parse()?).to_svg();
    /// assert!(svg.contains("(2,3):(1,2)+40"));
    /// assert!(svg.contains(">45</text>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_view(view: &View) -> Drawing {
        Drawing::new(Subject::View, view.clone().into())
    }

    /// The picture of a view with guards: what the guards keep out is padding.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_draw::Drawing;
    ///
    /// let window: ViewChain = "(7):(1)-1 [1:6] | (5,3):(1,1)".parse()?;
    /// let svg = Drawing::of_guarded(&window.guarded(&Limit::none())?.unwrap()).to_svg();
    /// assert!(svg.contains("(5,3):(1,1)-1 if 1 &lt;= i0 + i1 &lt; 6"));
    /// assert!(svg.contains("hatched: padding"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_guarded(guarded: &GuardedView) -> Drawing {
        Drawing::new(Subject::Guarded(guarded.clone().into()), guarded.view().clone().into())
    }

    /// The picture of a chain: what it comes to at the top, then its views, the
    /// one next to memory at the bottom.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    /// use viewmerge_draw::Drawing;
    ///
    /// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    /// let svg = Drawing::of_chain(&chain).to_svg();
    /// assert!(svg.contains("all together: (3,2):(1,3) | (6):(1)"));
    /// assert!(svg.contains("view 0, next to memory: (3,2):(1,3)"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_chain(chain: &ViewChain) -> Drawing {
        Drawing::new(Subject::Chain, chain.clone())
    }

    /// The picture of whether a chain is one view: the steps between neighbours,
    /// those that differ from the first one standing out, and the answer. If it
    /// is "no", the indices of the [`Witness`](viewmerge::Witness) are framed.
    ///
    /// The search behind the answer is limited to a fraction of a second; a
    /// contrived chain may be drawn as undecided.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    /// use viewmerge_draw::Drawing;
    ///
    /// let views = ["(10,3,3):(8,1,2)".parse()?, "(6):(4)".parse()?];
    /// let svg = Drawing::of_merge(&ViewChain::from_views(&views)?).to_svg();
    /// assert!(svg.contains(">+8</text>"));
    /// assert!(svg.contains("the step from (0) is 3"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_merge(chain: &ViewChain) -> Drawing {
        Drawing::new(Subject::Merge, chain.clone())
    }

    fn new(subject: Subject, chain: ViewChain) -> Drawing {
        Drawing { subject, chain, title: None, most_cells: USUAL_CELLS }
    }

    /// The drawing with a title at the top.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&View::contiguous(&[3])?).title("a < b").to_svg();
    /// assert!(svg.contains("a &lt; b"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn title(mut self, title: &str) -> Drawing {
        self.title = Some(title.to_owned());
        self
    }

    /// The drawing with about so many cells at most in each grid; 240 unless told.
    ///
    /// With more cells, longer axes are shown whole. The first and last index of
    /// the shown axes stay however few are asked for, and 10 000 cells are the
    /// most that are drawn.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let drawing = Drawing::of_view(&View::contiguous(&[20, 20])?);
    /// assert!(!drawing.to_svg().contains(">210</text>"));
    /// assert!(drawing.most_cells(1000).to_svg().contains(">210</text>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn most_cells(mut self, cells: usize) -> Drawing {
        self.most_cells = cells;
        self
    }

    /// The picture as one SVG document.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&View::contiguous(&[2])?).to_svg();
    /// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        self.to_string()
    }

    fn panels(&self) -> Vec<Panel> {
        match &self.subject {
            Subject::Guarded(guarded) => {
                vec![self.panel(guarded.to_string(), Function::Guarded(guarded))]
            }
            Subject::View => vec![self.panel(self.chain.to_string(), Function::Chain(&self.chain))],
            Subject::Chain => self.chain_panels(),
            Subject::Merge => vec![self.merge_panel()],
        }
    }

    fn panel(&self, heading: String, function: Function<'_>) -> Panel {
        Panel::new(heading, function, self.most_cells, Arrows::No, None)
    }

    fn chain_panels(&self) -> Vec<Panel> {
        let views = self.chain.views();
        let mut panels =
            vec![self.panel(format!("all together: {}", self.chain), Function::Chain(&self.chain))];
        let left_out = 1..1 + views.len().saturating_sub(MOST_VIEWS);
        for (number, view) in views.iter().enumerate().rev() {
            if left_out.contains(&number) {
                continue;
            }
            let role = if number == 0 { ", next to memory" } else { "" };
            let chain = view.clone().into();
            let heading = format!("view {number}{role}: {view}");
            let mut panel = self.panel(heading, Function::Chain(&chain));
            if number == left_out.end && !left_out.is_empty() {
                let words = format!("{} views below this one are not drawn", left_out.len());
                panel = panel.remark(words, false);
            }
            panels.push(panel);
        }
        panels
    }

    fn merge_panel(&self) -> Panel {
        let (words, witness) = match self.chain.merge(&Limit::steps(SEARCH)) {
            Ok(Verdict::Merged(view)) => (format!("one view: {view}"), None),
            Ok(Verdict::NotMergeable(witness)) => {
                (format!("not one view: {witness}"), Some(witness))
            }
            Err(Error::Undecided { .. }) => ("undecided: the search was too long".to_owned(), None),
            Err(error) => (format!("refused: {error}"), None),
        };
        let odd = witness.is_some();
        let heading = self.chain.to_string();
        let function = Function::Chain(&self.chain);
        let panel = Panel::new(heading, function, self.most_cells, Arrows::Yes, witness);
        panel.remark(words, odd)
    }

    fn document(&self) -> Document {
        let mut groups = Vec::new();
        let mut width: f64 = 0.0;
        let mut y = MARGIN;
        let mut bodies = Vec::new();
        for panel in self.panels() {
            let mut group = Group::new();
            let (wide, high) = panel.draw(&mut group);
            width = width.max(wide);
            bodies.push((group, high));
        }
        if let Some(title) = &self.title {
            for line in wrap(title, Font::Title, width.max(LEAST_CAPTION)) {
                groups.push(text(Font::Title, "", Anchor::Start, (MARGIN, y + 16.0), &line));
                width = width.max(Font::Title.width(&line));
                y += Font::Title.line();
            }
            y += 6.0;
        }
        let mut document = Document::new();
        for (group, high) in bodies {
            let place = format!("translate({MARGIN} {})", rounded(y));
            groups.push(group.set("transform", place).into());
            y += high + BETWEEN_PANELS;
        }
        let (width, height) = (rounded(width + 2.0 * MARGIN), rounded(y - BETWEEN_PANELS + MARGIN));
        document.assign("class", ROOT);
        document.assign("role", "img");
        document.assign("viewBox", (0, 0, width, height));
        document.assign("width", width);
        document.assign("height", height);
        document.append(self.name());
        document.append(Style::new(SHEET));
        for group in groups {
            document.append(group);
        }
        document
    }

    /// What a screen reader says, and a browser shows when asked.
    fn name(&self) -> Element {
        let name = self.title.clone().unwrap_or_else(|| self.chain.to_string());
        let mut element = Element::new("title");
        element.append(svg::node::Text::new(printable(&name)));
        element
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Always in the same form, whatever the flags of the formatter.
        f.write_str(&self.document().to_string())
    }
}
