//! A small Rust scanner for the architecture test: tokens without comments and strings, paths that
//! start at the crate's root, re-exports, and the length of functions.

/// A word or a punctuation sign, with its line counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub line: usize,
    pub text: String,
}

impl Token {
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// A path from the crate's root, such as `["position", "sfen", "SfenError"]`; the last part may be
/// `*`. An empty path is the root itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub line: usize,
    pub parts: Vec<String>,
}

/// A function and how many lines it spans, from `fn` to its closing brace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub line: usize,
    pub name: String,
    pub lines: usize,
}

/// Splits a source into tokens, without comments. A string or character becomes the token `""`.
pub fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut lexer = Lexer { chars, at: 0, line: 1, tokens: Vec::new() };
    lexer.run();
    lexer.tokens
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0) == '\n' {
                self.line += 1;
            }
            self.at += 1;
        }
    }

    fn push(&mut self, line: usize, text: &str) {
        self.tokens.push(Token { line, text: text.to_owned() });
    }

    fn run(&mut self) {
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '/') => self.line_comment(),
                ('/', '*') => self.block_comment(),
                ('"', _) => self.string(),
                ('\'', _) => self.character_or_lifetime(),
                (':', ':') => {
                    self.push(self.line, "::");
                    self.skip(2);
                }
                (c, _) if c.is_whitespace() => self.skip(1),
                (c, _) if c.is_alphanumeric() || c == '_' => self.word(),
                (c, _) => {
                    self.push(self.line, &c.to_string());
                    self.skip(1);
                }
            }
        }
    }

    fn line_comment(&mut self) {
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            self.skip(1);
        }
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.skip(1);
                    continue;
                }
            }
            self.skip(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.push(self.line, "\"\"");
        self.skip(1);
        while self.at < self.chars.len() && self.peek(0) != '"' {
            self.skip(if self.peek(0) == '\\' { 2 } else { 1 });
        }
        self.skip(1);
    }

    /// `'a'` and `'\n'` are characters, `'a` alone is a lifetime.
    fn character_or_lifetime(&mut self) {
        self.push(self.line, "\"\"");
        if self.peek(1) == '\\' {
            self.skip(3);
            while self.at < self.chars.len() && self.peek(0) != '\'' {
                self.skip(1);
            }
            self.skip(1);
        } else if self.peek(2) == '\'' {
            self.skip(3);
        } else {
            self.skip(1);
            while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
                self.skip(1);
            }
        }
    }

    /// An identifier, keyword or number, or the prefix of a string or raw identifier.
    fn word(&mut self) {
        let (start, line) = (self.at, self.line);
        while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
            self.at += 1;
        }
        let text: String = self.chars[start..self.at].iter().collect();
        match (text.as_str(), self.peek(0)) {
            ("b" | "c", '"') => self.string(),
            ("b", '\'') => self.character_or_lifetime(),
            ("r" | "br" | "cr", '"' | '#') if self.raw_string() => {}
            ("r", '#') => self.skip(1),
            _ => self.push(line, &text),
        }
    }

    /// Reads `"..."`, `#"..."#` and so on after an `r`; false if it is none.
    fn raw_string(&mut self) -> bool {
        let hashes = (0..).take_while(|&ahead| self.peek(ahead) == '#').count();
        if self.peek(hashes) != '"' {
            return false;
        }
        self.push(self.line, "\"\"");
        self.skip(hashes + 1);
        let closes = |lexer: &Lexer| {
            lexer.peek(0) == '"' && (1..=hashes).all(|ahead| lexer.peek(ahead) == '#')
        };
        while self.at < self.chars.len() && !closes(self) {
            self.skip(1);
        }
        self.skip(hashes + 1);
        true
    }
}

/// Every path that starts at the crate's root (`crate`, `$crate`, the crate's name), at `super` or at
/// `self`. `module` is the module of the file, such as `["position", "sfen"]`.
pub fn paths(tokens: &[Token], module: &[&str], crate_name: &str) -> Vec<Path> {
    let mut scanner = PathScanner {
        tokens,
        module: module.iter().map(|&part| part.to_owned()).collect(),
        crate_name,
        inline: Vec::new(),
        found: Vec::new(),
    };
    scanner.run();
    scanner.found
}

