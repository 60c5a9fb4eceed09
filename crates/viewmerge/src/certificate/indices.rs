//! Certificates that consist of indices only.

use super::{Answer, Certificate};
use crate::error::Error;
use crate::limit::Limit;
use crate::merge::check_chain;
use crate::view::View;

/// Certifies that views do not compose, by an index that points outside; `None` if they do compose.
///
/// ```
/// use viewmerge::{View, certify_apart};
///
/// let views: [View; 2] = ["(3):(2)".parse()?, "(4)".parse()?];
/// let certificate = certify_apart(&views).expect("index 3 is outside");
/// assert!(certificate.to_string().ends_with(r#""apart":{"view":1,"index":[3]}}"#));
/// assert!(certify_apart(&views[..1]).is_none());
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn certify_apart(views: &[View]) -> Option<Certificate> {
    match check_chain(views) {
        Err(Error::NotComposable { view, index, .. }) => {
            let answer = Answer::Apart(view, index);
            Some(Certificate { views: views.to_vec(), other: None, answer })
        }
        _ => None,
    }
}

/// Certifies that a view is not injective, by two indices at one position; `None` if it is injective.
///
/// # Errors
///
/// [`Error::Undecided`] if the limit is reached first.
///
/// ```
/// use viewmerge::{Limit, View, certify_collision};
///
/// let windows: View = "(4,3):(1,1)".parse()?;
/// let certificate = certify_collision(&windows, &Limit::none())?.expect("windows overlap");
/// assert!(certificate.to_string().contains(r#""collision":[["#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn certify_collision(view: &View, limit: &Limit<'_>) -> Result<Option<Certificate>, Error> {
    let certificate = |indices| Certificate {
        views: [view.clone()].into(),
        other: None,
        answer: Answer::Collision(indices),
    };
    Ok(view.collision(limit)?.map(certificate))
}
