//! The style sheet of a picture.
//!
//! Cells bring their own colours. Everything else lies on the page, whose
//! background is not known: a tone in the middle is readable on both, and where
//! the viewer says which it is, the colours move away from it. The names are
//! nested under one class, so a picture can be put into a page as it is.

/// The class of the whole picture.
pub(crate) const ROOT: &str = "viewmerge";

/// The rules, the same in every picture.
pub(crate) const SHEET: &str = "\
.viewmerge{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
.viewmerge text{fill:#7a7a7a}
.viewmerge .title{font-size:16px;font-weight:bold}
.viewmerge .head{font-size:13px}
.viewmerge .num{font-size:12px}
.viewmerge .small{font-size:11px}
.viewmerge .mid{text-anchor:middle}
.viewmerge .end{text-anchor:end}
.viewmerge .on-dark{fill:#fff}
.viewmerge .on-light{fill:#000}
.viewmerge .line{fill:none;stroke:#8a8a8a}
.viewmerge .dash{stroke-dasharray:4 3}
.viewmerge .hatch{fill:none;stroke:#8a8a8a;stroke-opacity:.55}
.viewmerge .tip{fill:#8a8a8a}
.viewmerge text.odd,.viewmerge .tip.odd{fill:#e0432f}
.viewmerge text.odd{font-weight:bold}
.viewmerge .line.odd{stroke:#e0432f;stroke-width:2}
.viewmerge .mark{fill:none;stroke:#e0432f;stroke-width:3}
.viewmerge .mark.good{stroke:#1f8fd6}
@media (prefers-color-scheme:light){.viewmerge text{fill:#333}.viewmerge text.odd{fill:#c22a17}}
@media (prefers-color-scheme:dark){.viewmerge text{fill:#ddd}.viewmerge text.odd{fill:#ff8a75}}
";
