//! In builds for tuning: every tunable parameter of the search as an option.
//!
//! Their values are global and take effect at once. Users never see them, so the documents and
//! `engine_define.xml` do not list them.

use std::sync::LazyLock;

use super::option::{OptionGroup, OptionType, UsiOption};
use crate::engine::Settings;
use crate::search::params::{OPTION_PREFIX, ParamAccessor, accessors};
use crate::types::language::localized;

pub(super) static OPTIONS: LazyLock<Vec<UsiOption>> =
    LazyLock::new(|| accessors().into_iter().map(row).collect());

fn row(accessor: ParamAccessor<Settings>) -> UsiOption {
    let ParamAccessor { row, get, set } = accessor;
    UsiOption {
        // Made once per process.
        name: format!("{OPTION_PREFIX}{}", row.name).leak(),
        aliases: &[],
        group: OptionGroup::Engine,
        kind: OptionType::Spin { min: row.min.into(), max: row.max.into(), get, set },
        varying_default: None,
        help: localized("A tunable parameter of the search.", "探索の内部定数。"),
    }
}
