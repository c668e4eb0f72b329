//! Rate-limit buckets: what is counted, and how many calls are allowed in which window.

use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

impl Bucket {
    /// Whether the callers that run a workspace share the bucket.
    pub const fn is_of_workspace(self) -> bool {
        matches!(self, Self::Invitation | Self::AuditExport)
    }
}

/// Declares each bucket once: the variant, its public name, its default limit and its window.
macro_rules! buckets {
    ($($(#[$doc:meta])* $variant:ident $name:literal = $limit:literal in $window:expr;)*) => {
        /// A rate-limit bucket. Its name appears in headers, metrics and settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Bucket { $($(#[$doc])* $variant),* }

        impl Bucket {
            /// All buckets.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in headers, metrics and settings.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// How many calls its window allows unless a setting overrides it.
            pub const fn default_limit(self) -> u32 {
                match self { $(Self::$variant => $limit),* }
            }

            /// The time in which its calls are counted.
            pub const fn window(self) -> Duration {
                match self { $(Self::$variant => $window),* }
            }
        }
    };
}

buckets! {
    /// Every ordinary call, per user or client address.
    Generic "generic" = 100 in MINUTE;
    /// Every call with an API key, per key, in place of the other general buckets.
    ApiKey "api_key" = 600 in MINUTE;
    /// Every ordinary call, per client address.
    Ip "ip" = 1200 in MINUTE;
    /// Calls that try a password or another credential, per client address.
    Credentials "credentials" = 10 in MINUTE;
    /// Logins, per client address and email.
    Login "login" = 10 in Duration::from_mins(15);
    /// Registrations, per client address.
    Register "register" = 5 in HOUR;
    /// The pages for signing in, for consent and for mailed links, per client address.
    Screens "screens" = 30 in MINUTE;
    /// Password-reset requests, per email.
    PasswordReset "password_reset" = 5 in HOUR;
    /// Verification mails, per user.
    EmailVerification "email_verification" = 3 in HOUR;
    /// Email changes, per user.
    EmailChange "email_change" = 3 in HOUR;
    /// Issuing tokens to apps, per app and client address.
    OauthToken "oauth_token" = 60 in MINUTE;
    /// Revoking and introspecting tokens of apps, per app and client address.
    OauthRevoke "oauth_revoke" = 300 in MINUTE;
    /// New workspaces, per user.
    WorkspaceCreate "workspace_create" = 10 in Duration::from_hours(24);
    /// New invitations, per workspace; for callers that do not run it, per caller.
    Invitation "invitation" = 200 in Duration::from_hours(24);
    /// Sending an invitation again, per invitation.
    InvitationResend "invitation_resend" = 3 in Duration::from_hours(24);
    /// Asking for access to pages, per user.
    AccessRequest "access_request" = 10 in HOUR;
    /// New comments and replies, per user.
    CommentCreate "comment_create" = 120 in HOUR;
    /// Exports and imports of pages, per caller.
    PageTransfer "page_transfer" = 20 in MINUTE;
    /// Reading through share links, per client address and link.
    Share "share" = 60 in MINUTE;
    /// Passwords of share links, per client address and link.
    ShareUnlock "share_unlock" = 5 in MINUTE;
    /// Telling where on a page somebody is, per user and page.
    Presence "presence" = 60 in MINUTE;
    /// Exports of an audit trail, per trail; for callers that do not run the workspace, per caller.
    AuditExport "audit_export" = 5 in HOUR;
}
