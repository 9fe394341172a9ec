//! The help of the program in Japanese.

use clap::{Arg, ArgAction, Command};

/// The texts of one command.
struct CommandHelp {
    /// Names from the program downwards, without the program itself.
    path: &'static [&'static str],
    about: &'static str,
    /// The additional text of `--help`, or empty.
    details: &'static str,
    /// Identifier and text of each argument.
    arguments: &'static [(&'static str, &'static str)],
}

const LAYOUT: &str = "{about-with-newline}\n使い方: {usage}\n\n{all-args}{after-help}";
const HELP: &str = "この説明を表示する";
const HELP_OR_SUMMARY: &str = "この説明を表示する（-h は要約）";
const AFTER_HELP: &str = "USIオプションの一覧は `kawasemi options` で表示します。

終了ステータス: 成功は0、エラーは1、引数の誤りは2、途中で中断したときは130。
perft、bench と、--check も --make も付けない mate は、中断するとシグナルで終了します。";
const HELP_COMMAND: &str = "この説明、または指定したコマンドの説明を表示する";

/// The command with all texts in Japanese.
pub fn translated(mut command: Command) -> Command {
    // The arguments that clap adds exist only afterwards.
    command.build();
    translate(command, &mut Vec::new())
}

fn translate(command: Command, path: &mut Vec<String>) -> Command {
    let mut command = command
        .help_template(LAYOUT)
        .subcommand_help_heading("コマンド")
        .mut_args(|argument| translate_argument(argument, path));
    if let Some(texts) = texts_of(path) {
        command = command.about(texts.about);
        if !texts.details.is_empty() {
            command = command.long_about(format!("{}\n\n{}", texts.about, texts.details));
        }
    }
    if path.is_empty() {
        command = command.after_help(AFTER_HELP);
    }
    command.mut_subcommands(|subcommand| {
        if subcommand.get_name() == "help" {
            return help_command();
        }
        path.push(subcommand.get_name().to_owned());
        let subcommand = translate(subcommand, path);
        path.pop();
        subcommand
    })
}

/// The command `help`. The one that clap has built lists copies of all commands, in English.
fn help_command() -> Command {
    let names = Arg::new("command")
        .action(ArgAction::Append)
        .num_args(..)
        .value_name("COMMAND")
        .help_heading("引数")
        .help("説明を表示するコマンド");
    Command::new("help")
        .about(HELP_COMMAND)
        .help_template(LAYOUT)
        .disable_help_flag(true)
        .arg(names)
}

fn translate_argument(argument: Arg, path: &[String]) -> Arg {
    let heading = if argument.is_positional() { "引数" } else { "オプション" };
    let argument = argument.help_heading(heading);
    let text = match argument.get_id().as_str() {
        "help" if argument.get_long_help().is_some() => Some(HELP_OR_SUMMARY),
        "help" => Some(HELP),
        "version" => Some("バージョンを表示する"),
        id => texts_of(path).and_then(|texts| {
            texts.arguments.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
        }),
    };
    let Some(text) = text else { return argument };
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let text = match defaults.as_slice() {
        [] => text.to_owned(),
        // A flag.
        [value] if value == "false" => text.to_owned(),
        values => format!("{text}（既定値 {}）", values.join(" ")),
    };
    argument.help(text.clone()).long_help(text).hide_default_value(true).hide_possible_values(true)
}

fn texts_of(path: &[String]) -> Option<&'static CommandHelp> {
    TEXTS.iter().find(|texts| texts.path == path)
}

