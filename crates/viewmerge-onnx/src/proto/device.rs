//! How a model is spread over devices.

use prost::Message;

/// A set of devices.
#[derive(Clone, PartialEq, Message)]
pub struct DeviceConfiguration {
    /// Its name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// How many there are.
    #[prost(int32, optional, tag = "2")]
    pub num_devices: Option<i32>,
    /// Their names.
    #[prost(string, repeated, tag = "3")]
    pub device: Vec<String>,
}

/// How an op is spread over devices.
#[derive(Clone, PartialEq, Message)]
pub struct NodeDeviceConfiguration {
    /// The set of devices.
    #[prost(string, optional, tag = "1")]
    pub configuration_id: Option<String>,
    /// How its tensors are spread.
    #[prost(message, repeated, tag = "2")]
    pub sharding_spec: Vec<ShardingSpec>,
    /// The stage it runs in.
    #[prost(int32, optional, tag = "3")]
    pub pipeline_stage: Option<i32>,
}

/// How a tensor is spread over devices.
#[derive(Clone, PartialEq, Message)]
pub struct ShardingSpec {
    /// The tensor.
    #[prost(string, optional, tag = "1")]
    pub tensor_name: Option<String>,
    /// The devices.
    #[prost(int64, repeated, packed = "false", tag = "2")]
    pub device: Vec<i64>,
    /// Groups of devices.
    #[prost(message, repeated, tag = "3")]
    pub index_to_device_group_map: Vec<IntIntListEntry>,
    /// How its axes are cut.
    #[prost(message, repeated, tag = "4")]
    pub sharded_dim: Vec<ShardedDim>,
}

/// A group of devices.
#[derive(Clone, PartialEq, Message)]
pub struct IntIntListEntry {
    /// The group's number.
    #[prost(int64, optional, tag = "1")]
    pub key: Option<i64>,
    /// The devices in it.
    #[prost(int64, repeated, packed = "false", tag = "2")]
    pub value: Vec<i64>,
}

/// How an axis is cut.
#[derive(Clone, PartialEq, Message)]
pub struct ShardedDim {
    /// The axis.
    #[prost(int64, optional, tag = "1")]
    pub axis: Option<i64>,
    /// The cuts.
    #[prost(message, repeated, tag = "2")]
    pub simple_sharding: Vec<SimpleShardedDim>,
}

/// A cut of an axis.
#[derive(Clone, PartialEq, Message)]
pub struct SimpleShardedDim {
    /// The size that is cut.
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    /// The name of the size that is cut.
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
    /// How many parts.
    #[prost(int64, optional, tag = "3")]
    pub num_shards: Option<i64>,
}
