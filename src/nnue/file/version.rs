//! The version number at the start of a file.

/// The only version that is read.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// The origin of files with another known version.
pub(super) fn version_name(version: u32) -> Option<&'static str> {
    Some(match version {
        0x7AF3_2F17 => "a net with 16-bit layers of BulletOu",
        0x7AF3_2F20 => "a net of Stockfish, or an older one with layer stacks of rshogi or tatara",
        0x7AF3_2F21 => "a net with layer stacks of rshogi or tatara",
        _ => return None,
    })
}