struct PathScanner<'a> {
    tokens: &'a [Token],
    /// The module of the current token, inline modules included.
    module: Vec<String>,
    crate_name: &'a str,
    /// The brace depths at which the open inline modules end.
    inline: Vec<usize>,
    found: Vec<Path>,
}

impl PathScanner<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.text)
    }

    fn run(&mut self) {
        let mut depth = 0;
        let mut at = 0;
        while at < self.tokens.len() {
            match self.text(at) {
                "{" => {
                    if at >= 2 && self.text(at - 2) == "mod" {
                        let name = self.text(at - 1).to_owned();
                        self.module.push(name);
                        self.inline.push(depth);
                    }
                    depth += 1;
                }
                "}" => {
                    depth = depth.saturating_sub(1);
                    if self.inline.last() == Some(&depth) {
                        self.inline.pop();
                        self.module.pop();
                    }
                }
                _ => {
                    if let Some(next) = self.path_at(at) {
                        at = next;
                        continue;
                    }
                }
            }
            at += 1;
        }
    }

    /// Reads a path that starts here and returns the index after it, or `None` if none starts here.
    fn path_at(&mut self, at: usize) -> Option<usize> {
        let before = |count| at.checked_sub(count).map_or("", |at| self.text(at));
        let visibility = before(1) == "in" && before(2) == "(";
        if visibility || matches!(before(1), "::" | "extern") {
            return None;
        }
        let mut parts = match self.text(at) {
            "crate" => Vec::new(),
            name if name == self.crate_name && self.text(at + 1) == "::" => Vec::new(),
            "self" if self.text(at + 1) == "::" => self.module.clone(),
            "super" => parent(&self.module),
            _ => return None,
        };
        let mut next = at + 1;
        if before(1) == "(" && self.text(next) == ")" {
            return None; // `pub(crate)`, `pub(super)`
        }
        while self.text(next) == "::" && self.text(next + 1) == "super" {
            parts = parent(&parts);
            next += 2;
        }
        Some(self.tree(next, parts))
    }

    /// Reads what follows the part before `at`: `::name`, `::*`, `::{...}` or the end of the path.
    fn tree(&mut self, at: usize, mut parts: Vec<String>) -> usize {
        let line = self.tokens[at - 1].line;
        if self.text(at) != "::" {
            self.found.push(Path { line, parts });
            return at;
        }
        match self.text(at + 1) {
            "{" => self.group(at + 2, &parts),
            "*" => {
                parts.push("*".to_owned());
                self.found.push(Path { line, parts });
                at + 2
            }
            name if self.tokens.get(at + 1).is_some_and(Token::is_word) => {
                parts.push(name.to_owned());
                self.tree(at + 2, parts)
            }
            // The generic arguments of `name::<...>` may hold paths of their own.
            _ => {
                self.found.push(Path { line, parts });
                at + 1
            }
        }
    }

    /// Reads the parts of a `{...}` in a use declaration and returns the index after its brace.
    fn group(&mut self, mut at: usize, parts: &[String]) -> usize {
        while at < self.tokens.len() && self.text(at) != "}" {
            match self.text(at) {
                "self" => {
                    let line = self.tokens[at].line;
                    self.found.push(Path { line, parts: parts.to_vec() });
                    at += 1;
                }
                "as" => at += 2,
                "*" => {
                    let line = self.tokens[at].line;
                    let mut parts = parts.to_vec();
                    parts.push("*".to_owned());
                    self.found.push(Path { line, parts });
                    at += 1;
                }
                name if self.tokens[at].is_word() => {
                    let mut parts = parts.to_vec();
                    parts.push(name.to_owned());
                    at = self.tree(at + 1, parts);
                }
                _ => at += 1,
            }
        }
        at + 1
    }
}

