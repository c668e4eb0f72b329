//! `/workspaces/{workspaceId}/settings`

use super::workspace::SettingsReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    wire::{Data, Whole, body, reply},
};
use octavo_app::{Call, Draft, access::RouteAccess, workspaces::settings};
use octavo_core_model::{
    id::WorkspaceId,
    settings::{SettingsChange, WorkspaceTheme},
    text::Locale,
};

body! {
    /// A change of the rules for share links.
    pub(crate) ShareLinksBody {
        example: { "allowed": true };
        /// Whether members may create public share links; null for the default.
        allowed "allowed": nullable bool,
    }
}

body! {
    /// A change of settings. Fields that are left out stay as they are, null restores the default, and objects are
    /// merged key by key.
    pub(crate) SettingsBody {
        example: { "theme": "dark" };
        /// The initial language of new members.
        language "language": nullable Locale,
        /// The initial theme of new members.
        theme "theme": nullable WorkspaceTheme = "dark",
        /// The rules for share links.
        share_links "shareLinks": nullable ShareLinksBody,
        /// How many days pages stay in the trash.
        trash_retention_days "trashRetentionDays": nullable Whole<1, 365> = 30,
        /// How many days audit entries are kept.
        audit_log_retention_days "auditLogRetentionDays": nullable Whole<30, 3650> = 365,
        /// After how many days without activity a member's session ends.
        session_timeout_days "sessionTimeoutDays": nullable Whole<1, 90> = 14,
    }
}

reply! {
    /// The settings of a workspace after a change.
    pub(crate) ChangedSettingsReply {
        /// The workspace.
        id "id": required WorkspaceId,
        /// All of its settings.
        settings "settings": required SettingsReply,
    }
}

routes! {
    /// Changes the settings of a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. A member's sessions end after the shortest
    /// `sessionTimeoutDays` of the workspaces in which they are more than a guest.
    PATCH "/workspaces/{workspaceId}/settings" as updateWorkspaceSettings => update {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (body: Body<SettingsBody>),
        answers: { 200: Data<ChangedSettingsReply> },
        refusals: [],
        events: [WorkspaceSettingsUpdated, PermissionChanged],
    }
}

async fn update(dispatcher: Dispatcher, call: Call, body: Draft<SettingsBody>) -> Answer {
    let draft = body.map(SettingsChange::from);
    let shape = |workspace: octavo_core_model::workspace::Workspace| {
        ok(ChangedSettingsReply { id: workspace.id, settings: (&workspace.settings).into() })
    };
    dispatcher.write(call, move |unit| Box::pin(settings::update(unit, draft)), shape).await
}

impl From<SettingsBody> for SettingsChange {
    fn from(body: SettingsBody) -> Self {
        Self {
            language: body.language,
            theme: body.theme,
            share_links_allowed: match body.share_links {
                None => None,
                Some(None) => Some(None),
                Some(Some(share_links)) => share_links.allowed,
            },
            trash_retention_days: body.trash_retention_days.map(days),
            audit_log_retention_days: body.audit_log_retention_days.map(days),
            session_timeout_days: body.session_timeout_days.map(days),
        }
    }
}

fn days<const MIN: i64, const MAX: i64>(sent: Option<Whole<MIN, MAX>>) -> Option<u32> {
    sent.and_then(|days| u32::try_from(days.0).ok())
}
