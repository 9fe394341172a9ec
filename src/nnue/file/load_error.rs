//! The reasons why a network file is rejected. Every message is one line and names the file, what
//! was found, what was expected and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::limits::{LAYER_STEP, WIDTH_STEP};
use super::shards::Shards;
use super::version::{VERSION, version_name};
use crate::nnue::architecture::Architecture;
use crate::nnue::kernels::{MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH};
use crate::sys::AllocationError;
use crate::types::language::Localized;
use crate::types::message::{Message, message};

/// Why a network was not loaded.
#[derive(Debug)]
pub struct LoadError {
    /// The file; `None` for bytes in memory.
    pub path: Option<PathBuf>,
    pub kind: LoadErrorKind,
}

/// What is wrong.
#[derive(Debug)]
pub enum LoadErrorKind {
    Access(AccessError),
    Format(FormatError),
    Architecture(ArchitectureError),
    Buckets(BucketModeError),
}

/// The file cannot be read or written.
#[derive(Debug)]
pub enum AccessError {
    /// The system refuses to open or map it.
    Unreadable(io::Error),
    Folder,
    /// A pipe, a device or the like.
    NotAFile,
    Empty,
    /// Truncated while it was being read.
    Damaged,
    Memory(AllocationError),
    /// A conversion would overwrite its input.
    SameFile,
    /// The new file could not be written.
    Unwritable(io::Error),
}

/// The file is not in a supported format.
#[derive(Debug)]
pub enum FormatError {
    /// A known other format.
    Foreign {
        what: Localized,
    },
    Version {
        version: u32,
    },
    /// A part extends past the end.
    Short {
        what: Localized,
        needs: u64,
        has: u64,
    },
    /// A compressed section does not start where it must.
    NoSection {
        what: Localized,
        at: u64,
    },
    /// Invalid LEB128.
    InvalidLeb128 {
        what: Localized,
    },
    /// Invalid DEFLATE.
    Inflate {
        what: Localized,
    },
    /// Compressed parameters cannot be aligned.
    Compressed,
}

/// The parameters do not make a supported architecture.
#[derive(Debug)]
pub enum ArchitectureError {
    /// No feature set and width have this hash.
    Transformer {
        hash: u32,
    },
    /// The layers of a classic network use another activation than ClippedReLU.
    Activation {
        activation: &'static str,
    },
    /// The size does not match the architecture that the hashes name.
    Size {
        architecture: String,
        needs: u64,
        has: u64,
    },
    /// No layers match the size.
    NoLayers {
        transformer: String,
        has: u64,
    },
    /// Several architectures match.
    Ambiguous {
        candidates: Vec<String>,
    },
    /// A feature set that needs the attacks of all pieces.
    HalfKpe9,
    /// A second network selects the layer stack.
    Router,
    /// The name of the network has a part with an unknown meaning.
    UnknownPart {
        part: String,
    },
    /// The name of the network divides its first layer in a way that does not fit it.
    Shards {
        shards: Shards,
        architecture: Architecture,
    },
    Width {
        width: u64,
    },
    /// No feature set has this number of weights.
    Features {
        weights: u64,
        width: u64,
    },
    /// A marker is not where it must be.
    Marker {
        what: Localized,
        at: u64,
        found: u32,
    },
}

/// It is not known how to select a layer stack.
#[derive(Debug)]
pub enum BucketModeError {
    /// Nothing names the mode, which may be one of these.
    NoMode { stacks: usize, candidates: Vec<String> },
    /// The name of the network has a part with an unknown meaning, which may be the mode.
    UnknownPart { part: String, stacks: usize },
    /// Nothing says whether the mode of nine stacks uses these progress coefficients.
    NineStacks { coefficients: PathBuf },
    /// The mode is not usable.
    Mode { mode: String, why: Message },
    /// The mode selects among another number of stacks.
    Count { mode: String, count: usize, stacks: usize },
    /// The system refuses to open or map the progress coefficients.
    ProgressUnreadable(io::Error),
    /// A folder, a pipe or the like instead of progress coefficients.
    ProgressNotAFile,
    /// Not the size of progress coefficients.
    ProgressSize { needs: u64, has: u64 },
    /// Progress coefficients that are not finite.
    ProgressNumber,
}

