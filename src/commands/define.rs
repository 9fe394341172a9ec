//! The command `define` of the program: prints engine_define.xml.

use std::io::{self, Write};

use clap::Args;
use kawasemi::engine::Settings;
use kawasemi::types::language::Language;
use kawasemi::usi::engine_define;

use crate::commands::failure::Failure;

/// Print engine_define.xml, the engine description for MyShogi.
#[derive(Debug, Args)]
pub struct DefineArgs {
    /// Language of the explanations: en or ja.
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
}

impl DefineArgs {
    /// Prints the options with the book options of these settings.
    pub fn run(&self, settings: &Settings) -> Result<(), Failure> {
        let text = engine_define::engine_define_xml(self.lang, settings.profile.book_options);
        Ok(write!(io::stdout(), "{text}")?)
    }
}
