//! One `info` line of the search, read as strictly as by the strictest client: fields in one order,
//! single blanks, the bound after its value, the variation last.

#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    pub depth: u32,
    pub selective_depth: u32,
    pub multi_pv: usize,
    pub score: Option<Score>,
    /// The score is only a bound.
    pub bound: Option<&'static str>,
    pub time_ms: u64,
    pub nodes: u64,
    pub hashfull: u32,
    pub pv: Vec<String>,
}

/// Scores in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// Plies until mated, from the nearest to the farthest.
    Mated(u32),
    Centipawns(i32),
    /// Minus the plies to the mate.
    Mates(i32),
}

impl Score {
    fn parse(kind: &str, value: &str) -> Score {
        match (kind, value.strip_prefix('-')) {
            ("cp", _) => Score::Centipawns(value.parse().unwrap()),
            ("mate", Some(plies)) => Score::Mated(plies.parse().unwrap()),
            ("mate", None) => Score::Mates(-value.parse::<i32>().unwrap()),
            _ => panic!("score {kind}"),
        }
    }
}

impl Info {
    /// `None` for an `info string`. Any other line that does not have the form is a failure.
    pub fn parse(line: &str) -> Option<Info> {
        if line.starts_with("info string ") {
            return None;
        }
        Some(Info::fields(line).unwrap_or_else(|| panic!("{line:?} is no line of a search")))
    }

    fn fields(line: &str) -> Option<Info> {
        let mut words = line.split(' ').peekable();
        (words.next()? == "info").then_some(())?;
        let depth = field(&mut words, "depth")? as u32;
        let selective_depth = field(&mut words, "seldepth")? as u32;
        let multi_pv = field(&mut words, "multipv")? as usize;
        let mut score = None;
        if words.next_if_eq(&"score").is_some() {
            score = Some(Score::parse(words.next()?, words.next()?));
        }
        let bounds = ["lowerbound", "upperbound"];
        let bound = bounds.into_iter().find(|bound| words.next_if_eq(bound).is_some());
        let time_ms = field(&mut words, "time")?;
        let nodes = field(&mut words, "nodes")?;
        let _speed = field(&mut words, "nps")?;
        let hashfull = field(&mut words, "hashfull")? as u32;
        let pv: Vec<String> = match words.next() {
            None => Vec::new(),
            Some("pv") => words.map(str::to_owned).collect(),
            Some(_) => return None,
        };
        Some(Info { depth, selective_depth, multi_pv, score, bound, time_ms, nodes, hashfull, pv })
    }
}

fn field<'a>(words: &mut impl Iterator<Item = &'a str>, name: &str) -> Option<u64> {
    (words.next()? == name).then(|| words.next()?.parse().ok())?
}