impl LoadError {
    pub(super) fn new(path: &Path, kind: LoadErrorKind) -> LoadError {
        LoadError { path: Some(path.to_owned()), kind }
    }
}

impl From<AccessError> for LoadErrorKind {
    fn from(error: AccessError) -> LoadErrorKind {
        LoadErrorKind::Access(error)
    }
}

impl From<FormatError> for LoadErrorKind {
    fn from(error: FormatError) -> LoadErrorKind {
        LoadErrorKind::Format(error)
    }
}

impl From<ArchitectureError> for LoadErrorKind {
    fn from(error: ArchitectureError) -> LoadErrorKind {
        LoadErrorKind::Architecture(error)
    }
}

impl From<BucketModeError> for LoadErrorKind {
    fn from(error: BucketModeError) -> LoadErrorKind {
        LoadErrorKind::Buckets(error)
    }
}

impl From<AllocationError> for LoadErrorKind {
    fn from(refused: AllocationError) -> LoadErrorKind {
        AccessError::Memory(refused).into()
    }
}

impl LoadError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let text = self.kind.message();
        let Some(path) = &self.path else { return text };
        let path = path.display();
        message!("{path}: {}", "{path}: {}"; text)
    }
}

impl From<LoadError> for io::Error {
    fn from(error: LoadError) -> io::Error {
        io::Error::other(error.message())
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

// Without a source: the text holds the reason, and a report of the chain would repeat it.
impl Error for LoadError {}

impl LoadErrorKind {
    /// The text in every language, without the path.
    pub fn message(&self) -> Message {
        match self {
            LoadErrorKind::Access(error) => error.message(),
            LoadErrorKind::Format(error) => error.message(),
            LoadErrorKind::Architecture(error) => error.message(),
            LoadErrorKind::Buckets(error) => error.message(),
        }
    }
}

impl AccessError {
    fn message(&self) -> Message {
        match self {
            AccessError::Unreadable(error) => message!(
                "cannot be read ({}); check the name and the rights",
                "読めません（{}）。名前と権限を確認してください";
                Message::from(error)
            ),
            AccessError::Folder => message!(
                "is a folder, not a file; name the file in it, or set EvalDir to it",
                "ファイルではなくフォルダです。中のファイルを指定するか、EvalDirにこのフォルダを指定してください"
            ),
            AccessError::NotAFile => message!(
                "is not a regular file; name a file with a network",
                "通常のファイルではありません。評価関数のファイルを指定してください"
            ),
            AccessError::Empty => message!(
                "is empty, not a network; copy it again",
                "空のファイルです。コピーし直してください"
            ),
            AccessError::Damaged => message!(
                "was truncated while it was being read; load it again when it is complete",
                "読み込み中に切り詰められました。ファイルが揃ってから読み直してください"
            ),
            AccessError::Memory(refused) => message!(
                "cannot be loaded: {}; free memory or use a smaller network",
                "読み込めません：{}。メモリを空けるか、小さい評価関数を使ってください";
                refused.message()
            ),
            AccessError::SameFile => message!(
                "is the file to be converted; give the new file another name",
                "変換元と同じファイルです。別の名前にしてください"
            ),
            AccessError::Unwritable(error) => message!(
                "cannot be written ({}); check the folder, its rights and its space",
                "書き込めません（{}）。フォルダ、権限、空き容量を確認してください";
                Message::from(error)
            ),
        }
    }
}

impl FormatError {
    fn message(&self) -> Message {
        match self {
            FormatError::Foreign { what } => message!(
                "is {}; expected a network (nn.bin)",
                "{}。評価関数（nn.bin）を指定してください";
                what
            ),
            FormatError::Version { version } => version_message(*version),
            FormatError::Short { what, needs, has } => message!(
                "ends too early: {} would take {needs} bytes, and {has} are left; the file is \
                 truncated or not a network; copy it again",
                "途中で終わっています：{}は{needs}バイトですが、残りは{has}バイトです。ファイルが欠けているか\
                 評価関数ではありません。コピーし直してください";
                what
            ),
            FormatError::NoSection { what, at } => message!(
                "has no compressed section for {} at byte {at}; expected the text \
                 COMPRESSED_LEB128; the file is damaged or written by an unknown program; copy it \
                 again or use another network",
                "{}の圧縮データ（COMPRESSED_LEB128）が{at}バイト目にありません。壊れているか未知のプログラムの\
                 ファイルです。コピーし直すか、別の評価関数を使ってください";
                what
            ),
            FormatError::InvalidLeb128 { what } => message!(
                "has bytes in {} that are not 16-bit numbers in LEB128; the file is damaged; \
                 copy it again",
                "{}にLEB128の16ビットの数でないバイトがあります。ファイルが壊れています。コピーし直してください";
                what
            ),
            FormatError::Inflate { what } => message!(
                "has bytes in {} that are not compressed by DEFLATE; the file is damaged; copy it \
                 again",
                "{}にDEFLATEで圧縮されていないバイトがあります。ファイルが壊れています。コピーし直してください";
                what
            ),
            FormatError::Compressed => message!(
                "is an SFNN network: its numbers are compressed, so they are copied when they are \
                 loaded, however the file is aligned; it needs no conversion",
                "SFNNの評価関数です。数値が圧縮されていて、並びにかかわらず読み込み時に展開するので、変換は要りません"
            ),
        }
    }
}

fn version_message(version: u32) -> Message {
    let named = version_name(version);
    let en = named.map_or_else(String::new, |name| format!(" ({})", name.en));
    let ja = named.map_or_else(String::new, |name| format!("（{}）", name.ja));
    message!(
        "has version 0x{version:08X}{en}; expected 0x{VERSION:08X}, the NNUE files of YaneuraOu; use a \
         network in that format",
        "バージョンが0x{version:08X}{ja}です。やねうら王のNNUE形式（0x{VERSION:08X}）の評価関数を使ってください"
    )
}

impl ArchitectureError {
    fn message(&self) -> Message {
        match self {
            ArchitectureError::Transformer { hash } => message!(
                "has an unknown feature transformer (hash 0x{hash:08X}); expected HalfKP, \
                 HalfKP_vm, K+P, K+A2, HalfKA1, HalfKA2, HalfKA_hm1 or HalfKA_hm2 with a width of \
                 {WIDTH_STEP} to {MAX_CLASSIC_WIDTH} in steps of {WIDTH_STEP}, or SFNN; use such \
                 a network",
                "特徴量変換器が不明です（ハッシュ0x{hash:08X}）。使えるのはHalfKP、HalfKP_vm、K+P、K+A2、HalfKA1、\
                 HalfKA2、HalfKA_hm1、HalfKA_hm2（幅は{WIDTH_STEP}から{MAX_CLASSIC_WIDTH}までの\
                 {WIDTH_STEP}の倍数）とSFNNです"
            ),
            ArchitectureError::Activation { activation } => message!(
                "has the activation {activation} in its description, as networks of tatara and \
                 bullet-shogi may; expected ClippedReLU alone; use such a network",
                "説明に活性化関数{activation}があります（tataraやbullet-shogiの評価関数にあります）。\
                 使えるのはClippedReLUだけです"
            ),
            ArchitectureError::Size { architecture, needs, has } => {
                size_message(architecture, *needs, *has)
            }
            ArchitectureError::NoLayers { transformer, has } => message!(
                "starts as {transformer}, but no layers match its size of {has} bytes; it is \
                 truncated, has bytes after its end, or has layers outside {LAYER_STEP} to \
                 {MAX_OUTPUTS} outputs in steps of {LAYER_STEP}; copy it again or use another \
                 network",
                "{transformer}で始まりますが、{has}バイトに合う層がありません。欠けているか、余分なバイトがあるか、\
                 層の出力が{LAYER_STEP}から{MAX_OUTPUTS}までの{LAYER_STEP}の倍数ではありません。\
                 コピーし直すか、別の評価関数を使ってください"
            ),
            ArchitectureError::Ambiguous { candidates } => {
                let (or, ja) = (candidates.join(" or "), candidates.join("、"));
                message!(
                    "may be {or} by its size, and its description does not say which; use a file whose \
                     description does",
                    "サイズからは{ja}のどれか決まりません。構造が説明に書かれたファイルを使ってください"
                )
            }
            ArchitectureError::Shards { shards, architecture } => message!(
                "has the sharded first layer {shards} by its description, which does not fit \
                 {architecture}; the description or the file is damaged; copy it again",
                "説明では第1層の分割が{shards}ですが、{architecture}に合いません。壊れています。コピーし直してください"
            ),
            ArchitectureError::Width { width } => message!(
                "has a feature transformer of width {width}; expected {WIDTH_STEP} to {MAX_WIDTH} \
                 in steps of {WIDTH_STEP}; use another network",
                "特徴量変換器の幅が{width}です。使えるのは{WIDTH_STEP}から{MAX_WIDTH}までの{WIDTH_STEP}の倍数です"
            ),
            ArchitectureError::Features { weights, width } => {
                let usual = 73_305 * width;
                message!(
                    "has {weights} weights for a width of {width}, which matches no feature set; \
                     HalfKA_hm2 for example has {usual}; copy it again or use another network",
                    "幅{width}で重みが{weights}個あり、どの特徴量にも合いません（HalfKA_hm2なら{usual}個）。\
                     コピーし直すか、別の評価関数を使ってください"
                )
            }
            ArchitectureError::Marker { what, at, found } => message!(
                "has 0x{found:08X} at byte {at}, where {} was expected; the file is damaged \
                 or of an unknown architecture; copy it again or use another network",
                "{at}バイト目が{}ではなく0x{found:08X}です。壊れているか、構造が不明です。\
                 コピーし直すか、別の評価関数を使ってください";
                what
            ),
            ArchitectureError::HalfKpe9 => message!(
                "is HalfKPE9, which is not supported because it needs the attacks of all pieces; \
                 use HalfKP, HalfKA or another feature set",
                "HalfKPE9は全駒の利きが要るので使えません。HalfKPやHalfKAなどの評価関数を使ってください"
            ),
            ArchitectureError::Router => message!(
                "selects its layer stacks by a router of tatara, a second network, which is not \
                 supported; use a network for a mode of LS_BUCKET_MODE",
                "層スタックをtataraのルーター（別のネットワーク）で選ぶので使えません。LS_BUCKET_MODEで選べる\
                 評価関数を使ってください"
            ),
            ArchitectureError::UnknownPart { part } => unknown_part_message(part),
        }
    }
}

fn unknown_part_message(part: &str) -> Message {
    message!(
        "has the part {part} in the name of its network, which is not supported; use another \
         network",
        "ネットワーク名の{part}には対応していません。別の評価関数を使ってください"
    )
}

fn size_message(architecture: &str, needs: u64, has: u64) -> Message {
    let how = if has < needs {
        message!("is truncated", "ファイルが欠けています")
    } else {
        message!("has bytes after its end", "終わりの後に余分なバイトがあります")
    };
    message!(
        "is {architecture} by its hashes, which takes {needs} bytes, but has {has}: it {}; copy it again",
        "ハッシュでは{architecture}（{needs}バイト）ですが、{has}バイトあります：{}。コピーし直してください";
        how
    )
}

impl BucketModeError {
    fn message(&self) -> Message {
        match self {
            BucketModeError::NoMode { stacks, candidates } => mode_message(*stacks, candidates),
            // No mode selects among one stack.
            BucketModeError::UnknownPart { part, stacks: 1 } => unknown_part_message(part),
            BucketModeError::UnknownPart { part, stacks } => message!(
                "has the part {part} in the name of its network, which is not supported; use \
                 another network, or set LS_BUCKET_MODE if a known mode selects among its {stacks} \
                 layer stacks",
                "ネットワーク名の{part}には対応していません。別の評価関数を使うか、{stacks}個の層スタックを選ぶ方法を\
                 LS_BUCKET_MODEに指定してください"
            ),
            BucketModeError::NineStacks { coefficients } => {
                let path = coefficients.display();
                message!(
                    "has 9 layer stacks and does not say whether to select one by the progress \
                     coefficients \"{path}\"; set LS_BUCKET_MODE to progress8kpabs or progress8ek, \
                     whichever the network was trained with, or to k3k3 if it needs none",
                    "層スタックが9個あり、進行度の係数「{path}」で選ぶのか決まりません。LS_BUCKET_MODEに学習時と同じ\
                     progress8kpabsかprogress8ek、係数が要らなければk3k3を指定してください"
                )
            }
            BucketModeError::Mode { mode, why } => message!(
                "cannot be used with LS_BUCKET_MODE {mode}: {}",
                "LS_BUCKET_MODEの{mode}では使えません：{}";
                why
            ),
            BucketModeError::Count { mode, count, stacks } => message!(
                "has {stacks} layer stacks, but {mode} selects among {count}; set LS_BUCKET_MODE \
                 to what the network was trained with",
                "層スタックは{stacks}個ですが、{mode}は{count}個から選びます。LS_BUCKET_MODEに学習時の方法を\
                 指定してください"
            ),
            BucketModeError::ProgressUnreadable(error) => message!(
                "cannot be read ({}); set LS_PROGRESS_COEFF to a file of progress coefficients",
                "読めません（{}）。LS_PROGRESS_COEFFに進行度の係数のファイルを指定してください";
                Message::from(error)
            ),
            BucketModeError::ProgressNotAFile => message!(
                "is not a file; set LS_PROGRESS_COEFF to a file of progress coefficients",
                "ファイルではありません。LS_PROGRESS_COEFFに進行度の係数のファイルを指定してください"
            ),
            BucketModeError::ProgressSize { needs, has } => message!(
                "has {has} bytes; progress coefficients have {needs} (81 x 1548 numbers of 64 \
                 bits); set LS_PROGRESS_COEFF to such a file",
                "{has}バイトですが、進行度の係数は{needs}バイト（64ビットの数が81×1548個）です。\
                 LS_PROGRESS_COEFFにそのファイルを指定してください"
            ),
            BucketModeError::ProgressNumber => message!(
                "has coefficients that are not finite; set LS_PROGRESS_COEFF to a file of progress \
                 coefficients",
                "有限でない係数があります。LS_PROGRESS_COEFFに進行度の係数のファイルを指定してください"
            ),
        }
    }
}

fn mode_message(stacks: usize, candidates: &[String]) -> Message {
    let (or, ja) = (candidates.join(" or "), candidates.join("、"));
    let how = match candidates {
        [] => message!(
            "LS_BUCKET_MODE (and LS_PROGRESS_COEFF if the mode uses progress)",
            "LS_BUCKET_MODE（進行度を使うならLS_PROGRESS_COEFFも）を"
        ),
        _ => message!(
            "LS_BUCKET_MODE to {or}, whichever the network was trained with",
            "LS_BUCKET_MODEに{ja}のうち学習時のものを"
        ),
    };
    message!(
        "has {stacks} layer stacks and does not say how to select one; set {}",
        "層スタックが{stacks}個ありますが、選び方が書かれていません。{}指定してください";
        how
    )
}
