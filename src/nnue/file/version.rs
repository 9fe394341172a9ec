//! The version number at the start of a file.

use crate::types::language::{Localized, localized};

/// The only version that is read.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// The origin of files with another known version.
pub(super) fn version_name(version: u32) -> Option<Localized> {
    Some(match version {
        0x7AF3_2F17 => {
            localized("a network with 16-bit layers of BulletOu", "BulletOuの16ビット層の評価関数")
        }
        0x7AF3_2F20 => localized(
            "a network of Stockfish, or an older one with layer stacks of rshogi or tatara",
            "Stockfishの評価関数か、rshogiやtataraの層スタックのある古い評価関数",
        ),
        0x7AF3_2F21 => localized(
            "a network with layer stacks of rshogi or tatara",
            "rshogiやtataraの層スタックのある評価関数",
        ),
        _ => return None,
    })
}
