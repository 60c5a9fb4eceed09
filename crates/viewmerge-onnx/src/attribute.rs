//! Attributes of nodes: as the planner reads them, and as files have them.

use std::collections::BTreeMap;

use viewmerge_plan::graph::Attribute;

use crate::proto;

/// An attribute as the planner reads it.
pub(crate) fn read(attribute: &proto::Attribute) -> Attribute {
    let kind = attribute.r#type.unwrap_or(0);
    let has = |number, there: bool| kind == number || kind == 0 && there;
    if has(2, attribute.i.is_some()) {
        return Attribute::Int(attribute.i());
    }
    if has(7, !attribute.ints.is_empty()) {
        return Attribute::Ints(attribute.ints.clone());
    }
    if has(1, attribute.f.is_some()) {
        return Attribute::Float(attribute.f());
    }
    if has(6, !attribute.floats.is_empty()) {
        return Attribute::Floats(attribute.floats.clone());
    }
    let text = attribute.s.as_ref().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    match text {
        Some(text) if has(3, true) => Attribute::Text(text),
        _ => Attribute::Other,
    }
}

/// An attribute as files have it.
pub(crate) fn new(name: &str, value: &Attribute) -> proto::Attribute {
    let mut written = proto::Attribute { name: Some(name.into()), ..proto::Attribute::default() };
    let kind = match value {
        Attribute::Float(number) => {
            written.f = Some(*number);
            1
        }
        Attribute::Int(number) => {
            written.i = Some(*number);
            2
        }
        Attribute::Text(text) => {
            written.s = Some(text.clone().into());
            3
        }
        Attribute::Floats(numbers) => {
            written.floats.clone_from(numbers);
            6
        }
        Attribute::Ints(numbers) => {
            written.ints.clone_from(numbers);
            7
        }
        _ => 0,
    };
    written.r#type = Some(kind);
    written
}

/// The attributes of a planned op: those of the file that stay, unchanged, then new ones.
pub(crate) fn written(
    original: &[proto::Attribute],
    planned: &BTreeMap<String, Attribute>,
) -> Vec<proto::Attribute> {
    let mut left = planned.clone();
    let mut written = Vec::new();
    for one in original {
        match left.remove(one.name()) {
            Some(value) if value == Attribute::Other || value == read(one) => {
                written.push(one.clone())
            }
            Some(value) => written.push(new(one.name(), &value)),
            None => {}
        }
    }
    written.extend(left.iter().map(|(name, value)| new(name, value)));
    written
}
