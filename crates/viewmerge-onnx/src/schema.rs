//! The fields of each message, used to check the bytes.
//!
//! This table exists in addition to the types, because these drop unknown fields. A test compares the
//! two.

use crate::proto::*;

/// The fields of one kind of message.
pub(crate) struct Schema {
    /// The message's name.
    pub name: &'static str,
    /// Its size in memory, without what it points to.
    pub size: usize,
    /// Fields that hold a value.
    pub plain: &'static [u32],
    /// Fields that hold a message.
    pub nested: &'static [(u32, &'static Schema)],
    /// The message read and written back, if it can be read.
    #[cfg(test)]
    pub again: fn(&[u8]) -> Option<Vec<u8>>,
}

macro_rules! message {
    ($constant:ident, $type:ident, $plain:expr, $nested:expr) => {
        pub(crate) static $constant: Schema = Schema {
            name: stringify!($type),
            size: size_of::<$type>(),
            plain: &$plain,
            nested: &$nested,
            #[cfg(test)]
            again: |bytes| {
                use prost::Message as _;
                $type::decode(bytes).ok().map(|message| message.encode_to_vec())
            },
        };
    };
}

message!(
    MODEL,
    Model,
    [1, 2, 3, 4, 5, 6],
    [
        (7, &GRAPH),
        (8, &OPERATOR_SET_ID),
        (14, &STRING_STRING_ENTRY),
        (20, &TRAINING_INFO),
        (25, &FUNCTION),
        (26, &DEVICE_CONFIGURATION)
    ]
);
message!(
    GRAPH,
    Graph,
    [2, 10],
    [
        (1, &NODE),
        (5, &TENSOR),
        (11, &VALUE_INFO),
        (12, &VALUE_INFO),
        (13, &VALUE_INFO),
        (14, &TENSOR_ANNOTATION),
        (15, &SPARSE_TENSOR),
        (16, &STRING_STRING_ENTRY)
    ]
);
message!(
    NODE,
    Node,
    [1, 2, 3, 4, 6, 7, 8],
    [(5, &ATTRIBUTE), (9, &STRING_STRING_ENTRY), (10, &NODE_DEVICE_CONFIGURATION)]
);
message!(
    ATTRIBUTE,
    Attribute,
    [1, 2, 3, 4, 7, 8, 9, 13, 20, 21],
    [
        (5, &TENSOR),
        (6, &GRAPH),
        (10, &TENSOR),
        (11, &GRAPH),
        (14, &TYPE),
        (15, &TYPE),
        (22, &SPARSE_TENSOR),
        (23, &SPARSE_TENSOR)
    ]
);
message!(
    TENSOR,
    Tensor,
    [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    [(3, &SEGMENT), (13, &STRING_STRING_ENTRY), (16, &STRING_STRING_ENTRY)]
);
message!(SEGMENT, Segment, [1, 2], []);
message!(SPARSE_TENSOR, SparseTensor, [3], [(1, &TENSOR), (2, &TENSOR)]);
message!(VALUE_INFO, ValueInfo, [1, 3], [(2, &TYPE), (4, &STRING_STRING_ENTRY)]);
message!(
    TYPE,
    Type,
    [6],
    [
        (1, &TENSOR_TYPE),
        (4, &SEQUENCE_TYPE),
        (5, &MAP_TYPE),
        (7, &OPAQUE_TYPE),
        (8, &SPARSE_TENSOR_TYPE),
        (9, &OPTIONAL_TYPE)
    ]
);
message!(TENSOR_TYPE, TensorType, [1], [(2, &TENSOR_SHAPE)]);
message!(SEQUENCE_TYPE, SequenceType, [], [(1, &TYPE)]);
message!(MAP_TYPE, MapType, [1], [(2, &TYPE)]);
message!(OPTIONAL_TYPE, OptionalType, [], [(1, &TYPE)]);
message!(SPARSE_TENSOR_TYPE, SparseTensorType, [1], [(2, &TENSOR_SHAPE)]);
message!(OPAQUE_TYPE, OpaqueType, [1, 2], []);
message!(TENSOR_SHAPE, TensorShape, [], [(1, &DIMENSION)]);
message!(DIMENSION, Dimension, [1, 2, 3], []);
message!(OPERATOR_SET_ID, OperatorSetId, [1, 2], []);
message!(STRING_STRING_ENTRY, StringStringEntry, [1, 2], []);
message!(TENSOR_ANNOTATION, TensorAnnotation, [1], [(2, &STRING_STRING_ENTRY)]);
message!(
    TRAINING_INFO,
    TrainingInfo,
    [],
    [(1, &GRAPH), (2, &GRAPH), (3, &STRING_STRING_ENTRY), (4, &STRING_STRING_ENTRY)]
);
message!(
    FUNCTION,
    Function,
    [1, 4, 5, 6, 8, 10, 13],
    [
        (7, &NODE),
        (9, &OPERATOR_SET_ID),
        (11, &ATTRIBUTE),
        (12, &VALUE_INFO),
        (14, &STRING_STRING_ENTRY)
    ]
);
message!(DEVICE_CONFIGURATION, DeviceConfiguration, [1, 2, 3], []);
message!(NODE_DEVICE_CONFIGURATION, NodeDeviceConfiguration, [1, 3], [(2, &SHARDING_SPEC)]);
message!(SHARDING_SPEC, ShardingSpec, [1, 2], [(3, &INT_INT_LIST_ENTRY), (4, &SHARDED_DIM)]);
message!(INT_INT_LIST_ENTRY, IntIntListEntry, [1, 2], []);
message!(SHARDED_DIM, ShardedDim, [1], [(2, &SIMPLE_SHARDED_DIM)]);
message!(SIMPLE_SHARDED_DIM, SimpleShardedDim, [1, 2, 3], []);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message that the table reaches, once.
    fn all(schema: &'static Schema, seen: &mut Vec<&'static Schema>) {
        if !seen.iter().any(|one| one.name == schema.name) {
            seen.push(schema);
            schema.nested.iter().for_each(|(_, inner)| all(inner, seen));
        }
    }

    /// Whether the type keeps a field with this number, in any encoding.
    fn keeps(schema: &Schema, field: u32) -> bool {
        let payloads: [(u32, &[u8]); 4] = [(0, &[1]), (1, &[1; 8]), (2, &[0]), (5, &[1; 4])];
        payloads.iter().any(|&(kind, payload)| {
            let mut bytes = Vec::new();
            prost::encoding::encode_varint(u64::from(field << 3 | kind), &mut bytes);
            bytes.extend(payload);
            (schema.again)(&bytes)
                .is_some_and(|again| !again.is_empty() || kind == 2 && packed(schema, field))
        })
    }

    /// Whether the field is packed; an empty packed field leaves nothing behind.
    fn packed(schema: &Schema, field: u32) -> bool {
        let mut bytes = Vec::new();
        prost::encoding::encode_varint(u64::from(field << 3), &mut bytes);
        bytes.push(1);
        (schema.again)(&bytes).is_some_and(|again| !again.is_empty())
    }

    #[test]
    fn the_table_names_the_fields_of_the_types() {
        let mut messages = Vec::new();
        all(&MODEL, &mut messages);
        assert_eq!(messages.len(), 28);
        for schema in messages {
            for field in 1..64 {
                let listed = schema.plain.contains(&field)
                    || schema.nested.iter().any(|&(number, _)| number == field);
                assert_eq!(listed, keeps(schema, field), "{}.{field}", schema.name);
            }
        }
    }
}
