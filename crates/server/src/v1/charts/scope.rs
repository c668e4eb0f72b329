//! What narrows a chart in a query string, and where its days begin.

use crate::{
    v1::databases::view_sent::SentFilter,
    wire::{JsonText, query},
};
use octavo_app::{Draft, charts::ChartScope};
use octavo_core_model::{
    fault::{Issue, Violation},
    text::TimeZone,
};

query! {
    /// Which records of a chart count, and where days begin.
    pub(crate) ChartScopeQuery {
        /// Records also have to meet this filter, as JSON.
        filter "filter": optional JsonText<SentFilter>,
        /// The time zone in which days begin; by default that of the caller, and UTC for API keys.
        timezone "timezone": optional TimeZone,
    }
}

impl ChartScopeQuery {
    pub(super) fn scope(self) -> Draft<ChartScope> {
        Ok(ChartScope { filter: self.filter.map(|sent| sent.value), zone: zone(self.timezone.as_ref())? })
    }
}

/// The time zone with this name.
pub(crate) fn zone(named: Option<&TimeZone>) -> Draft<Option<chrono_tz::Tz>> {
    let Some(named) = named else { return Ok(None) };
    let zone = named.as_str().parse();
    zone.map(Some).map_err(|_| Violation::new("timezone", Issue::InvalidFormat).with(named.as_str().into()).into())
}
