//! In builds for tuning: every number of the search as an option, under a prefix of its own.
//!
//! They are no settings: values belong to the process and take effect at once, and users never see
//! them, so neither the README nor `engine_define.xml` has them.

use std::sync::LazyLock;

use super::{Group, Kind, ParamSpec, TUNING_PREFIX, both};
use crate::engine::Settings;
use crate::search::params::{Accessor, accessors};

pub(super) static ROWS: LazyLock<Vec<ParamSpec>> =
    LazyLock::new(|| accessors().into_iter().map(row).collect());

fn row(accessor: Accessor<Settings>) -> ParamSpec {
    let Accessor { row, get, set } = accessor;
    ParamSpec {
        // Made once, for as long as the process lives.
        name: format!("{TUNING_PREFIX}{}", row.name).leak(),
        aliases: &[],
        group: Group::Engine,
        kind: Kind::Spin { min: row.min.into(), max: row.max.into(), get, set },
        varying_default: None,
        help: both("A number of the search.", "探索の内部定数。"),
    }
}
