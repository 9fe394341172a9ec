//! The name of an SFNN network in a description: `Network=SFNN_HALFKA2_3072_7_64_C1024_S256X8_K3K3`
//! by YaneuraOu, `Network=SFNN-2048-15-64-V2` by tatara, `Network=SFNN-1024` by BulletOu.

use super::shards::Shards;
use crate::nnue::buckets::Buckets;

/// The parts of a name. Many may be wrong, because few programs read them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NetworkName {
    /// The sizes of the first two layers.
    pub(super) layers: Option<[usize; 2]>,
    pub(super) shards: Option<Shards>,
    /// The bucket mode.
    pub(super) mode: Option<String>,
    /// The first part with an unknown meaning, in capitals.
    pub(super) unknown: Option<String>,
}

impl NetworkName {
    /// The name in a description; without one, nothing is said.
    pub(super) fn in_description(description: &[u8]) -> NetworkName {
        let text = String::from_utf8_lossy(description);
        let Some((_, name)) = text.split_once("Network=") else { return NetworkName::default() };
        let is_outside = |letter: char| !letter.is_ascii_alphanumeric() && !"_-".contains(letter);
        let name = name.split(is_outside).next().unwrap_or_default();
        NetworkName::parse(&name.replace('-', "_"))
    }

    fn parse(name: &str) -> NetworkName {
        let (mode, others) = Buckets::split_mode(name);
        let mut parts = others.iter().map(String::as_str).peekable();
        if !parts.next().is_some_and(|first| first.starts_with("sfnn")) {
            return NetworkName::default();
        }
        // The features, which the counts reveal more reliably.
        _ = parts.next_if(|part| part.parse::<usize>().is_err());
        let mut sizes = Vec::new();
        while let Some(size) = parts.peek().and_then(|part| part.parse::<usize>().ok()) {
            sizes.push(size);
            parts.next();
        }
        let layers = match sizes[..] {
            [_width, h1, h2] => Some([h1, h2]),
            _ => None,
        };
        let mut shards = None;
        let mut unknown = None;
        while let Some(part) = parts.next() {
            let sharded = parts.peek().and_then(|next| Shards::parse(part, next));
            if sharded.is_some() {
                shards = sharded;
                parts.next();
            } else if !is_ignored(part) {
                unknown = unknown.or_else(|| Some(part.to_ascii_uppercase()));
            }
        }
        NetworkName { layers, shards, mode, unknown }
    }
}

/// Whether a part says nothing about the network: tatara's version, and the number of layer stacks
/// in older names.
fn is_ignored(part: &str) -> bool {
    part == "v2" || part.strip_prefix("ls").is_some_and(|count| count.parse::<usize>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(description: &str) -> NetworkName {
        NetworkName::in_description(description.as_bytes())
    }

    #[test]
    fn names_of_all_trainers_are_understood() {
        let shards = Shards::parse("c1024", "s256x8");
        let mode = |mode: &str| Some(mode.to_owned());
        for (name, layers, shards, mode) in [
            ("SFNN_HALFKA2_3072_7_64_C1024_S256X8_K3K3", Some([7, 64]), shards, mode("k3k3")),
            ("SFNN_KA2_1024_8_64_HAND4_PROGRESS8", Some([8, 64]), None, mode("hand4_progress8")),
            ("SFNN_KA2_64_7_32_KING9_BY_KING9", Some([7, 32]), None, mode("king9_by_king9")),
            ("SFNN_HALFKA2_1024_7_64", Some([7, 64]), None, None),
            ("SFNN_64_7_32", Some([7, 32]), None, None),
            ("SFNNWOP_HALFKA2_1024_7_64_LS9", Some([7, 64]), None, None),
            ("SFNN-2048-15-64-V2", Some([15, 64]), None, None),
            ("SFNN-1536-V2", None, None, None),
            ("SFNN-1024", None, None, None),
        ] {
            let text =
                format!("ModelType=SFNNWithoutPsqt;Features=x,Network={name}{{LayerStack=9}}");
            let unknown = None;
            assert_eq!(parsed(&text), NetworkName { layers, shards, mode, unknown }, "{name}");
        }
        let silent = ["", "Network trained with nnue-pytorch", "Network=AffineTransform[1<-32](x)"];
        for text in silent {
            assert_eq!(parsed(text), NetworkName::default(), "{text}");
        }
    }

    #[test]
    fn parts_without_a_known_meaning_are_found() {
        for (name, unknown) in [
            ("SFNN_HALFKA2_1024_7_64_K5K5", "K5K5"),
            ("SFNN_HALFKA2_1024_7_64_ROUTERKPABS9", "ROUTERKPABS9"),
            ("SFNN_HALFKA2_1024_7_64_K3K3_SCRELU_X", "SCRELU"),
            ("SFNN_HALFKA2_1024_7_64_C0_K3K3", "C0"),
        ] {
            let found = parsed(&format!("Network={name}{{LayerStack=9}}")).unknown;
            assert_eq!(found.as_deref(), Some(unknown), "{name}");
        }
    }
}
