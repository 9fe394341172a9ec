//! Game headers: players, dates, time limits.

use std::borrow::Cow;
use std::fmt;

use super::japanese_text::half_width;
use super::time::MAX_SECONDS;

/// The key of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderKey {
    /// The players' names; in a handicap game White gives the handicap.
    Black,
    White,
    Event,
    Title,
    Site,
    /// The day, if the start time is separate or unknown.
    Date,
    Start,
    End,
    TimeLimit,
    BlackTimeLimit,
    WhiteTimeLimit,
    Byoyomi,
    Opening,
    MaxMoves,
    Jishogi,
    Note,
    /// Another key, by its name in the notation.
    Other(String),
}

/// The names of a key in KIF and JKF, and in CSA. The first one is written.
struct KeyNames {
    key: HeaderKey,
    kif: &'static [&'static str],
    csa: &'static [&'static str],
}

#[rustfmt::skip]
const NAMES: &[KeyNames] = &[
    KeyNames { key: HeaderKey::Black, kif: &["先手", "下手"], csa: &[] },
    KeyNames { key: HeaderKey::White, kif: &["後手", "上手"], csa: &[] },
    KeyNames { key: HeaderKey::Event, kif: &["棋戦"], csa: &["EVENT"] },
    KeyNames { key: HeaderKey::Title, kif: &["表題"], csa: &[] },
    KeyNames { key: HeaderKey::Site, kif: &["場所", "対局場所", "対局場"], csa: &["SITE"] },
    KeyNames { key: HeaderKey::Date, kif: &["対局日", "対局日時"], csa: &[] },
    KeyNames { key: HeaderKey::Start, kif: &["開始日時"], csa: &["START_TIME"] },
    KeyNames { key: HeaderKey::End, kif: &["終了日時"], csa: &["END_TIME"] },
    KeyNames { key: HeaderKey::TimeLimit, kif: &["持ち時間", "持時間"], csa: &["TIME_LIMIT", "TIME"] },
    KeyNames { key: HeaderKey::BlackTimeLimit, kif: &["先手持ち時間"], csa: &["TIME+", "TIMET+"] },
    KeyNames { key: HeaderKey::WhiteTimeLimit, kif: &["後手持ち時間"], csa: &["TIME-", "TIMET-"] },
    KeyNames { key: HeaderKey::Byoyomi, kif: &["秒読み"], csa: &[] },
    KeyNames { key: HeaderKey::Opening, kif: &["戦型"], csa: &["OPENING"] },
    KeyNames { key: HeaderKey::MaxMoves, kif: &["最大手数"], csa: &["MAX_MOVES"] },
    KeyNames { key: HeaderKey::Jishogi, kif: &["持将棋"], csa: &["JISHOGI"] },
    KeyNames { key: HeaderKey::Note, kif: &["備考"], csa: &["NOTE"] },
];

impl HeaderKey {
    fn names(&self) -> Option<&'static KeyNames> {
        NAMES.iter().find(|names| names.key == *self)
    }

    /// The key of a name in KIF or JKF. Spaces are ignored.
    pub fn of_kif(name: &str) -> HeaderKey {
        let plain: String = name.chars().filter(|c| !c.is_whitespace()).collect();
        let found = NAMES.iter().find(|names| names.kif.contains(&plain.as_str()));
        found.map_or_else(|| HeaderKey::Other(name.trim().to_owned()), |names| names.key.clone())
    }

    /// The key of a name in CSA, without the dollar sign. Names of KIF mean the same there.
    pub(super) fn of_csa(name: &str) -> HeaderKey {
        let found = NAMES.iter().find(|names| names.csa.contains(&name));
        found.map_or_else(|| HeaderKey::of_kif(name), |names| names.key.clone())
    }

    /// Whether it is one of the known keys.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, HeaderKey::Other(_))
    }

    /// The name in KIF and JKF. Players have other names in handicap games.
    pub fn kif(&self, handicap: bool) -> &str {
        match (self, self.names()) {
            (HeaderKey::Other(name), _) => name,
            (HeaderKey::Black | HeaderKey::White, Some(names)) if handicap => names.kif[1],
            (_, names) => names.map_or("", |names| names.kif[0]),
        }
    }

    /// A value in KIF and JKF. A time limit of CSA 3 is written in the format of CSA 2.2 if that is exact,
    /// because other programs read only `00:25+30`.
    pub(super) fn kif_value<'a>(&self, value: &'a str) -> Cow<'a, str> {
        let is_limit = matches!(
            self,
            HeaderKey::TimeLimit | HeaderKey::BlackTimeLimit | HeaderKey::WhiteTimeLimit
        );
        let exact = is_limit.then(|| TimeLimit::read(value)?.csa2()).flatten();
        exact.map_or(Cow::Borrowed(value), Cow::Owned)
    }

    /// The name in CSA, if there is one. That of time limits depends on the version.
    pub(super) fn csa(&self) -> Option<&str> {
        match self {
            HeaderKey::Other(name) => {
                let plain = |c: u8| matches!(c, b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'+' | b'-');
                (!name.is_empty() && name.bytes().all(plain)).then_some(name.as_str())
            }
            _ => self.names()?.csa.first().copied(),
        }
    }
}

