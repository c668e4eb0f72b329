//! The representation of a workspace.

use crate::wire::reply;
use octavo_app::{Rules, workspaces::WorkspaceDetails};
use octavo_core_model::{
    Role, Timestamp,
    id::{UserId, WorkspaceId},
    settings::{Settings, WorkspaceTheme},
    text::{Description, Name, Slug, WebAddress},
    workspace::{Limit, Limits, Usage},
};

reply! {
    /// The rules for share links.
    pub(crate) ShareLinksReply {
        /// Whether members may create public share links.
        allowed "allowed": required bool = true,
    }
}

reply! {
    /// The settings of a workspace, including defaults.
    pub(crate) SettingsReply {
        /// The initial language of new members.
        language "language": required String = "en-US",
        /// The initial theme of new members.
        theme "theme": required WorkspaceTheme = "system",
        /// The rules for share links.
        share_links "shareLinks": required ShareLinksReply,
        /// How many days pages stay in the trash.
        trash_retention_days "trashRetentionDays": required i64 = 30,
        /// How many days audit entries are kept.
        audit_log_retention_days "auditLogRetentionDays": required i64 = 365,
        /// After how many days without activity a member's session ends.
        session_timeout_days "sessionTimeoutDays": required i64 = 30,
    }
}

reply! {
    /// The limits of a workspace; null for no limit.
    pub(crate) LimitsReply {
        /// Members.
        members "members": nullable i64 = 10000,
        /// Bytes of files.
        storage_bytes "storageBytes": nullable i64 = 1_099_511_627_776_i64,
        /// Databases.
        databases "databases": nullable i64 = 10000,
    }
}

reply! {
    /// How much of its limits a workspace uses.
    pub(crate) UsageReply {
        /// Members.
        members "members": required i64 = 12,
        /// Bytes of files.
        storage_bytes "storageBytes": required i64 = 734_003_200,
        /// Databases.
        databases "databases": required i64 = 31,
    }
}

reply! {
    /// A workspace as its members see it.
    pub(crate) WorkspaceReply {
        /// The id of the workspace.
        id "id": required WorkspaceId,
        /// Its name.
        name "name": required Name = "Acme",
        /// Its name in addresses, which never changes.
        slug "slug": required Slug = "acme",
        /// The address of its icon.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/acme.png",
        /// The address of its logo.
        logo_url "logoUrl": nullable WebAddress = null,
        /// Its purpose.
        description "description": nullable Description,
        /// The address of its public pages.
        public_url "publicUrl": nullable WebAddress = null,
        /// Whether it is a personal workspace, which exists for as long as the account.
        is_personal "isPersonal": required bool = false,
        /// The primary owner: the creator, later the longest-serving owner.
        owner_id "ownerId": required UserId,
        /// The organization it belongs to.
        organization_id "organizationId": nullable String = null,
        /// `standard`.
        billing_plan "billingPlan": required &'static str = "standard",
        /// Its settings.
        settings "settings": required SettingsReply,
        /// Its limits.
        usage_limits "usageLimits": required LimitsReply,
        /// How much of its limits it uses; only for single workspaces.
        usage "usage": optional UsageReply,
        /// The caller's role; null for API keys.
        role "role": nullable Role = "OWNER",
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

impl WorkspaceReply {
    pub(crate) fn of(shown: WorkspaceDetails, rules: &Rules) -> Self {
        let WorkspaceDetails { workspace, role } = shown;
        Self {
            usage_limits: rules.limits.overridden_by(workspace.limits).into(),
            settings: (&workspace.settings).into(),
            id: workspace.id,
            name: workspace.name,
            slug: workspace.slug,
            icon_url: workspace.icon_url,
            logo_url: None,
            description: workspace.description,
            public_url: None,
            is_personal: workspace.is_personal,
            owner_id: workspace.owner,
            organization_id: None,
            billing_plan: "standard",
            usage: None,
            role,
            created_at: workspace.created_at,
            updated_at: workspace.updated_at,
        }
    }

    pub(crate) fn with_usage(self, usage: Usage) -> Self {
        Self { usage: Some(usage.into()), ..self }
    }
}

impl From<&Settings> for SettingsReply {
    fn from(settings: &Settings) -> Self {
        Self {
            language: settings.language().to_owned(),
            theme: settings.theme(),
            share_links: ShareLinksReply { allowed: settings.are_share_links_allowed() },
            trash_retention_days: settings.trash_retention_days().into(),
            audit_log_retention_days: settings.audit_log_retention_days().into(),
            session_timeout_days: settings.session_timeout_days().into(),
        }
    }
}

impl From<Limits> for LimitsReply {
    fn from(limits: Limits) -> Self {
        let shown = |limit| match limit {
            Limit::None => None,
            Limit::AtMost(count) => Some(whole(count)),
        };
        Self {
            members: shown(limits.members),
            storage_bytes: shown(limits.storage_bytes),
            databases: shown(limits.databases),
        }
    }
}

impl From<Usage> for UsageReply {
    fn from(usage: Usage) -> Self {
        Self {
            members: whole(usage.members),
            storage_bytes: whole(usage.storage_bytes),
            databases: whole(usage.databases),
        }
    }
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
