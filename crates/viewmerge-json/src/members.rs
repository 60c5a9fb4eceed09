//! The members that a question may have, and those that a line has.
//!
//! One table says what every kind of question needs and what it may have besides; any other member is
//! refused, since a mistyped one would silently change the question. Every line may also have `id`, which
//! its answer repeats, and `name` and `expect`, in which sets of questions note what a line is about and its
//! expected answer; these two are not read.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::refused::Refused;

/// A kind of question.
pub(crate) struct Kind {
    /// Its name, `"ask"`; empty if it is recognised by its members.
    pub ask: &'static str,
    /// The members it must have.
    pub needs: &'static [&'static str],
    /// The members it may have besides; `steps` is always allowed.
    pub may: &'static [&'static str],
}

const fn kind(
    ask: &'static str,
    needs: &'static [&'static str],
    may: &'static [&'static str],
) -> Kind {
    Kind { ask, needs, may }
}

/// The members that every line may have; only `id` is read.
const BESIDE: [&str; 3] = ["id", "name", "expect"];

const PICTURE: &[&str] = &[
    "chain", "layout", "kind", "tile", "thread", "a", "b", "bytes", "vector", "banks", "width",
    "lanes", "at",
];

/// All kinds of questions. Without a name, the first kind whose members are there is asked.
pub(crate) const KINDS: [Kind; 36] = [
    kind("", &["views"], &["certify", "split"]),
    kind("", &["view", "new_shape"], &["certify", "split"]),
    kind("", &["shape", "ops"], &["certify", "split"]),
    kind("", &["params", "chain", "other"], &[]),
    kind("", &["params", "chain"], &["split"]),
    kind("", &["chain"], &["certify", "split"]),
    kind("", &["expr"], &["vars", "valid", "certify", "split"]),
    kind("", &["cute", "a"], &["b", "extend"]),
    kind("merge", &["chain"], &["params"]),
    kind("read", &["chain"], &[]),
    kind("views", &["chain"], &[]),
    kind("cells", &["chain"], &["windows"]),
    kind("trace", &["chain", "index"], &[]),
    kind("witness", &["chain"], &[]),
    kind("remedies", &["chain"], &[]),
    kind("explain", &["chain"], &["table", "params"]),
    kind("conditions", &["chain"], &["open", "table"]),
    kind("expr", &["chain"], &["lang", "names", "function", "shifts", "bare", "params"]),
    kind("guarded", &["chain"], &[]),
    kind("split", &["chain"], &["params"]),
    kind("dims", &["chain"], &[]),
    kind("equal", &["chain", "other"], &["params"]),
    kind("difference", &["chain", "other"], &[]),
    kind("certify", &["chain"], &["other"]),
    kind("draw", &[], PICTURE),
    kind("cute", &["cute", "a"], &["b", "extend"]),
    kind("atoms", &[], &["name"]),
    kind("banks", &["a"], &["b", "bytes", "vector", "banks", "width", "lanes"]),
    kind("sectors", &["a"], &["b", "bytes", "vector"]),
    kind("tiled_mma", &["name", "b"], &["repeat"]),
    kind("tiled_copy", &["a", "b"], &[]),
    kind("local_tile", &["a", "b", "at"], &[]),
    kind("sweep", &["before", "after", "from", "to"], &[]),
    kind("languages", &[], &[]),
    kind("palette", &[], &[]),
    kind("verify", &["certificate"], &[]),
];

impl Kind {
    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Result<&'static Kind, Refused> {
        let found = KINDS.iter().find(|kind| !kind.ask.is_empty() && kind.ask == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.ask).collect();
            let known = listed(known.into_iter().filter(|name| !name.is_empty()), "and");
            Refused::new("question", format!("there is no question {name:?}, there are {known}"))
        })
    }

    /// All members that such a question may have.
    fn takes(&self) -> impl Iterator<Item = &'static str> {
        let name = (!self.ask.is_empty()).then_some("ask");
        let own = name.into_iter().chain(self.needs.iter().chain(self.may).copied());
        let shared = ["steps"].into_iter().chain(BESIDE);
        own.chain(shared.filter(|name| !self.may.contains(name) && !self.needs.contains(name)))
    }

    /// The title of such a question: its name, or the members that ask it.
    fn title(&self) -> String {
        match self.ask {
            "" => format!("a question with {}", quoted(self.needs.iter().copied())),
            name => format!("the question {name:?}"),
        }
    }
}

/// `a, b and c`.
fn listed<'a>(words: impl Iterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, words)) => format!("{} {last} {end}", words.join(", ")),
        None => String::new(),
    }
}

/// `"a", "b"`.
fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

