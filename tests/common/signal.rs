//! Sends signals to processes.

use std::process::Command;

/// Waits until a process handles interrupts.
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "not every test program needs it")]
pub fn until_interruptible(process: u32) {
    use std::time::{Duration, Instant};

    const SIGINT: u32 = 2;
    let start = Instant::now();
    loop {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        if u64::from_str_radix(caught, 16).unwrap() >> (SIGINT - 1) & 1 == 1 {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it handles no interrupts");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Sends this signal to a process, by the shell, because not every system has a program for it.
#[track_caller]
pub fn send(signal: &str, process: u32) {
    let line = format!("kill -{signal} {process}");
    assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success(), "{line}");
}
