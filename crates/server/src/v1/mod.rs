//! The routes of version 1: one file or folder for each area, and the list of areas.

pub mod access_requests;
pub mod account_pages;
pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod blocks;
pub mod browser_sessions;
pub mod charts;
pub mod comments;
pub mod consent;
pub mod dashboards;
pub mod database_access;
pub mod databases;
pub mod discovery;
pub mod docs;
pub mod events;
pub mod files;
pub mod follows;
pub mod front;
pub mod guides;
pub mod health;
pub mod icon;
pub mod invitations;
pub mod jobs;
mod locations;
pub mod mailed_pages;
pub mod members;
pub mod notifications;
pub mod oauth;
pub mod operations;
pub mod pages;
pub mod passwords;
pub mod records;
mod screen_paths;
pub mod search;
pub mod sessions;
pub mod share_links;
pub mod teams;
pub mod workspaces;

use crate::route::Area;

/// Every area, in the order of the description.
pub static AREAS: &[Area] = &[
    Area {
        name: "Accounts",
        about: "Registering an account, verifying its address, changing and deleting it.",
        files: &[
            accounts::register::ROUTES,
            accounts::email_verification::ROUTES,
            accounts::profile::ROUTES,
            accounts::email_change::ROUTES,
            accounts::deletion::ROUTES,
            accounts::security_events::ROUTES,
        ],
    },
    Area {
        name: "Sessions",
        about: "Signing in, refreshing access tokens, signing out.",
        files: &[
            sessions::login::ROUTES,
            sessions::refresh::ROUTES,
            sessions::reauthenticate::ROUTES,
            sessions::logout::ROUTES,
            sessions::list::ROUTES,
        ],
    },
    Area {
        name: "Signing in on a page",
        about: "Pages for users whom an app sends to this service. A cookie keeps them signed in for 12 hours, on these pages and nowhere else.",
        files: &[browser_sessions::login::ROUTES, browser_sessions::logout::ROUTES],
    },
    Area {
        name: "Pages for browsers",
        about: "Pages that the service itself serves: an account is created, an invitation answered, and access ended without a program.",
        files: &[
            front::ROUTES,
            account_pages::sign_up::ROUTES,
            account_pages::invitation::ROUTES,
            account_pages::apps::ROUTES,
            account_pages::sessions::ROUTES,
        ],
    },
    Area {
        name: "Passwords",
        about: "Resetting through the mailbox, changing while signed in.",
        files: &[passwords::ROUTES],
    },
    Area {
        name: "Mailed links",
        about: "Pages for browsers, to which mails and the command line link. Opening a page changes nothing; only its form does.",
        files: &[
            mailed_pages::verification::ROUTES,
            mailed_pages::forgotten_password::ROUTES,
            mailed_pages::new_password::ROUTES,
            mailed_pages::email_change::ROUTES,
            mailed_pages::restoration::ROUTES,
            mailed_pages::opening::ROUTES,
        ],
    },
    Area {
        name: "Workspaces",
        about: "The tenants: everything else belongs to one of them.",
        files: &[workspaces::collection::ROUTES, workspaces::single::ROUTES, workspaces::settings::ROUTES],
    },
    Area {
        name: "Members",
        about: "Who belongs to a workspace, and as what.",
        files: &[members::collection::ROUTES, members::single::ROUTES],
    },
    Area {
        name: "Teams",
        about: "Groups of members, with a place in the sidebar and pages of their own.",
        files: &[teams::collection::ROUTES, teams::single::ROUTES, teams::members::ROUTES],
    },
    Area {
        name: "Pages",
        about: "The tree of a workspace: its pages, the trash, favorites and recent pages.",
        files: &[
            pages::collection::ROUTES,
            pages::tree::ROUTES,
            pages::single::ROUTES,
            pages::place::ROUTES,
            pages::copies::ROUTES,
            pages::transfer::ROUTES,
            pages::import::ROUTES,
            pages::trash::ROUTES,
            pages::favorites::ROUTES,
            pages::presence::ROUTES,
        ],
    },
    Area {
        name: "Blocks",
        about: "The content of a page: a tree of typed blocks, changed one by one or in batches.",
        files: &[blocks::page::ROUTES, blocks::batches::ROUTES, blocks::single::ROUTES, blocks::markdown::ROUTES],
    },
    Area {
        name: "Page versions",
        about: "Earlier states of pages: saved automatically or on request, compared and restored.",
        files: &[
            pages::versions::collection::ROUTES,
            pages::versions::single::ROUTES,
            pages::versions::comparison::ROUTES,
            pages::versions::restoration::ROUTES,
        ],
    },
    Area {
        name: "Comments",
        about: "Discussions of pages, blocks, selected texts and records: threads with replies, mentions and reactions.",
        files: &[
            comments::collection::ROUTES,
            comments::single::ROUTES,
            comments::replies::ROUTES,
            comments::reactions::ROUTES,
        ],
    },
    Area {
        name: "Notifications",
        about: "What users are told of what others did, and what they want to be told of.",
        files: &[notifications::collection::ROUTES, notifications::preferences::ROUTES, follows::ROUTES],
    },
    Area {
        name: "Databases",
        about: "Collections of records with typed properties, and views of them.",
        files: &[
            databases::collection::ROUTES,
            databases::single::ROUTES,
            databases::properties::ROUTES,
            databases::relations::ROUTES,
            databases::imports::ROUTES,
            databases::views::ROUTES,
        ],
    },
    Area {
        name: "Records",
        about: "The records of databases and their values.",
        files: &[
            records::collection::ROUTES,
            records::query::ROUTES,
            records::export::ROUTES,
            records::bulk::ROUTES,
            records::single::ROUTES,
            records::archiving::ROUTES,
            records::relations::ROUTES,
        ],
    },
    Area {
        name: "Charts",
        about: "The records of a database, counted and drawn.",
        files: &[charts::collection::ROUTES, charts::single::ROUTES, charts::data::ROUTES, charts::image::ROUTES],
    },
    Area {
        name: "Dashboards",
        about: "Charts, views and texts side by side, on a page or in a database.",
        files: &[dashboards::collection::ROUTES, dashboards::single::ROUTES, dashboards::data::ROUTES],
    },
    Area {
        name: "Permissions",
        about: "Who may do what with a page or database.",
        files: &[pages::permissions::ROUTES, pages::levels::ROUTES, database_access::permissions::ROUTES],
    },
    Area {
        name: "Access requests",
        about: "Requesting a higher level on a page or database, and deciding such requests.",
        files: &[access_requests::ROUTES, database_access::requests::ROUTES],
    },
    Area {
        name: "Share links",
        about: "Links that show a page or database, and what is below it, to everybody who has them, until they expire or are revoked.",
        files: &[
            share_links::collection::ROUTES,
            database_access::share_links::ROUTES,
            share_links::single::ROUTES,
            share_links::public::ROUTES,
            share_links::shared_database::ROUTES,
            share_links::shared_query::ROUTES,
            share_links::signed_in::ROUTES,
            share_links::shared_page::ROUTES,
        ],
    },
    Area {
        name: "Invitations",
        about: "Inviting people to a workspace, and their answers.",
        files: &[
            invitations::collection::ROUTES,
            invitations::single::ROUTES,
            invitations::answers::ROUTES,
            invitations::own::ROUTES,
        ],
    },
    Area {
        name: "Search",
        about: "Finding pages, records, databases and comments by their words.",
        files: &[search::ROUTES],
    },
    Area {
        name: "Events",
        about: "What happened in a workspace, for programs that follow it and for people.",
        files: &[events::log::ROUTES, events::activity::ROUTES, events::stream::ROUTES, events::tickets::ROUTES],
    },
    Area {
        name: "Audit",
        about: "Who did what in a workspace, and the proof that nothing of it was changed.",
        files: &[audit::list::ROUTES, audit::proof::ROUTES, audit::exports::ROUTES],
    },
    Area {
        name: "Jobs",
        about: "Background work that calls have started.",
        files: &[jobs::collection::ROUTES, jobs::single::ROUTES],
    },
    Area { name: "Files", about: "Files to download.", files: &[files::blob::ROUTES] },
    Area {
        name: "API keys",
        about: "Credentials of a workspace, for programs.",
        files: &[api_keys::collection::ROUTES, api_keys::single::ROUTES],
    },
    Area {
        name: "OAuth",
        about: "Apps that act for users: registration, authorization and tokens.",
        files: &[
            oauth::apps::ROUTES,
            oauth::secret::ROUTES,
            oauth::clients::ROUTES,
            consent::authorize::ROUTES,
            oauth::authorize::ROUTES,
            oauth::token::ROUTES,
            oauth::revocation::ROUTES,
            oauth::grants::ROUTES,
            oauth::workspace_grants::ROUTES,
        ],
    },
    Area {
        name: "Discovery",
        about: "What others need to know to check what this service signs. The documents are found at the origin, where the standards place them, and under the base path.",
        files: &[discovery::ROUTES],
    },
    Area { name: "Service", about: "What the service says about itself.", files: &[operations::ROUTES] },
    Area {
        name: "Description",
        about: "The description of this API, as a page and as files. All of them are found at the origin and under the base path.",
        files: &[docs::ROUTES, guides::ROUTES, icon::ROUTES],
    },
    Area {
        name: "Health",
        about: "Probes for load balancers and operators. They answer at the origin and under the base path.",
        files: &[health::ROUTES],
    },
];
