//! The password is sent to the server, and goes nowhere else.

use std::fs;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use tempfile::tempdir;

use super::server::Server;
use super::{Client, PASSWORD, config, files, first_move_player, short_game};
#[cfg(unix)]
use crate::kawasemi::command;

#[test]
fn the_login_is_shown_and_logged_without_the_password() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), first_move_player);
    let mut connection = server.accept();
    let line = connection.read_line();
    assert!(line.contains(PASSWORD));
    connection.send_text(&format!(
        "unknown command {line}\n##[ERROR] {line}\nLOGIN:kawasemi OK\n'{line}"
    ));
    short_game(&mut connection, "game");
    connection.log_out();
    let (result, seen) = client.end();
    result.unwrap();
    let log = String::from_utf8(files(&folder, "log").remove(0)).unwrap();
    for text in [&seen, &log] {
        assert!(!text.contains(PASSWORD), "{text}");
        assert!(text.contains("LOGIN kawasemi *****"), "{text}");
    }
    assert!(log.contains(" > AGREE game\n") && log.contains(" < #WIN\n"), "{log}");
}

/// Regression: only a password behind `LOGIN ` was hidden.
#[test]
fn the_password_is_hidden_wherever_the_server_repeats_it() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), first_move_player);
    let mut connection = server.accept();
    connection.read_line();
    let upper = PASSWORD.to_uppercase();
    connection
        .send_text(&format!("{PASSWORD}\nlogin\ta\t{upper}\n##[x] {PASSWORD}x\nLOGIN:kawasemi OK"));
    let id = format!("test,{PASSWORD}+one+two");
    connection.propose(&id, '+', &format!("Name+:{PASSWORD}\nName-:two"));
    let line = connection.read_line();
    connection.send_text(&format!("{line},T1\n-3334FU,T1,'{PASSWORD}\n#TIME_UP\n#WIN"));
    while connection.read_line() != "LOGOUT" {}
    connection.send_text("LOGOUT:completed");
    let (_, seen) = client.end();
    let mut written = vec![seen];
    for kind in ["log", "csa"] {
        written.push(String::from_utf8(files(&folder, kind).remove(0)).unwrap());
    }
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    written.push(names.map(|name| name.into_string().unwrap()).collect());
    for text in written {
        assert!(!text.to_lowercase().contains(PASSWORD), "{text}");
        assert!(text.contains("*****") || text.contains("_____"), "{text}");
    }
}

#[test]
fn a_password_that_cannot_be_hidden_everywhere_is_reported() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let text = config(&server, &folder, "games = 1").replace(PASSWORD, "abc");
    let client = Client::start(&text, first_move_player);
    let mut connection = server.accept();
    connection.login();
    short_game(&mut connection, "game");
    connection.log_out();
    assert!(client.end().1.contains("the password is short"));
}

/// Regression: the client waited for ever for somebody to write into the pipe, and could not be
/// interrupted.
#[cfg(unix)]
#[test]
fn a_pipe_is_neither_a_password_file_nor_a_log() {
    let folder = tempdir().unwrap();
    let (pipe, file) = (folder.path().join("pipe"), folder.path().join("csa.toml"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let server = "[server]\nhost = \"localhost\"\nname = \"a\"\n";
    let pipe = pipe.display();
    let records = "[records]\nfolder = ''\ncsa = false\nkif = false\n";
    for text in [
        format!("{server}password_file = '{pipe}'\n"),
        format!("{server}password = \"hunter2\"\n{records}[log]\nfile = '{pipe}'\n"),
    ] {
        fs::write(&file, text).unwrap();
        let output = command(&["csa", "--config"]).arg(&file).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("pipe: this is not a regular file"), "{error}");
    }
}

/// Regression: engines and workers inherited it.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_and_no_worker_inherits_the_password() {
    let script = "env >>\"$0\"; while read line; do case $line in usi) echo usiok;; \
                  isready) echo readyok;; quit) exit;; esac; done";
    for play in ["", "multi_ponder = 1\n"] {
        let (server, folder) = (Server::open(), tempdir().unwrap());
        let (file, seen) = (folder.path().join("csa.toml"), folder.path().join("seen"));
        let engine = folder.path().join("engine.sh");
        fs::write(&engine, script.replace("$0", &seen.display().to_string())).unwrap();
        let engine = engine.display();
        let own = if play.is_empty() {
            format!("command = [\"sh\", '{engine}']")
        } else {
            format!("workers = [\"sh {engine}\"]")
        };
        let text = config(&server, &folder, play);
        let text = text.replace(&format!("password = \"{PASSWORD}\""), "password_env = \"SECRET\"");
        fs::write(&file, format!("{text}\n[engine]\n{own}\n")).unwrap();
        let mut command = command(&["csa", "--config"]);
        command.arg(&file).env("SECRET", PASSWORD).env("PLAIN", "seen");
        let mut program = command.stdout(Stdio::null()).spawn().unwrap();
        // The engine is ready before the login.
        assert_eq!(server.accept().read_line(), format!("LOGIN kawasemi {PASSWORD}"));
        program.kill().unwrap();
        program.wait().unwrap();
        let seen = fs::read_to_string(seen).unwrap();
        assert!(seen.contains("PLAIN=seen") && !seen.contains(PASSWORD), "{seen}");
    }
}
