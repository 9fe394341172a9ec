//! The openings.

use super::formation::{Family, Formation, FormationKind, FormationRow};
use crate::types::language::localized;
use Family::{
    BishopExchange, CentralRook, DoubleRangingRook, DoubleStaticRook, FourthFileRook, OpposingRook,
    StaticRook, ThirdFileRook, Yagura,
};

const fn row(
    family: Family,
    ja: &'static str,
    en: &'static str,
    last_ply: usize,
    pattern: &'static str,
) -> FormationRow {
    let formation = Formation { kind: FormationKind::Opening, name: localized(en, ja) };
    FormationRow { formation, family, last_ply, pattern }
}

#[rustfmt::skip]
pub(super) const OPENINGS: &[FormationRow] = &[
    // The rook on the fifth file.
    row(CentralRook, "中飛車左穴熊", "Central Rook Left Anaguma", 60, "R5h K9i L9h"),
    row(CentralRook, "端角中飛車", "Edge-Bishop Central Rook", 40, "R5h B9g"),
    row(CentralRook, "矢倉中飛車", "Yagura Central Rook", 50, "R5h S7g P6f G7h S5g/4f"),
    row(CentralRook, "ツノ銀中飛車", "Horn-Silver Central Rook", 50, "R5h S6g S4g"),
    row(CentralRook, "５筋位取り中飛車", "Fifth-File Central Rook", 40, "R5h P5e P6f"),
    row(CentralRook, "ゴキゲン中飛車", "Cheerful Central Rook", 30, "second R5h P5f/5e P7f P6g B8h"),
    row(CentralRook, "先手中飛車", "Black's Central Rook", 30, "first R5h P5f/5e P7f P6g B8h"),
    row(CentralRook, "中飛車", "Central Rook", 30, "R5h"),
    // The rook on the sixth file.
    row(FourthFileRook, "藤井システム", "Fujii System", 40, "R6h K5i S3h P4f/4e P1f/1e P6f B7g"),
    row(FourthFileRook, "立石流四間飛車", "Tateishi Fourth File Rook", 50, "R>6h R7f P7e P6e"),
    row(FourthFileRook, "耀龍四間飛車", "Yoryu Fourth File Rook", 40, "R6h K3i G3h"),
    row(FourthFileRook, "角交換四間飛車", "Bishop Exchange Fourth File Rook", 40, "R6h B* b* P6g"),
    row(FourthFileRook, "四間飛車", "Fourth File Rook", 30, "R6h"),
    // The rook on the seventh file.
    row(ThirdFileRook, "２手目△３二飛", "Rook to the Third File at Move 2", 2, "second R7h"),
    row(ThirdFileRook, "新鬼殺し", "New Demon Slayer", 20, "R7h P7e N7g P6g"),
    row(ThirdFileRook, "升田式石田流", "Masuda Ishida", 40, "R7f P7e B* b* P6g"),
    row(ThirdFileRook, "石田流本組み", "Ideal Ishida", 50, "R7f P7e N7g B9g"),
    row(ThirdFileRook, "石田流", "Ishida", 50, "R7f P7e !R>2d !R>6h"),
    row(ThirdFileRook, "早石田", "Early Ishida", 14, "R7h P7e P6g !r5b/4b/3b/2b"),
    row(ThirdFileRook, "三間飛車", "Third File Rook", 30, "R7h"),
    // The rook on the eighth file.
    row(OpposingRook, "阪田流向かい飛車", "Sakata Opposing Rook", 40, "R8h G7g"),
    row(OpposingRook, "ダイレクト向かい飛車", "Direct Opposing Rook", 40, "R8h R2h>8h B* b* P6g"),
    row(OpposingRook, "向かい飛車", "Opposing Rook", 30, "R8h"),
    // The rook on the second file, or near it.
    row(StaticRook, "青野流", "Aono Variation", 40, "first R2d>3d R3d K5h P3f"),
    row(StaticRook, "勇気流", "Yuki Variation", 40, "first R2d>3d R3d K6h P3f"),
    row(StaticRook, "横歩取り８五飛", "Side Pawn, Rook on 8e", 50, "second r8f>7f R2e B7g"),
    row(StaticRook, "横歩取り３三角", "Side Pawn, Bishop on 3c", 30, "second r8f>7f B7g"),
    row(StaticRook, "横歩取り３三桂", "Side Pawn, Knight on 3c", 30, "second r8f>7f N7g"),
    row(StaticRook, "横歩取り４五角", "Side Pawn, Bishop on 4e", 40, "second r8f>7f B>6e"),
    row(StaticRook, "ひねり飛車", "Twisting Rook", 50, "R>2d R7f P7f/7e !R2d>3d !R3d>7f"),
    row(StaticRook, "ＵＦＯ銀", "UFO Silver", 50, "R>2d !R2d>3d S3f !B* r8b/8d/8e/8f"),
    row(StaticRook, "相掛かり棒銀", "Double Wing Climbing Silver", 40, "R>2d !R2d>3d S2g/2f !B* r8b/8d/8e/8f"),
    row(StaticRook, "相掛かり腰掛け銀", "Double Wing Reclining Silver", 50, "R>2d !R2d>3d S5f P4f !B* r8b/8d/8e/8f"),
    row(StaticRook, "相掛かり早繰り銀", "Double Wing Rapid Silver", 50, "R>2d !R2d>3d S4f P3f !B* r8b/8d/8e/8f"),
    row(StaticRook, "角換わり棒銀", "Bishop Exchange Climbing Silver", 50, "B* b* R2h S2f/1e r8b"),
    row(StaticRook, "角換わり早繰り銀", "Bishop Exchange Rapid Silver", 50, "B* b* R2h S4f P3f r8b"),
    row(StaticRook, "角換わり腰掛け銀", "Bishop Exchange Reclining Silver", 60, "B* b* R2h/2i S5f P4f r8b/8a"),
    row(StaticRook, "一手損角換わり", "Tempo Loss Bishop Exchange", 30, "second B8h>2b B* b* P2f/2e R2h r8b"),
    row(StaticRook, "地下鉄飛車", "Subway Rook", 90, "R2h>2i R2i>8i N7g"),
    row(StaticRook, "雀刺し", "Sparrow Spear", 60, "R1h P1f/1e S7g"),
    row(StaticRook, "矢倉棒銀", "Yagura Climbing Silver", 60, "R2h S2f/1e S7g P6f r8b"),
    row(StaticRook, "矢倉３七銀", "Yagura Silver on 3g", 60, "black R2h S3g S7g P6f G7h P3f r8b"),
    row(StaticRook, "矢倉", "Yagura", 40, "S7g P6f P7f G7h P2f/2e R2h r8b !B*"),
    row(StaticRook, "雁木", "Snow Roof", 40, "S6g P6f G7h B8h/7g R2h P2g/2f/2e"),
    row(StaticRook, "カニカニ銀", "Crab Silvers", 50, "S4f S6f G7h K6i/5i"),
    row(StaticRook, "超速３七銀", "Super-Rapid Silver", 40, "first S3g/4f P3f R2h r5b p5e !B*"),
    row(StaticRook, "丸山ワクチン", "Maruyama Vaccine", 20, "B8h>2b B* b* R2h P2f/2e r5b"),
    row(StaticRook, "エルモ急戦", "Elmo Rapid Attack", 40, "K7h S6h G7i R2h r5b/4b/3b/2b"),
    row(StaticRook, "５三銀左急戦", "Left-Silver Rapid Attack", 40, "white K7h S5g S4h G6i P3f R2h r4b/3b"),
    row(StaticRook, "５七銀左急戦", "Left-Silver Rapid Attack", 40, "black K7h S5g S4h G6i P3f R2h r4b/3b"),
    row(StaticRook, "斜め棒銀", "Diagonal Climbing Silver", 40, "S4f P3f R2h r4b/3b/2b"),
    row(StaticRook, "玉頭位取り", "King's Head Vanguard", 60, "P7e S7f R2h r5b/4b/3b/2b"),
    row(StaticRook, "５筋位取り", "Fifth-File Vanguard", 60, "P5e S5f R2h r4b/3b/2b"),
    row(StaticRook, "飯島流引き角", "Iijima Pulling Bishop", 40, "B7i P7g R2h r5b/4b/3b/2b"),
    row(StaticRook, "右四間飛車", "Right Fourth File Rook", 40, "R4h P4f/4e !K3h/2h/3i/2i/1i"),
    row(StaticRook, "袖飛車", "Sleeve Rook", 40, "R3h P3f/3e !K2h/3i/2i/1i !S2f/1e"),
    row(StaticRook, "嬉野流", "Ureshino Style", 16, "B7i S6h/5g P7g R2h"),
    row(StaticRook, "棒銀", "Climbing Silver", 50, "R2h S2f/1e P2e"),
    row(StaticRook, "早繰り銀", "Rapid Silver", 50, "R2h S4f P3f P2f/2e r8b"),
    row(StaticRook, "腰掛け銀", "Reclining Silver", 50, "R2h/2i S5f P4f P2f/2e r8b"),
    row(StaticRook, "筋違い角", "Wrong Diagonal Bishop", 14, "B>4e !r8f>7f"),
    row(StaticRook, "角頭歩", "Pawn Before the Bishop", 7, "P8f P7f R2h !p>8f"),
    row(StaticRook, "鬼殺し", "Demon Slayer", 9, "N7g/6e P7f/7e P6g R2h K5i"),
    row(StaticRook, "パックマン", "Pac-Man", 2, "second P6f p3d"),
    row(StaticRook, "新米長玉", "New Yonenaga King", 2, "second K4h"),
    // Both sides, as Black sees them.
    row(DoubleStaticRook, "相横歩取り", "Mutual Side Pawn", 30, "R2d>3d b2b>8h r8f>7f"),
    row(DoubleStaticRook, "横歩取り", "Side Pawn", 30, "R2d>3d"),
    row(DoubleStaticRook, "相掛かり", "Double Wing", 20, "P2e p8e G7h g3b P7g p3c"),
    row(BishopExchange, "相腰掛け銀", "Mutual Reclining Silver", 70, "B* b* R2h/2i r8b/8a S5f s5d P4f p6d"),
    row(BishopExchange, "角換わり", "Bishop Exchange", 30, "B* b* R2h r8b P2f/2e p8d/8e G7h !R>2d"),
    row(Yagura, "相矢倉", "Double Yagura", 50, "S7g P6f P7f G7h R2h s3c p4d p3d g3b r8b"),
    row(DoubleRangingRook, "相中飛車", "Double Central Rook", 30, "R5h r5b"),
    row(DoubleRangingRook, "相三間飛車", "Double Third File Rook", 30, "R7h r3b"),
    row(DoubleRangingRook, "相振り飛車", "Double Ranging Rook", 30, "R5h/6h/7h/8h r5b/4b/3b/2b"),
];
