//! Lists that choose one value for each place.

/// Every list with every value behind it.
pub(crate) fn extended<T: Clone>(lists: &[Vec<T>], values: &[T]) -> impl Iterator<Item = Vec<T>> {
    lists.iter().flat_map(|list| {
        values.iter().map(|value| {
            let mut next = list.clone();
            next.push(value.clone());
            next
        })
    })
}
