//! 128-bit integers in serde formats: a number if it fits 64 bits, otherwise its digits as text,
//! because few formats have wider numbers.

use alloc::string::{String, ToString};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(number: &i128, to: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*number) {
        Ok(small) => to.serialize_i64(small),
        Err(_) => to.serialize_str(&number.to_string()),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Small(i64),
    Digits(String),
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
    match Written::deserialize(from)? {
        Written::Small(small) => Ok(small.into()),
        Written::Digits(digits) => {
            digits.parse().map_err(|_| D::Error::custom(format!("{digits:?} is not a number")))
        }
    }
}
