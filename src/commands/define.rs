//! `kawasemi define`: prints engine_define.xml.

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use kawasemi::usi::language::Language;
use kawasemi::usi::xml;

/// Print engine_define.xml, the engine description for MyShogi.
#[derive(Debug, Args)]
pub struct DefineArgs {
    /// Language of the explanations: en or ja.
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
}

impl DefineArgs {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        Ok(write!(io::stdout(), "{}", xml::engine_define(self.lang))?)
    }
}
