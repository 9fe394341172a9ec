//! The castles.

use super::formation::{Family, Formation, FormationKind, FormationRow};
use crate::types::language::localized;

const fn row(ja: &'static str, en: &'static str, pattern: &'static str) -> FormationRow {
    let formation = Formation { kind: FormationKind::Castle, name: localized(en, ja) };
    FormationRow { formation, family: Family::Castle, last_ply: usize::MAX, pattern }
}

/// The first row that matches is the castle.
#[rustfmt::skip]
pub(super) const CASTLES: &[FormationRow] = &[
    // Yagura.
    row("総矢倉", "Complete Yagura", "K8h G7h G6g S7g S5g"),
    row("四枚矢倉", "Four-Piece Yagura", "K8h G7h G6g S7g S6h"),
    row("菱矢倉", "Diamond Yagura", "K8h G7h G6g S7g S6f"),
    row("金矢倉", "Gold Yagura", "K8h G7h G6g S7g"),
    row("銀矢倉", "Silver Yagura", "K8h G7h S7g S6g"),
    row("銀立ち矢倉", "Standing-Silver Yagura", "K8h G7h G6g S7f"),
    row("へこみ矢倉", "Dented Yagura", "K8h G7h G6h S7g"),
    row("片矢倉", "Half Yagura", "K7h G6h G6g S7g"),
    row("矢倉穴熊", "Yagura Anaguma", "K9i L9h G7h G6g S7g"),
    row("菊水矢倉", "Kikusui Yagura", "K8i S8h N7g G7h G6g"),
    row("右矢倉", "Right-Side Yagura", "K2h G3h G4g S3g"),
    // Anaguma.
    row("ビッグ4", "Big Four Anaguma", "K9i L9h G8h G7h S8g S7g"),
    row("ビッグ4", "Big Four Anaguma", "K1i L1h G2h G3h S2g S3g"),
    row("松尾流穴熊", "Matsuo Anaguma", "K9i L9h S8h S7i G7h"),
    row("左穴熊", "Left Anaguma", "K9i L9h S8h R2h>5h P2g"),
    row("居飛車穴熊", "Static Rook Anaguma", "K9i L9h S8h !R2h>5h"),
    row("居飛車穴熊", "Static Rook Anaguma", "K9i L9h S8h R2h"),
    row("振り飛車穴熊", "Ranging Rook Anaguma", "K1i L1h S2h"),
    row("銀冠穴熊", "Silver Crown Anaguma", "K9i L9h S8g G7h/8h"),
    row("銀冠穴熊", "Silver Crown Anaguma", "K1i L1h S2g G3h/2h"),
    row("美濃熊", "Mino Anaguma", "K1i L1h S3h G4i"),
    row("串カツ囲い", "Kushikatsu Castle", "K9h L9i S8h N8i G7i/7h"),
    row("ミレニアム囲い", "Millennium Castle", "K8i S8h N7g G7i"),
    row("振り飛車ミレニアム", "Ranging Rook Millennium", "K2i S2h N3g G3i"),
    // Silver crowns.
    row("端玉銀冠", "Edge-King Silver Crown", "K9h S8g G7h"),
    row("居飛車銀冠", "Static Rook Silver Crown", "K8h S8g G7h"),
    row("銀冠", "Silver Crown", "K2h S2g G3h"),
    // Mino.
    row("ダイヤモンド美濃", "Diamond Mino", "K2h S3h G4i S4g G5h"),
    row("銀美濃", "Silver Mino", "K2h S3h G4i S4g"),
    row("高美濃囲い", "High Mino", "K2h S3h G4i G4g"),
    row("ちょんまげ美濃", "Topknot Mino", "K2h S3h G4i G5h P2f"),
    row("美濃囲い", "Mino", "K2h S3h G4i G5h"),
    row("片美濃囲い", "Half Mino", "K2h S3h G4i"),
    row("木村美濃", "Kimura Mino", "K2h G3h S4g"),
    row("金美濃", "Gold Mino", "K2h G3h S4h"),
    row("天守閣美濃", "Castle-Tower Mino", "K8g S7h G6i"),
    row("左美濃", "Left Mino", "K8h S7h G6i"),
    // Against a ranging rook.
    row("箱入り娘", "Sheltered Daughter", "K7h G6h G6i S7i"),
    row("舟囲い", "Boat Castle", "K7h G5h G6i S7i"),
    row("エルモ囲い", "Elmo Castle", "K7h S6h G7i"),
    row("振り飛車エルモ", "Ranging Rook Elmo", "K3h S4h G3i !R2h"),
    row("大住囲い", "Osumi Castle", "K3i G3h S4h !R2h"),
    // With both rooks static, or both ranging.
    row("金無双", "Twin Golds", "K3h G4h G5h S2h"),
    row("右玉", "Right King", "K4h/3h S4g N3g G7h R2i/8i"),
    row("雁木囲い", "Snow Roof Castle", "K6i/7i S6g S5g G7h"),
    row("ツノ銀雁木", "Horn-Silver Snow Roof", "K6i/7i S6g S4g G7h"),
    row("カニ囲い", "Crab Castle", "K6i G7h G5h S6h"),
    row("イチゴ囲い", "Strawberry Castle", "K6h G7h G5h"),
    row("中住まい", "Central House", "K5h G7h G3h"),
    row("中原囲い", "Nakahara Castle", "K6i G7h G5i S4h"),
];
