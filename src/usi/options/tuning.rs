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
    LazyLock::new(|| accessors().into_iter().map(option).collect());

fn option(accessor: ParamAccessor<Settings>) -> UsiOption {
    let ParamAccessor { spec, get, set } = accessor;
    UsiOption {
        // Made once per process.
        name: format!("{OPTION_PREFIX}{}", spec.name).leak(),
        aliases: &[],
        group: OptionGroup::General,
        kind: OptionType::Spin { min: spec.min.into(), max: spec.max.into(), get, set },
        varying_default: None,
        help: localized("A tunable parameter of the search.", "探索の調整パラメータ。"),
    }
}
