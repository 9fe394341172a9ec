//! Voting on a move.
//!
//! Two rules are from the consultation algorithm of Obata, Sugiyama, Hoki and Ito: majority vote
//! (2010), and optimistic consultation, the move with the highest score (Sugiyama et al., 2010). Workers
//! that exchange table entries vote like the threads of one engine, weighted by depth and score.

use super::options::OwnTurnMode;
use crate::search::VOTE_OFFSET;
use crate::usi_client::BestMove;

/// The answer of one worker.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vote {
    pub(super) answer: BestMove,
    /// As [`EngineScore::centipawns`](crate::usi_client::EngineScore::centipawns); `None` if unknown.
    pub(super) score: Option<i64>,
    pub(super) depth: u32,
    /// Its last line with a score, which is a bound only if no exact score of the move is known.
    pub(super) line: String,
}

/// The winning vote; `None` without votes. A declaration, which is legal here, wins the game and so every vote. Ties go
/// to the higher score, then to the earlier vote.
pub(super) fn decide(votes: &[Vote], rule: OwnTurnMode) -> Option<&Vote> {
    let declaration = votes.iter().find(|vote| vote.answer == BestMove::DeclareWin);
    if declaration.is_some() {
        return declaration;
    }
    let worst = votes.iter().filter_map(|vote| vote.score).min().unwrap_or_default();
    let weight = |vote: &Vote| match rule {
        OwnTurnMode::None | OwnTurnMode::Optimistic => 0,
        OwnTurnMode::Majority => 1,
        OwnTurnMode::Shared => {
            let offset = i64::from(VOTE_OFFSET.centipawns());
            vote.score.map_or(0, |score| (score - worst + offset) * i64::from(vote.depth))
        }
    };
    let support = |vote: &Vote| -> i64 {
        votes.iter().filter(|other| same(other.answer, vote.answer)).map(weight).sum()
    };
    // `max_by_key` takes the last of equals, and the leader votes first.
    votes.iter().rev().max_by_key(|vote| (support(vote), vote.score))
}

/// Whether two answers are the same, whatever the ponder moves.
fn same(one: BestMove, other: BestMove) -> bool {
    match (one, other) {
        (BestMove::Move { best: one, .. }, BestMove::Move { best: other, .. }) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi_client::EngineScore;

    fn votes(list: &[(&str, Option<i64>)]) -> Vec<Vote> {
        let vote = |&(mv, score): &(&str, Option<i64>)| {
            let answer = match mv {
                "resign" => BestMove::Resign,
                "win" => BestMove::DeclareWin,
                _ => BestMove::Move { best: mv.parse().unwrap(), ponder: None },
            };
            Vote { answer, score, depth: 10, line: format!("{mv} {score:?}") }
        };
        list.iter().map(vote).collect()
    }

    fn winner(list: &[(&str, Option<i64>)], rule: OwnTurnMode) -> String {
        decide(&votes(list), rule).unwrap().line.clone()
    }

    #[test]
    fn the_majority_wins_and_among_equals_the_higher_score() {
        let list = [("7g7f", Some(90)), ("2g2f", Some(10)), ("2g2f", Some(20))];
        assert_eq!(winner(&list, OwnTurnMode::Majority), "2g2f Some(20)");
        assert_eq!(winner(&list[..2], OwnTurnMode::Majority), "7g7f Some(90)");
        assert_eq!(winner(&list, OwnTurnMode::Optimistic), "7g7f Some(90)");
    }

    #[test]
    fn workers_that_share_vote_by_score_and_depth_and_a_mate_decides() {
        let list = [("7g7f", Some(90)), ("2g2f", Some(70)), ("2g2f", Some(71))];
        assert_eq!(winner(&list, OwnTurnMode::Shared), "7g7f Some(90)");
        let list = [("7g7f", Some(80)), ("2g2f", Some(75)), ("2g2f", Some(76))];
        assert_eq!(winner(&list, OwnTurnMode::Shared), "2g2f Some(76)");
        let mate = [("7g7f", Some(80)), ("7g7f", Some(75)), ("2g2f", Some(99_990))];
        assert_eq!(winner(&mate, OwnTurnMode::Shared), "2g2f Some(99990)");
        let mut votes = votes(&[("7g7f", Some(50)), ("2g2f", Some(50))]);
        votes[1].depth = 11;
        assert_eq!(decide(&votes, OwnTurnMode::Shared).unwrap().line, "2g2f Some(50)");
    }

    /// Regression: workers that saw no declaration, such as other engines, outvoted one that did.
    #[test]
    fn a_declaration_wins_every_vote() {
        let list = [("7g7f", Some(90)), ("7g7f", Some(80)), ("win", None)];
        for rule in [OwnTurnMode::Majority, OwnTurnMode::Optimistic, OwnTurnMode::Shared] {
            assert_eq!(winner(&list, rule), "win None");
        }
    }

    /// Regression: the weights overflowed, and the lowest score could win.
    #[test]
    fn a_score_beyond_all_evaluations_does_not_overflow() {
        let score = |value| Some(EngineScore::Centipawns(value).centipawns());
        let mut votes = votes(&[("7g7f", score(i64::MIN)), ("2g2f", score(i64::MAX))]);
        votes.iter_mut().for_each(|vote| vote.depth = u32::MAX);
        assert_eq!(decide(&votes, OwnTurnMode::Shared).unwrap().answer, votes[1].answer);
    }

    #[test]
    fn the_leader_wins_where_all_else_is_equal_and_no_score_ranks_last() {
        let list = [("7g7f", Some(5)), ("2g2f", Some(5)), ("resign", None)];
        for rule in [OwnTurnMode::Majority, OwnTurnMode::Optimistic, OwnTurnMode::Shared] {
            assert_eq!(winner(&list, rule), "7g7f Some(5)");
        }
        assert!(decide(&[], OwnTurnMode::Majority).is_none());
    }
}