const TEXTS: &[CommandHelp] = &[
    CommandHelp {
        path: &[],
        about: "将棋エンジン。コマンドを付けずに起動すると、標準入出力でUSIプロトコルの通信をする",
        details: "",
        arguments: &[
            (
                "usi_options",
                "コマンドの実行前にUSIオプションを設定する。例: `kawasemi --usi-option Threads=4 analyze game.kif`。\
                 複数回指定できる",
            ),
            (
                "more_options",
                "コマンドなしで起動するときのUSIオプション。例: `kawasemi -- Threads=4 USI_Hash=1024`",
            ),
        ],
    },
    CommandHelp {
        path: &["perft"],
        about: "局面から始まる合法手順の数を数える",
        details: "",
        arguments: &[
            ("depth", "深さ（手数）"),
            ("sfen", "平手の初期局面の代わりに使う局面。SFEN、またはUSIの `position` に続く部分"),
            ("divide", "初手ごとの数も表示する"),
        ],
    },
    CommandHelp {
        path: &["bench"],
        about: "決まった局面を探索して速度を測る。ノード数の合計が同じなら、探索の動作も同じ",
        details: "",
        arguments: &[
            ("depth", "各探索の深さ（手数）"),
            ("hash", "置換表のサイズ（MiB。既定値 16）"),
            ("threads", "スレッド数（既定値 1）。2以上ではノード数が毎回変わる"),
            ("eval", "内蔵の評価関数の代わりに使う評価関数ファイル"),
            ("kernel", "評価関数の計算に使うCPU命令。オプションEvalKernelの名前で指定する"),
        ],
    },
    CommandHelp {
        path: &["analyze"],
        about: "棋譜を1手ずつ解析する",
        details: "本譜のすべての手（--branches を付けると分岐の手も）を最善手と比較します。\
                  Ctrl-Cで中断すると、それまでの結果を出力します。解析は終局側から進みます。",
        arguments: &[
            ("games", "棋譜ファイル。形式は自動判別。`-` は標準入力"),
            ("movetime", "1局面の思考時間（ミリ秒。既定値 1000）"),
            ("nodes", "1局面のノード数（時間の代わり）。1スレッドなら結果は毎回同じ"),
            ("depth", "探索の深さ（手数。時間の代わり）"),
            ("multipv", "1局面の候補手の数（既定値 1）"),
            ("threads", "探索のスレッド数（既定値はCPUのスレッド数、最大32）"),
            ("hash", "置換表のサイズ（MiB。既定値 256）"),
            ("eval", "内蔵の評価関数の代わりに使う評価関数ファイル"),
            ("branches", "本譜だけでなく分岐も解析する"),
            ("json", "表の代わりにJSONを出力する"),
            ("output", "コメント付きの棋譜を書き出す。形式は拡張子で決まる"),
            ("html", "ブラウザ用のページを書き出す"),
            (
                "book",
                "エンジン自身の定跡の代わりに使う定跡ファイル。その手には印を付け、悪手とは判定しない。複数回指定できる",
            ),
            (
                "lang",
                "表とページの言語。en または ja（既定値はシステムの言語、ページはブラウザの言語）",
            ),
            ("human", "表に、エンジン同士ではなく人間同士の対局での勝率を表示する"),
            (
                "partial",
                "不正な手があればその直前までを読み、棋譜のないファイルは飛ばす（指定しなければエラー）",
            ),
            ("lossy", "一部の情報が失われても、--output で読み込み元のファイルを置き換える"),
        ],
    },
    CommandHelp {
        path: &["mate"],
        about: "詰将棋を解く。余詰の検討と創作もできる",
        details: "問題は、棋譜（形式は自動判別。指し手が作意になる）か、リストの1行です。リストの行は\
                  SFENまたはUSIの局面で、タブの後に詰み手数または ? を書くこともできます。それ以降の列、空行、# で始まる行は無視します。\
                  指し手がある場合は、その後の局面が問題です。手数には無駄合を含みます（棋譜と --check では含みません）。\
                  書かれた手数や作意が誤りなら、エラーで終了します。\
                  Ctrl-Cで中断すると、それまでの結果を出力します。",
        arguments: &[
            ("files", "問題のファイル。`-` は標準入力"),
            ("check", "問題を検討する。無駄合を除いた手数、本手順、余詰を調べる"),
            ("fill_hand", "盤上にも持ち駒にもない駒を、すべて玉方の持ち駒にする"),
            ("make", "問題を解く代わりに、この手数の詰将棋を創作する。15以下の奇数"),
            ("count", "創作する問題の数（既定値 10）"),
            ("seed", "創作の乱数の種（既定値 1）。同じ種からは同じ問題ができる"),
            ("moves", "詰み手順も表示する"),
            (
                "lang",
                "手順、検討結果、ページの言語。en または ja（既定では手順はUSI、検討結果はシステムの言語、\
                 ページはブラウザの言語）",
            ),
            ("json", "検討結果をJSONで出力する"),
            (
                "output",
                "検討または創作した問題を書き出す。余詰は分岐になる。形式は拡張子で決まり、.html は練習用のページ",
            ),
            (
                "time",
                "1問の制限時間（ミリ秒。既定値 10000、検討では 60000）。--make では全体の制限時間（既定では無制限）",
            ),
            ("nodes", "1問の制限ノード数"),
            ("threads", "解図のスレッド数（既定値 1）。--check と --make では同時に扱う問題の数"),
            ("hash", "解図に使うメモリ（MiB。既定値 1024）"),
            (
                "aim",
                "探索を終える条件（オプションMateAimと同じ）。first: 最初に見つけた詰み、short: 短い探索で短縮した詰み、\
                 shortest: 最短の詰み（既定値）",
            ),
        ],
    },
    CommandHelp {
        path: &["puzzles"],
        about: "対局者が逃した手から問題を作る",
        details: "問題になるのは、詰み・勝ち・しのぎになる唯一の手を対局者が逃した局面です。\
                  Ctrl-Cで中断すると、それまでに見つかった問題を出力します。",
        arguments: &[
            ("games", "棋譜ファイル。形式は自動判別。`-` は標準入力"),
            (
                "output",
                "問題を書き出す。複数回指定できる。.html は練習用のページ、.json はShogiHomeの次の一手問題集、\
                 .kif や .sfen などは棋譜",
            ),
            ("player", "名前にこの文字列を含む対局者の手だけを調べる。大文字と小文字は区別しない"),
            ("nodes", "棋譜の1局面のノード数（既定値 20000）。問題の候補はその10倍で調べる"),
            ("threads", "同時に調べる棋譜の数（既定値はCPUのスレッド数）"),
            ("hash", "スレッドごとの置換表のサイズ（MiB。既定値 32）"),
            ("eval", "内蔵の評価関数の代わりに使う評価関数ファイル"),
            (
                "lang",
                "一覧とページの言語。en または ja（既定値はシステムの言語、ページはブラウザの言語）",
            ),
            (
                "partial",
                "不正な手があればその直前までを読み、棋譜のないファイルは飛ばす（指定しなければエラー）",
            ),
        ],
    },
    CommandHelp {
        path: &["csa"],
        about: "CSAプロトコルのサーバー（floodgate、選手権、手元のshogi-server）で対局する",
        details: "--host と --name に、--game またはパスワードがあれば対局できます。設定ファイルではすべてを設定でき\
                  （docs/csa.md と docs/csa.example.toml）、引数はそれに優先します。\
                  Ctrl-Cを1回押すと対局の終了後に、2回押すとすぐに終了します。",
        arguments: &[
            ("config", "設定ファイル"),
            ("host", "サーバーの名前またはアドレス"),
            ("port", "サーバーのポート。floodgateは4081"),
            ("name", "ログイン名"),
            ("password_env", "パスワードが入っている環境変数の名前"),
            ("password_file", "1行目がパスワードのファイル"),
            ("game", "希望する対局の名前。例: floodgate-300-10F"),
            ("games", "対局数。0は無制限"),
            ("engine", "このエンジンの代わりに使うUSIエンジン"),
            ("engine_args", "そのエンジンに渡す引数。複数回指定できる"),
            ("ponder", "相手の手番でも考える"),
            ("multi_ponder", "この数のワーカーで、それぞれ別の予想手を先読みする"),
            ("margin", "通信の遅延とは別に、毎手の持ち時間から差し引くミリ秒数"),
            ("records", "棋譜を保存するフォルダ"),
            ("log", "サーバーとの通信をすべて記録するファイル"),
            ("plain", "ターミナルでも画面表示ではなく行単位で出力する"),
            ("lang", "画面とメッセージの言語。en または ja（既定値はシステムの言語）"),
        ],
    },
    CommandHelp {
        path: &["options"],
        about: "USIオプションを一覧し、説明する",
        details: "",
        arguments: &[
            ("names", "表示するオプションの名前（既定値はすべて）"),
            ("lang", "en または ja（既定値はシステムの言語）"),
            ("translation", "一覧の代わりに、全言語の説明を並べた translation.txt を出力する"),
        ],
    },
    CommandHelp {
        path: &["cluster"],
        about: "複数のエンジンを1つのUSIエンジンとして動かす（並列探索、マルチポンダー、合議）",
        details: "相手の手番では、各ワーカーがそれぞれ別の予想手を先読みします。自分の手番では、指された手を先読みしていた\
                  ワーカーが続けて考え、既定ではほかのワーカーも同じ局面を探索して、結果を交換し、投票で指し手を決めます\
                  （MultiPonderOwnTurn）。\
                  ワーカーが応答しなくなると別のワーカーが引き継ぎ、応答しないものは再起動します。docs/cluster.md を参照。\n\n\
                  ThreadsとUSI_Hashは、このマシンのワーカーで分け合います。コマンドが `ssh` で始まるワーカーは別のマシンで動き、\
                  オプションはそのコマンドの指定に従います。",
        arguments: &[
            ("workers", "ワーカーの数（既定値は --worker の数、ただし2以上）"),
            (
                "commands",
                "このプログラムの代わりにワーカーとして起動するコマンド。例: \"ssh host kawasemi\"。複数回指定でき、\
                 足りない分は最後のコマンドを使う",
            ),
        ],
    },
    CommandHelp {
        path: &["define"],
        about: "MyShogi用のエンジン定義ファイル engine_define.xml を出力する",
        details: "",
        arguments: &[("lang", "説明の言語。en または ja")],
    },
    CommandHelp {
        path: &["convert"],
        about: "棋譜を別の形式に変換する",
        details: "",
        arguments: &[
            ("from", "棋譜ファイル。`-` は標準入力。形式と文字コードは自動判別"),
            ("output", "書き出すファイル。省略時または `-` は標準出力"),
            (
                "to",
                "OUTの拡張子の代わりに指定する形式。csa、csa3、kif、ki2、jkf、usi、sfen のいずれか",
            ),
            (
                "encoding",
                "文字コード。utf-8、utf-8-bom、shift_jis のいずれか（既定値はOUTの拡張子に応じた文字コード、\
                 なければ utf-8）",
            ),
            (
                "partial",
                "不正な手があればその直前までを読み、棋譜のないファイルは飛ばす（指定しなければエラー）",
            ),
            ("lossy", "一部の情報が失われても、読み込み元のファイルをOUTで置き換える"),
        ],
    },
    CommandHelp {
        path: &["book"],
        about: "定跡ファイルを調べる、変換する、統合する、作る",
        details: "",
        arguments: &[],
    },
    CommandHelp {
        path: &["book", "info"],
        about: "定跡ファイルの形式とサイズを表示する",
        details: "",
        arguments: &[("file", "定跡ファイル（形式は自動判別）")],
    },
    CommandHelp {
        path: &["book", "lookup"],
        about: "局面に登録された定跡手を表示する",
        details: "",
        arguments: &[
            ("file", "定跡ファイル（形式は自動判別）"),
            ("position", "`startpos` またはSFEN。続けて `moves` と指し手を書ける"),
        ],
    },
    CommandHelp {
        path: &["book", "merge"],
        about: "定跡ファイルを統合する。同じ手は探索の深い方を採り、同じ深さなら先のファイルを採る",
        details: "",
        arguments: &[
            ("from", "定跡ファイル（形式は自動判別）"),
            ("output", "書き出すファイル。.db、.ybb、.bin のいずれか"),
        ],
    },
    CommandHelp {
        path: &["book", "convert"],
        about: "定跡ファイルを、OUTの拡張子の形式（.db、.ybb、.bin）に変換する",
        details: "",
        arguments: &[("from", "定跡ファイル（形式は自動判別）"), ("to", "書き出すファイル")],
    },
    CommandHelp {
        path: &["book", "make"],
        about: "探索によって定跡を作る。既存の定跡があれば続きから作る。いつでも中断・再開できる",
        details: "",
        arguments: &[
            ("output", "定跡ファイル。.db または .ybb。すでにあれば続きから作る"),
            ("positions", "定跡の局面数"),
            ("nodes", "各探索のノード数"),
            ("moves", "1局面に残す手の数"),
            (
                "ply_cost",
                "最善手との差とは別に1手ごとに加えるコスト（評価値）。大きいほど広い定跡に、小さいほど深い定跡になる",
            ),
            ("last_ply", "この手数より先の局面は探索しない。手数のない定跡では開始局面から数える"),
            ("decided", "どちらかがこの評価値以上優勢な局面は探索しない"),
            ("start", "平手の代わりに対局が始まる局面（`lookup` と同じ書き方）。複数回指定できる"),
            ("threads", "スレッド数（既定値はCPUのスレッド数、最大32）"),
            ("hash", "スレッドごとの置換表のサイズ（MiB。既定値 64）"),
            ("eval", "評価関数ファイル（既定値はエンジンと同じ）"),
        ],
    },
    CommandHelp {
        path: &["eval"],
        about: "評価関数ファイルを調べる、変換する",
        details: "",
        arguments: &[],
    },
    CommandHelp {
        path: &["eval", "info"],
        about: "評価関数ファイルの内容を表示する",
        details: "",
        arguments: &[("file", "評価関数ファイル（nn.bin など）")],
    },
    CommandHelp {
        path: &["eval", "convert"],
        about: "評価関数ファイルを、そのままメモリマップして全プロセスで共有できる形で書き出す。ほかのエンジンでも読める",
        details: "",
        arguments: &[("from", "評価関数ファイル"), ("to", "書き出すファイル")],
    },
];

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CommandLine;

    /// Calls `visit` with every command of the program and its path.
    fn for_each(
        command: &Command,
        path: &mut Vec<String>,
        visit: &mut dyn FnMut(&Command, &[String]),
    ) {
        visit(command, path);
        for subcommand in command.get_subcommands().filter(|command| command.get_name() != "help") {
            path.push(subcommand.get_name().to_owned());
            for_each(subcommand, path, visit);
            path.pop();
        }
    }

    #[test]
    fn every_command_and_argument_has_a_japanese_text_and_no_text_is_left_over() {
        let mut known = Vec::new();
        for_each(&CommandLine::command(), &mut Vec::new(), &mut |command, path| {
            let texts = texts_of(path).unwrap_or_else(|| panic!("no text for {path:?}"));
            let arguments: Vec<&str> =
                command.get_arguments().map(|argument| argument.get_id().as_str()).collect();
            let mut translated: Vec<&str> = texts.arguments.iter().map(|(id, _)| *id).collect();
            for id in &arguments {
                assert!(translated.contains(id), "no text for {id} of {path:?}");
            }
            translated.retain(|id| !arguments.contains(id));
            assert!(translated.is_empty(), "{path:?} has no {translated:?}");
            known.push(path.to_vec());
        });
        for texts in TEXTS {
            assert!(known.iter().any(|path| texts.path == path), "there is no {:?}", texts.path);
        }
    }

    #[test]
    fn the_japanese_help_has_no_english_sentence() {
        for_each(&translated(CommandLine::command()), &mut Vec::new(), &mut |command, path| {
            for text in [command.clone().render_help(), command.clone().render_long_help()] {
                let text = text.to_string();
                for word in
                    ["Usage", "Options", "Arguments", "Commands", "Print", "default", "possible"]
                {
                    assert!(!text.contains(word), "{path:?} says {word}:\n{text}");
                }
            }
        });
    }
}
