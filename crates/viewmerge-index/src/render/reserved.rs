//! The words that cannot be names: what each language reserves, and what the
//! code written here uses itself.
//!
//! `int` cannot be a name in C, nor `lambda` in Python; `Some` could be one in Rust,
//! but the code would mean another `Some` by it. Words are listed in `words.txt`,
//! families of them (`int4`, names that begin with two underscores) are rules.
//!
//! Cost: a search through a list of at most a few hundred words.

use alloc::string::String;

use super::Language;

/// Why a word cannot be a name in a language, if it cannot.
pub(super) fn refusal(language: Language, name: &str) -> Option<String> {
    if has(language.name(), name) || is_of_family(language, name) {
        return Some(format!("{language} reserves this word, take another name"));
    }
    let used = has(&format!("{language} used"), name);
    used.then(|| format!("the code itself uses this word in {language}, take another name"))
}

/// Why a word that may name an axis cannot name a function, if it cannot.
pub(super) fn refusal_of_function(language: Language, name: &str) -> Option<String> {
    let taken = has(&format!("{language} functions"), name);
    taken.then(|| format!("{language} has a function of this name, take another name"))
}

/// The words of a list; none if there is no such list.
fn words(title: &str) -> impl Iterator<Item = &'static str> {
    let text = include_str!("words.txt").lines();
    let mut lines = text.skip_while(move |line| line.strip_suffix(':') != Some(title));
    lines.next();
    lines.take_while(|line| !line.is_empty()).flat_map(str::split_ascii_whitespace)
}

/// Whether a list, or one that it takes up, has a word.
fn has(title: &str, name: &str) -> bool {
    words(title).any(|word| match word.strip_prefix('@') {
        Some(other) => has(other, name),
        None => word == name,
    })
}

/// Whether a rule of a language keeps a word from being a name.
fn is_of_family(language: Language, name: &str) -> bool {
    match language {
        Language::C | Language::Cuda => is_for_compilers(name),
        Language::OpenCl => {
            // as_int4 reads bits as another type.
            let read = name.strip_prefix("as_");
            is_for_compilers(name)
                || read.is_some_and(|of| has("scalars", of))
                || is_vector(read.unwrap_or(name), "scalars", &["2", "3", "4", "8", "16"])
        }
        Language::Metal => {
            let unpacked = name.strip_prefix("packed_").unwrap_or(name);
            is_for_compilers(name)
                || is_vector(unpacked, "scalars", &["2", "3", "4"])
                || is_matrix(name, "scalars", &["2", "3", "4"])
        }
        Language::Hlsl => {
            let sizes = &["1", "2", "3", "4"];
            is_for_compilers(name)
                || is_vector(name, "hlsl-scalars", sizes)
                || is_matrix(name, "hlsl-scalars", sizes)
        }
        Language::Wgsl => name == "_" || name.starts_with("__"),
        Language::Rust => name == "_",
        Language::Isl => has("isl", &name.to_ascii_lowercase()),
        _ => false,
    }
}

/// `__x` and `_X` belong to the compilers of C and its relatives.
fn is_for_compilers(name: &str) -> bool {
    let rest = name.strip_prefix('_').unwrap_or("");
    rest.starts_with(|letter: char| letter == '_' || letter.is_ascii_uppercase())
}

/// A type such as `int4`.
fn is_vector(name: &str, scalars: &str, sizes: &[&str]) -> bool {
    let size = |scalar: &str| name.strip_prefix(scalar).is_some_and(|rest| sizes.contains(&rest));
    words(scalars).any(size)
}

/// A type such as `float4x3`.
fn is_matrix(name: &str, scalars: &str, sizes: &[&str]) -> bool {
    let Some((vector, size)) = name.rsplit_once('x') else { return false };
    sizes.contains(&size) && is_vector(vector, scalars, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_take_up_others_that_exist() {
        assert_eq!(words("tinygrad").collect::<alloc::vec::Vec<_>>(), ["@python"]);
        assert!(has("cuda", "threadIdx") && has("cuda", "xor_eq") && has("c", "alignas"));
        assert!(!has("c", "xor_eq") && !has("c", "@c99") && !has("latex", "frac"));
        let all = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
        for title in all.flat_map(str::split_ascii_whitespace).filter_map(|w| w.strip_prefix('@')) {
            assert!(words(title).count() > 4, "{title}");
        }
    }
}