/// What a module re-exports: each name with its path from the crate's root. A path that begins with
/// neither `crate`, `self` nor `super` is taken for one of a child module.
pub fn re_exports(
    tokens: &[Token],
    module: &[String],
    crate_name: &str,
) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        if tokens[at].text == "use" && matches!(tokens[at - 1].text.as_str(), "pub" | ")") {
            UseTree { tokens, module, crate_name, at: at + 1 }.read(&[], &mut found);
        }
    }
    found
}

/// A reader of what follows `use`.
struct UseTree<'a> {
    tokens: &'a [Token],
    module: &'a [String],
    crate_name: &'a str,
    at: usize,
}

impl UseTree<'_> {
    fn text(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| &token.text)
    }

    /// Reads one tree below a path. Globs name nothing.
    fn read(&mut self, above: &[String], found: &mut Vec<(String, Vec<String>)>) {
        let mut path = above.to_vec();
        while self.tokens.get(self.at).is_some_and(Token::is_word) {
            self.step(&mut path, above.is_empty());
            if self.text() != "::" {
                let mut name = path.last().cloned().unwrap_or_default();
                if self.text() == "as" {
                    name = self.tokens.get(self.at + 1).map_or(name, |token| token.text.clone());
                    self.at += 2;
                }
                found.push((name, path));
                return;
            }
            self.at += 1;
        }
        let is_group = self.text() == "{";
        self.at += 1;
        while is_group && self.at < self.tokens.len() {
            match self.text() {
                "}" => {
                    self.at += 1;
                    return;
                }
                "," => self.at += 1,
                _ => self.read(&path, found),
            }
        }
    }

    /// Takes a word into the path.
    fn step(&mut self, path: &mut Vec<String>, is_first: bool) {
        let word = self.text().to_owned();
        self.at += 1;
        match word.as_str() {
            "crate" => path.clear(),
            "self" if is_first => *path = self.module.to_vec(),
            "self" => {}
            "super" if path.is_empty() => *path = parent(self.module),
            "super" => *path = parent(path),
            _ if word == self.crate_name => path.clear(),
            _ => {
                if path.is_empty() && is_first && !self.follows_root() {
                    *path = self.module.to_vec();
                }
                path.push(word);
            }
        }
    }

    /// Whether the word just read follows `crate::`.
    fn follows_root(&self) -> bool {
        let before = |count| self.at.checked_sub(count).map_or("", |at| &*self.tokens[at].text);
        before(2) == "::" && (before(3) == "crate" || before(3) == self.crate_name)
    }
}

/// The tokens of a source without its inline modules `tests`.
pub fn without_tests(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_tests = |three: &[Token]| {
        three[0].text == "mod" && three[1].text == "tests" && three[2].text == "{"
    };
    while let Some(start) = tokens.windows(3).position(is_tests) {
        let mut depth = 0;
        let end = tokens[start..].iter().position(|token| {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            depth == 0 && token.text == "}"
        });
        tokens.drain(start..end.map_or(tokens.len(), |end| start + end + 1));
    }
    tokens
}

fn parent(module: &[String]) -> Vec<String> {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// Every function that has a body.
pub fn functions(tokens: &[Token]) -> Vec<Function> {
    (1..tokens.len())
        .filter(|&at| tokens[at - 1].text == "fn" && tokens[at].is_word())
        .filter_map(|at| {
            let last_line = end_of_body(&tokens[at..])?;
            let line = tokens[at - 1].line;
            Some(Function { line, name: tokens[at].text.clone(), lines: last_line - line + 1 })
        })
        .collect()
}

/// The line of the brace that closes the function whose name is the first token; `None` without a body.
fn end_of_body(tokens: &[Token]) -> Option<usize> {
    let mut brackets = 0;
    let mut braces = 0;
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets -= 1,
            ";" if brackets == 0 && braces == 0 => return None,
            "{" => braces += 1,
            "}" => {
                braces -= 1;
                if braces == 0 {
                    return Some(token.line);
                }
            }
            _ => {}
        }
    }
    None
}
