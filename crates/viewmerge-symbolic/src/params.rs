//! The parameters of a question: names, ranges, multiples, and what else is known.

use viewmerge::internal::Scanner;

use crate::error::Error;
use crate::scan::is_name;

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The least value; `None` for any.
    pub min: Option<i64>,
    /// The greatest value; `None` for any.
    pub max: Option<i64>,
    /// What it is a multiple of; 1 for no restriction.
    pub multiple: i64,
}

/// The parameters that expressions may name.
///
/// ```
/// use viewmerge_symbolic::Params;
///
/// let params = Params::new().size("N")?.range("B", Some(0), Some(8))?.multiple("M", 4)?;
/// let params = params.assume("N >= 2*B")?;
/// assert_eq!(params.names().collect::<Vec<_>>(), ["N", "B", "M"]);
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params {
    pub(crate) list: Vec<Param>,
    pub(crate) assumed: Vec<String>,
}

/// Ranges are kept to what sizes and strides may be.
const FAR: i64 = 1 << 62;

impl Params {
    /// No parameters.
    ///
    /// ```
    /// assert_eq!(viewmerge_symbolic::Params::new().names().count(), 0);
    /// ```
    pub fn new() -> Params {
        Params::default()
    }

    /// With a parameter that is 1 or more.
    ///
    /// # Errors
    ///
    /// If the name is none or declared already.
    ///
    /// ```
    /// assert!(viewmerge_symbolic::Params::new().size("N")?.size("N").is_err());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn size(self, name: &str) -> Result<Params, Error> {
        self.range(name, Some(1), None)
    }

    /// With a parameter that is any integer, as a stride may be.
    ///
    /// # Errors
    ///
    /// If the name is none or declared already.
    ///
    /// ```
    /// assert!(viewmerge_symbolic::Params::new().integer("stride 0").is_err());
    /// ```
    pub fn integer(self, name: &str) -> Result<Params, Error> {
        self.range(name, None, None)
    }

    /// With a parameter in a range.
    ///
    /// # Errors
    ///
    /// If the name is none or declared already, or the range is empty.
    ///
    /// ```
    /// assert!(viewmerge_symbolic::Params::new().range("N", Some(3), Some(2)).is_err());
    /// ```
    pub fn range(self, name: &str, min: Option<i64>, max: Option<i64>) -> Result<Params, Error> {
        self.declare(Param { name: name.to_owned(), min, max, multiple: 1 })
    }

    /// With a parameter of 1 or more that is a multiple of a number.
    ///
    /// # Errors
    ///
    /// If the name is none or declared already, or the number is below 1.
    ///
    /// ```
    /// assert!(viewmerge_symbolic::Params::new().multiple("N", 0).is_err());
    /// ```
    pub fn multiple(self, name: &str, multiple: i64) -> Result<Params, Error> {
        self.declare(Param { name: name.to_owned(), min: Some(1), max: None, multiple })
    }

    /// With any parameter.
    ///
    /// # Errors
    ///
    /// If the name is none or declared already, no value is left, or the multiple is below 1.
    ///
    /// ```
    /// use viewmerge_symbolic::{Param, Params};
    ///
    /// let n = Param { name: "N".into(), min: Some(5), max: Some(7), multiple: 4 };
    /// assert_eq!(
    ///     Params::new().declare(n).unwrap_err().to_string(),
    ///     "N from 5 to 7, a multiple of 4, leaves no value",
    /// );
    /// ```
    pub fn declare(mut self, param: Param) -> Result<Params, Error> {
        let name = param.name.clone();
        if !is_name(&name) {
            return Err(Error::BadName { name });
        }
        if self.list.iter().any(|known| known.name == name) {
            return Err(Error::Redeclared { name });
        }
        if param.multiple < 1 {
            return Err(Error::BadMultiple { name, multiple: param.multiple });
        }
        let far = |bound: Option<i64>| bound.is_some_and(|b| !(-FAR..=FAR).contains(&b));
        if far(param.min) || far(param.max) {
            return Err(Error::TooLarge);
        }
        if let (Some(from), Some(to), (Some(lo), Some(hi))) =
            (param.min, param.max, param.quotients())
            && lo > hi
        {
            let what = match param.multiple {
                1 => format!("{name} from {from} to {to}"),
                m => format!("{name} from {from} to {to}, a multiple of {m},"),
            };
            return Err(Error::Contradiction { what });
        }
        self.list.push(param);
        Ok(self)
    }

    /// With something else that is known of the parameters declared: a comparison, or several
    /// joined by `and`.
    ///
    /// # Errors
    ///
    /// If the text is no comparison, names something undeclared, or leaves no value.
    ///
    /// ```
    /// use viewmerge_symbolic::Params;
    ///
    /// let params = Params::new().size("S")?.size("T")?;
    /// assert!(params.clone().assume("S >= T").is_ok());
    /// assert!(params.assume("S*T <= 0").is_err());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn assume(mut self, text: &str) -> Result<Params, Error> {
        self.assumed.push(text.to_owned());
        self.start()?;
        Ok(self)
    }

    /// The names, in the order of declaration.
    ///
    /// ```
    /// let params = viewmerge_symbolic::Params::new().size("N")?;
    /// assert_eq!(params.names().collect::<Vec<_>>(), ["N"]);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|param| param.name.as_str())
    }

    /// The parameters, in the order of declaration.
    ///
    /// ```
    /// let params = viewmerge_symbolic::Params::new().size("N")?;
    /// assert_eq!(params.list()[0].min, Some(1));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn list(&self) -> &[Param] {
        &self.list
    }

    /// Reads declarations as commands take them: `N`, `N>=2`, `N<=64`, `N%4==0`, `s:int`, several
    /// joined by commas, of one parameter or of more; without a lower bound a parameter is 1 or
    /// more, with `:int` any integer.
    ///
    /// # Errors
    ///
    /// If the text is no declaration, or what [`Params::declare`] refuses.
    ///
    /// ```
    /// use viewmerge_symbolic::Params;
    ///
    /// let params = Params::new().read("N>=2,N<=64,N%4==0,M")?.read("s:int")?;
    /// assert_eq!(params.names().collect::<Vec<_>>(), ["N", "M", "s"]);
    /// assert_eq!((params.list()[0].max, params.list()[2].min), (Some(64), None));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn read(self, text: &str) -> Result<Params, Error> {
        let mut read: Vec<Param> = Vec::new();
        for part in text.split(',') {
            let mut scan = Scanner::new(part);
            let name = scan.word();
            let place = read.iter().position(|param| param.name == name).unwrap_or(read.len());
            if place == read.len() {
                read.push(Param { name, min: Some(1), max: None, multiple: 1 });
            }
            let known = &mut read[place];
            let bounds = [(">=", 0), ("<=", 0), (">", 1), ("<", -1)];
            if scan.take(':') {
                if !scan.take_all("int") {
                    return Err(scan.unexpected("`int`").into());
                }
                known.min = None;
            } else if let Some((sign, more)) =
                bounds.into_iter().find(|(sign, _)| scan.take_all(sign))
            {
                let bound = if sign.starts_with('>') { &mut known.min } else { &mut known.max };
                *bound = Some(scan.number()?.saturating_add(more));
            } else if scan.take('%') {
                known.multiple = scan.number()?;
                if !scan.take_all("==") || scan.number()? != 0 {
                    return Err(scan.unexpected("`== 0`").into());
                }
            }
            scan.end()?;
        }
        read.into_iter().try_fold(self, Params::declare)
    }
}

impl Param {
    /// The bounds of the parameter divided by its multiple.
    pub(crate) fn quotients(&self) -> (Option<i64>, Option<i64>) {
        let m = self.multiple;
        (self.min.map(|lo| -(-lo).div_euclid(m)), self.max.map(|hi| hi.div_euclid(m)))
    }

    /// Whether a value fits the declaration.
    pub(crate) fn admits(&self, value: i128) -> bool {
        self.min.is_none_or(|min| value >= min.into())
            && self.max.is_none_or(|max| value <= max.into())
            && value.rem_euclid(self.multiple.into()) == 0
    }
}