/// The members of an object, in their order.
pub(crate) struct Entries<T>(pub Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Entries<T> {
        Entries(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries<T>, D::Error> {
        struct Collect<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Collect<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect(std::marker::PhantomData))
    }
}

/// The members of an object, unread.
pub(crate) type Members<'a> = Entries<&'a RawValue>;

impl<'a> Members<'a> {
    /// The first member with this name.
    pub(crate) fn value(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The first member with this name, if it is not null.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.value(name).filter(|value| value.get() != "null")
    }

    /// The `id`, a text or a number, as written.
    pub(crate) fn id(&self) -> Result<Option<&'a str>, Refused> {
        let id = self.get("id");
        match id.filter(|id| !is_id(id)) {
            Some(id) => Err(expected("id", "text or a number", id.get())),
            None => Ok(id.map(RawValue::get)),
        }
    }

    /// Refuses members that are given twice.
    pub(crate) fn check_once(&self, part: &str) -> Result<(), Refused> {
        let twice =
            self.0.iter().enumerate().find(|(place, (name, _))| {
                self.0[..*place].iter().any(|(before, _)| before == name)
            });
        match twice {
            Some((_, (name, _))) => Err(json(part, format_args!("it has \"{name}\" twice"))),
            None => Ok(()),
        }
    }

    /// Refuses any other member.
    pub(crate) fn check_known(
        &self,
        part: &str,
        of: &str,
        known: &[&'static str],
    ) -> Result<(), Refused> {
        let mut names = self.0.iter().map(|(name, _)| name.as_str());
        match names.find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let meant = did_you_mean(name, known.iter().copied());
                let known = quoted(known.iter().copied());
                let message =
                    format!("{part}: unknown member {name:?} of {of}{meant} It takes {known}.");
                Err(Refused::new("question", message))
            }
        }
    }

    /// The kind of the question, by its name or its members; refused if it lacks a member it
    /// needs, or has one it does not take. A member that is null is as good as left out.
    pub(crate) fn kind(&self) -> Result<&'static Kind, Refused> {
        self.check_once("line")?;
        let has = |name: &&str| self.get(name).is_some();
        let named = match self.get("ask") {
            Some(name) => {
                let name: Cow<'_, str> = serde_json::from_str(name.get())
                    .map_err(|_| expected("ask", "the name of a question", name.get()))?;
                Some(Kind::named(&name)?)
            }
            None => None,
        };
        let by_members =
            || KINDS.iter().find(|kind| kind.ask.is_empty() && kind.needs.iter().all(has));
        let Some(kind) = named.or_else(by_members) else { return Err(self.no_question()) };
        let elsewhere = |name: &str| KINDS.iter().flat_map(Kind::takes).any(|one| one == name);
        let given = self.0.iter().filter(|(name, value)| value.get() != "null" || !elsewhere(name));
        let takes: Vec<&str> = kind.takes().collect();
        Entries(given.cloned().collect()).check_known("line", &kind.title(), &takes)?;
        match kind.needs.iter().find(|name| !has(name)) {
            Some(name) => Err(Refused::new("question", format!("{} needs {name:?}", kind.ask))),
            None => Ok(kind),
        }
    }

    /// Why these members are not a question.
    fn no_question(&self) -> Refused {
        let by_members = || KINDS.iter().filter(|kind| kind.ask.is_empty());
        let takes = || KINDS.iter().flat_map(Kind::takes);
        let unknown = self.0.iter().map(|(name, _)| name.as_str());
        let mut unknown = unknown.filter(|name| takes().all(|one| one != *name));
        let hint = match unknown.next() {
            Some(name) => {
                let of_lines = by_members().flat_map(Kind::takes);
                format!("unknown member {name:?}{} A", did_you_mean(name, of_lines))
            }
            None => "a".to_owned(),
        };
        let half = by_members().find_map(|kind| match kind.needs {
            [one, other] if self.get(one).is_some() => Some((one, other)),
            [one, other] if self.get(other).is_some() => Some((other, one)),
            _ => None,
        });
        let half = half.map(|(given, missing)| format!("; it has {given:?} without {missing:?}"));
        let asked = by_members().map(|kind| {
            kind.needs.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" and ")
        });
        let asked: Vec<String> = asked.filter(|one| !one.contains("params")).collect();
        let message = format!(
            "line: {hint} question has {}, or \"ask\"{}",
            asked.join(", or "),
            half.unwrap_or_default()
        );
        Refused::new("question", message)
    }
}

/// Whether an `id` is text or a number, which have no line ends.
pub(crate) fn is_id(id: &RawValue) -> bool {
    id.get().starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

/// `, did you mean "steps"?` where a member looks like another one, else a full stop.
fn did_you_mean(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let distance = |known: &&str| strsim::osa_distance(&name.to_lowercase(), known);
    let near = known.min_by_key(distance).filter(|near| distance(near) <= (near.len() / 3).max(1));
    near.map_or(".".to_owned(), |near| format!(", did you mean {near:?}?"))
}

/// A failure to read a part of a line.
pub(crate) fn json(part: &str, why: fmt::Arguments<'_>) -> Refused {
    Refused::new("json", format!("{part}: {why}"))
}

/// A part of a line that holds something it may not.
pub(crate) fn expected(part: &str, what: &str, found: &str) -> Refused {
    json(part, format_args!("expected {what}, found {}", short(found)))
}

/// JSON as it stands, shortened if it is long.
fn short(value: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    let value = value.trim();
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &value[..end]).into(),
        None => value.into(),
    }
}
