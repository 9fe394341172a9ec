//! A second, slow implementation of the rules on a grid of letters, as the wiki describes them. It shares only the
//! letters with the engine.

use std::collections::BTreeSet;

const WIDTH: usize = 6;
const HEIGHT: usize = 13;
const HIDDEN_ROW: usize = 12;

/// The letters of each column from the bottom. Only whole columns are kept, so nothing floats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlowField(pub [Vec<char>; WIDTH]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlowChain {
    pub links: u32,
    pub score: u32,
}

impl SlowField {
    pub fn parse(text: &str) -> SlowField {
        let columns: Vec<Vec<char>> =
            text.split('/').take(WIDTH).map(|letters| letters.chars().collect()).collect();
        SlowField(columns.try_into().unwrap())
    }

    pub fn text(&self) -> String {
        self.0.iter().map(|letters| letters.iter().collect::<String>() + "/").collect()
    }

    fn letter(&self, column: usize, row: usize) -> Option<char> {
        self.0[column].get(row).copied()
    }

    /// All cells connected with this one through its colour, in the visible rows.
    fn group(&self, column: usize, row: usize) -> BTreeSet<(usize, usize)> {
        let color = self.letter(column, row);
        let mut group = BTreeSet::new();
        let mut open = vec![(column, row)];
        while let Some((x, y)) = open.pop() {
            if y < HIDDEN_ROW && self.letter(x, y) == color && group.insert((x, y)) {
                open.extend(beside(x, y));
            }
        }
        group
    }

    fn groups(&self) -> BTreeSet<BTreeSet<(usize, usize)>> {
        let mut groups = BTreeSet::new();
        for column in 0..WIDTH {
            for row in 0..HIDDEN_ROW.min(self.0[column].len()) {
                let group = self.group(column, row);
                if self.letter(column, row) != Some('o') && group.len() >= 4 {
                    groups.insert(group);
                }
            }
        }
        groups
    }

    pub fn run_chain(&mut self) -> SlowChain {
        let mut chain = SlowChain::default();
        loop {
            let groups = self.groups();
            if groups.is_empty() {
                return chain;
            }
            chain.links += 1;
            chain.score += self.points(&groups, chain.links);
            let mut removed: BTreeSet<(usize, usize)> = groups.into_iter().flatten().collect();
            for (x, y) in removed.clone() {
                let is_garbage =
                    |&(x, y): &(usize, usize)| y < HIDDEN_ROW && self.letter(x, y) == Some('o');
                removed.extend(beside(x, y).into_iter().filter(is_garbage));
            }
            for &(x, y) in removed.iter().rev() {
                self.0[x].remove(y);
            }
        }
    }

    fn points(&self, groups: &BTreeSet<BTreeSet<(usize, usize)>>, link: u32) -> u32 {
        let powers =
            [0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512];
        let mut bonus = powers[link as usize - 1];
        let mut colors = BTreeSet::new();
        let mut puyos = 0;
        for group in groups {
            bonus += match group.len() {
                4 => 0,
                size @ 5..=10 => size as u32 - 3,
                _ => 10,
            };
            let &(x, y) = group.first().unwrap();
            colors.insert(self.letter(x, y));
            puyos += group.len() as u32;
        }
        bonus += [0, 3, 6, 12, 24][colors.len() - 1];
        10 * puyos * bonus.clamp(1, 999)
    }

    /// All moves as text, sorted.
    pub fn moves(&self) -> Vec<String> {
        let heights: Vec<usize> = self.0.iter().map(Vec::len).collect();
        let mut moves = Vec::new();
        if heights[2] >= 12 {
            return moves;
        }
        // From the third column to both sides, as long as there is no wall.
        let is_reached = |x: usize| (x.min(2)..=x.max(2)).all(|between| heights[between] < 12);
        for (x, &height) in heights.iter().enumerate().filter(|&(x, _)| is_reached(x)) {
            moves.push(square(x, height) + &square(x, height + 1));
            moves.push(square(x, height + 1) + &square(x, height));
            for side in [x.wrapping_sub(1), x + 1] {
                if side < WIDTH && is_reached(side) {
                    moves.push(square(x, height) + &square(side, heights[side]));
                }
            }
        }
        moves.sort();
        moves
    }

    /// A pair comes to rest where a move says.
    pub fn put(&mut self, text: &str, axis: char, child: char) {
        let at = |text: &str| {
            let mut letters = text.chars();
            let column = letters.next().unwrap() as usize - '1' as usize;
            (column, letters.next().unwrap() as usize - 'a' as usize)
        };
        let mut puyos = [(at(&text[..2]), axis), (at(&text[2..]), child)];
        puyos.sort_by_key(|&((_, row), _)| row);
        for ((column, row), letter) in puyos {
            assert_eq!(self.0[column].len(), row, "{text} in {}", self.text());
            self.0[column].push(letter);
        }
    }
}

fn square(column: usize, row: usize) -> String {
    String::from_iter([b'1' + column as u8, b'a' + row as u8].map(char::from))
}

fn beside(x: usize, y: usize) -> Vec<(usize, usize)> {
    let mut cells = vec![(x, y + 1)];
    cells.extend(y.checked_sub(1).map(|y| (x, y)));
    cells.extend(x.checked_sub(1).map(|x| (x, y)));
    cells.extend((x + 1 < WIDTH).then_some((x + 1, y)));
    cells.retain(|&(_, y)| y < HEIGHT);
    cells
}