/// The headers in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(HeaderKey, String)>);

impl Headers {
    /// The first value of a key.
    pub fn get(&self, key: &HeaderKey) -> Option<&str> {
        self.iter().find(|(found, _)| *found == key).map(|(_, value)| value)
    }

    /// Appends a header.
    pub fn add(&mut self, key: HeaderKey, value: impl Into<String>) {
        self.0.push((key, value.into()));
    }

    pub fn iter(&self) -> impl Iterator<Item = (&HeaderKey, &str)> {
        self.0.iter().map(|(key, value)| (key, value.as_str()))
    }
}

/// Converts a date, with an optional time, of any notation (such as `2024年1月1日(月) 9:00`) to the format of CSA
/// (`2024/01/01 09:00:00`). Characters are of either width.
pub(super) fn csa_date_time(text: &str) -> Option<String> {
    let mut is_weekday = false;
    let mut digits = String::new();
    for c in text.trim().chars().map(half_width) {
        match c {
            '(' => is_weekday = true,
            ')' => is_weekday = false,
            _ if is_weekday => {}
            '/' | '-' | ':' | ' ' | '　' | '年' | '月' | '日' | '時' | '分' | '秒' => {
                digits.push(' ')
            }
            c if c.is_ascii_digit() => digits.push(c),
            _ => return None,
        }
    }
    let numbers: Vec<u32> =
        digits.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let (&[year, month, day], time) = numbers.split_first_chunk()?;
    let is_day =
        (1000..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let day = is_day.then(|| format!("{year}/{month:02}/{day:02}"))?;
    let (hour, minute, second) = match *time {
        [] => return Some(day),
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then(|| format!("{day} {hour:02}:{minute:02}:{second:02}"))
}

/// A time limit in seconds. Reads the formats of both CSA versions, in characters of either width as KIF has
/// them, but no free text. Written in the format of version 2.2 if that is exact, else of version 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimit {
    pub total: f64,
    /// Time for each move.
    pub byoyomi: f64,
    /// Added with each move.
    pub increment: f64,
}

impl TimeLimit {
    pub(super) fn read(text: &str) -> Option<TimeLimit> {
        let number = |text: &str| -> Option<f64> {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let seconds: Option<f64> = digits.then(|| text.parse().ok())?;
            // Larger numbers are not exact.
            seconds.filter(|&seconds| seconds <= MAX_SECONDS as f64)
        };
        let plain: String = text.chars().map(half_width).collect();
        match plain.trim().split('+').collect::<Vec<_>>()[..] {
            [total, byoyomi] => {
                let (hours, minutes) = total.split_once(':')?;
                let total = number(hours)? * 3600.0 + number(minutes)? * 60.0;
                Some(TimeLimit { total, byoyomi: number(byoyomi)?, increment: 0.0 })
            }
            [total, byoyomi, increment] => Some(TimeLimit {
                total: number(total)?,
                byoyomi: number(byoyomi)?,
                increment: number(increment)?,
            }),
            _ => None,
        }
    }

    /// In the format of version 2.2, `HH:MM+SS`, if that is exact.
    pub(super) fn csa2(self) -> Option<String> {
        let whole = self.total % 60.0 == 0.0 && self.byoyomi.fract() == 0.0;
        let minutes = (self.total / 60.0) as u64;
        let text = format!("{:02}:{:02}+{:02}", minutes / 60, minutes % 60, self.byoyomi);
        (whole && self.increment == 0.0).then_some(text)
    }

    /// In the format of version 3: total seconds, byoyomi, increment.
    pub(super) fn csa3(self) -> String {
        format!("{}+{}+{}", self.total, self.byoyomi, self.increment)
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.csa2().unwrap_or_else(|| self.csa3()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: CSA 3 got `inf+0+0`.
    #[test]
    fn a_time_limit_too_large_for_a_number_stays_text() {
        let value = format!("{}+0+0", "9".repeat(400));
        assert_eq!(TimeLimit::read(&value), None);
        assert_eq!(HeaderKey::TimeLimit.kif_value(&value), value.as_str());
    }

    #[test]
    fn dates_of_kif_are_converted_to_dates_of_csa() {
        for (text, moment) in [
            ("2003/05/03 10:30:00", Some("2003/05/03 10:30:00")),
            ("1999/07/15(木) 19:07:12", Some("1999/07/15 19:07:12")),
            ("2024年1月1日（月）9:05", Some("2024/01/01 09:05:00")),
            ("2024-02-29", Some("2024/02/29")),
            ("2024年", None),
            ("2024/13/01", None),
            ("2024/01/01 25:00", None),
            ("昭和10年1月1日", None),
            ("", None),
        ] {
            assert_eq!(csa_date_time(text).as_deref(), moment, "{text}");
        }
    }

    /// Regression: Kifu for Windows wrote one with a wide colon, and it was left out.
    #[test]
    fn dates_may_have_wide_characters() {
        for text in ["2014/09/13 14：59", "２０１４／０９／１３（土）　１４：５９：００"]
        {
            assert_eq!(csa_date_time(text).as_deref(), Some("2014/09/13 14:59:00"), "{text}");
        }
    }

    #[test]
    fn every_name_leads_to_its_key() {
        for names in NAMES {
            names.kif.iter().for_each(|name| assert_eq!(HeaderKey::of_kif(name), names.key));
            names.csa.iter().for_each(|name| assert_eq!(HeaderKey::of_csa(name), names.key));
        }
        assert_eq!(HeaderKey::of_kif("先　手"), HeaderKey::Black);
        assert_eq!(HeaderKey::of_csa("先手"), HeaderKey::Black);
        assert_eq!(HeaderKey::of_kif(" 図 "), HeaderKey::Other("図".into()));
        assert_eq!(HeaderKey::Black.kif(true), "下手");
        assert_eq!(HeaderKey::Other("図".into()).csa(), None);
        assert_eq!(HeaderKey::Other("X-1".into()).csa(), Some("X-1"));
    }

    #[test]
    fn time_limits_are_in_kif_as_in_csa_2_if_that_is_exact() {
        let key = HeaderKey::TimeLimit;
        for (value, written) in [
            ("1500+30+0", "00:25+30"),
            ("00:25+30", "00:25+30"),
            ("300+0+10", "300+0+10"),
            ("90+30+0", "90+30+0"),
            ("各6時間", "各6時間"),
        ] {
            assert_eq!(key.kif_value(value), written);
        }
        assert_eq!(HeaderKey::WhiteTimeLimit.kif_value("60+0+0"), "00:01+00");
        assert_eq!(HeaderKey::Note.kif_value("60+0+0"), "60+0+0");
    }

    #[test]
    fn time_limits_are_converted_between_the_csa_versions() {
        let limit = TimeLimit::read("01:30+60").unwrap();
        assert_eq!((limit.csa2().unwrap(), limit.csa3()), ("01:30+60".into(), "5400+60+0".into()));
        let limit = TimeLimit::read("600+0.5+10").unwrap();
        assert_eq!((limit.csa2(), limit.csa3()), (None, "600+0.5+10".into()));
        assert_eq!(TimeLimit::read("６００＋０．５＋１０"), Some(limit));
        assert_eq!(TimeLimit::read("０１：３０＋６０"), TimeLimit::read("01:30+60"));
        for text in ["6時間", "", "1:2", "1:2:3+4", "a:b+c", "1+2", "inf+nan+1", "-1:00+0"] {
            assert_eq!(TimeLimit::read(text), None, "{text}");
        }
    }
}
