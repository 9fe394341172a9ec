//! Reads and writes network files: the classic NNUE format of YaneuraOu, and its SFNN format.
//!
//! `load` lets `detect` find the architecture and the places of the parameters (`classic`, `sfnn`), then
//! `bucket_mode` the bucket mode, and `build` the network in memory. Every size is checked against the length of the
//! file before anything is allocated. The architecture follows from hashes, counts and size, never from the
//! description alone.

mod ambiguity;
mod bucket_mode;
mod build;
mod byte_reader;
mod classic;
mod convert;
mod deflate;
mod detect;
mod file_layout;
mod header;
mod info;
mod leb128;
mod limits;
mod load;
mod load_error;
mod load_options;
mod network_name;
mod open;
mod parameter_file;
mod sfnn;
mod shards;
#[cfg(test)]
mod tests;
mod version;
mod write;

pub use convert::convert;
pub use info::{NetworkInfo, info};
pub use limits::is_readable;
pub use load::{from_bytes, load};
pub use load_error::{
    AccessError, ArchitectureError, BucketModeError, FormatError, LoadError, LoadErrorKind,
};
pub use load_options::LoadOptions;
pub use parameter_file::{NamedParameter, ParameterFile, ParameterKind};
pub use shards::Shards;
pub use write::{description, write};
