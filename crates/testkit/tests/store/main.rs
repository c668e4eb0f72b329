//! Conformance tests for every engine of the store. Each test runs on both engines; a test for one engine gives a
//! reason.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "a failed unwrap is a failed test; a case reads best in one piece"
)]

mod access_requests;
mod accounts;
mod api_keys;
mod audit;
mod block_states;
mod blocks;
mod browser_sessions;
mod charts;
mod chores;
mod comments;
mod consumers;
mod content;
mod database_removal;
mod databases;
mod distribution;
mod encrypted;
mod events;
mod favorites;
mod grants;
mod history_sizes;
mod invitations;
mod jobs;
mod log_signals;
mod members;
mod narrowed_grants;
mod notifications;
mod oauth;
mod origins;
mod page_lists;
mod page_versions;
mod pages;
mod record_links;
mod records;
mod replies;
mod sealed;
mod seals;
mod sessions;
mod share_links;
mod signing_keys;
mod stream_tickets;
mod support;
mod sweeps;
mod teams;
mod tokens;
mod typed_databases;
mod units;
mod views;
mod workspaces;

/// Makes two tests of each function: `sqlite::area::case` and `postgres::area::case`.
macro_rules! on_both_engines {
    ($($area:ident { $($case:ident)* })*) => {
        mod sqlite {
            $(mod $area {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $case() {
                    crate::$area::$case(&octavo_testkit::fresh_sqlite().await).await;
                })*
            })*
        }
        mod postgres {
            $(mod $area {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $case() {
                    if let Some(database) = octavo_testkit::fresh_postgres().await {
                        crate::$area::$case(&database).await;
                    }
                })*
            })*
        }
    };
}

on_both_engines! {
    accounts {
        an_account_reads_back
        what_is_absent_is_none
        saving_an_account_leaves_address_and_password
        a_taken_address_is_refused_and_nothing_written
        one_of_twenty_gets_an_address
        an_account_moves_to_a_free_address_only
        accounts_are_listed_in_the_order_of_their_ids
        due_deletions_come_oldest_first
        a_removed_account_leaves_nothing
        an_erased_account_leaves_a_former_member
    }
    tokens {
        a_mailed_token_reads_back_and_leads_to_its_owner
        a_token_of_somebody_else_is_none
        only_open_tokens_of_the_named_kinds_are_revoked
        later_tokens_are_revoked_and_earlier_ones_stay
        tokens_are_revoked_by_the_session_that_requested_them
    }
    sessions {
        a_session_reads_back
        a_session_of_somebody_else_is_none
        sessions_are_listed_by_status_newest_first
        ending_sessions_names_the_live_ones
        a_stricter_end_replaces_a_milder_one
        the_least_active_surplus_ends
        a_touch_moves_only_what_is_live_and_stale
        a_refresh_token_reads_back_and_rotates
        twenty_uses_of_a_refresh_token_have_one_winner
    }
    browser_sessions {
        a_cookie_leads_to_its_session_and_user
        cookies_are_swept_before_their_sessions
        nothing_of_a_removed_or_erased_user_leads_anywhere
    }
    charts {
        charts_read_back
        charts_go_one_by_one_or_with_their_database
        dashboards_read_back
        dashboards_go_with_their_node
    }
    comments {
        threads_read_back
        threads_are_listed_newest_first
        threads_on_deleted_blocks_are_hidden
        replies_and_reactions_belong_to_their_thread
        comments_of_removed_pages_go_in_parts
        names_of_members_come_in_the_order_of_joining
    }
    views {
        views_read_back
        views_go_one_by_one_or_with_their_database
    }
    workspaces {
        a_taken_slug_is_refused_and_nothing_written
        one_of_twenty_gets_a_slug
        queued_units_see_the_slugs_taken_before_them
        a_removed_workspace_leaves_nothing_and_frees_its_slug
    }
    api_keys {
        a_key_reads_back_and_its_secret_leads_to_it
        a_key_says_that_its_workspace_is_being_deleted
        a_key_says_whether_its_creator_has_left
        keys_are_listed_newest_first_with_what_became_of_their_creators
        only_keys_in_use_are_counted_and_hold_their_names
        replaced_secrets_end_and_are_forgotten
        a_use_moves_forward_only
        the_keys_of_a_removed_workspace_go_with_it
    }
    members {
        own_workspaces_come_in_the_order_of_joining
        a_display_name_is_taken_whatever_its_case
        a_new_display_name_counts_at_once
        a_user_is_found_with_their_place_in_a_workspace
        the_shortest_timeout_above_guest_counts
        workspaces_without_company_are_lone
        workspaces_without_another_owner_are_named
        memberships_come_newest_first_page_by_page
        a_search_takes_its_signs_literally
        people_are_shown_as_they_are_now
        a_role_is_saved_on_both_sides
        the_owner_of_longest_standing_follows
        of_two_owners_who_remove_each_other_one_stays
    }
    teams {
        a_team_reads_back_and_changes
        one_of_twenty_gets_the_slug_of_a_team
        teams_are_listed_in_order_to_those_who_may_see_them
        members_of_a_team_come_newest_first
        places_in_teams_end_with_team_and_membership
    }
    pages {
        a_page_reads_back_and_changes
        a_taken_id_is_refused_within_its_workspace_only
        the_path_to_a_page_is_found
        places_among_siblings_are_found
        a_subtree_is_measured
        places_of_nodes_are_listed
        what_is_read_from_a_node_is_rerouted_together
        a_team_goes_with_the_page_at_the_root
        the_pages_of_a_team_go_on_without_it
        the_trash_takes_what_is_active_and_gives_back_what_went_along
        what_is_removed_leaves_nothing
        the_trash_waits_as_long_as_its_workspace_says
        of_twenty_pages_with_one_id_one_stays
    }
    page_lists {
        pages_are_listed_in_every_order_page_by_page
        pages_are_listed_by_what_is_asked_for
        children_are_counted_by_the_node_they_are_read_from
        nodes_with_entries_are_found
        what_is_below_a_page_is_found_at_any_depth
        visits_are_remembered_once_and_for_members_only
        many_pages_are_written_at_once
    }
    page_versions {
        a_history_reads_back_and_changes
        a_version_reads_back_and_changes
        versions_are_listed_newest_first
        the_newest_versions_and_those_with_a_label_are_not_thinned_out
    }
    block_states {
        a_kept_version_shows_its_blocks_whatever_becomes_of_them
        the_size_of_the_states_that_are_kept_is_reported
        a_version_keeps_its_blocks_when_later_ones_are_removed
        blocks_of_other_pages_and_workspaces_are_on_no_version
        random_changes_leave_every_kept_version_as_it_was
    }
    content {
        content_goes_with_its_page_and_its_workspace
        content_of_removed_pages_goes_in_parts
        content_of_a_workspace_goes_in_parts
        references_to_a_page_are_listed_page_by_page
        references_are_narrowed_by_what_one_sees
        references_of_instances_are_found_by_what_they_show
    }
    blocks {
        a_block_reads_back_and_changes
        a_taken_id_is_refused_within_its_workspace_only
        the_bytes_of_a_page_are_counted
        many_blocks_are_written_at_once
        siblings_come_in_their_order_page_by_page
        the_ways_up_and_down_are_walked_whole
        the_nearest_places_are_found
        other_keys_leave_the_rest_of_a_block
        deleted_blocks_say_with_what_they_went
        deleted_blocks_are_found_by_their_deletion
        a_list_is_measured_with_what_is_below
        the_pages_of_blocks_are_found
        instances_are_found_by_what_they_show
        references_are_replaced_and_read_newest_first
        blocks_go_with_their_page_and_their_workspace
        of_twenty_blocks_with_one_id_one_stays
    }
    typed_databases {
        a_database_reads_back_and_changes
        databases_are_listed_and_counted_by_workspace
        properties_read_back_and_change
        databases_with_relations_are_found_by_their_target
        records_are_counted_over_all_parts
        numbers_of_records_have_no_gaps
        records_without_numbers_get_them_in_the_order_of_their_creation
    }
    records {
        a_snapshot_sees_nothing_that_is_committed_after_it_began
        a_record_reads_back_and_changes
        many_records_are_written_at_once
        records_come_in_their_order_page_by_page
        records_whose_pages_have_entries_are_found
        records_are_parts_of_records
        walks_through_parts_end
        no_change_of_a_record_is_lost
    }
    record_links {
        links_are_read_from_both_sides_in_their_orders
        a_link_exists_once
        links_are_counted_on_each_side
        what_links_to_a_record_is_listed_newest_property_first
        records_that_show_a_link_are_listed_newest_first
        links_are_removed_one_by_one_by_record_and_by_property
    }
    database_removal {
        a_database_goes_in_parts_with_its_records_and_their_links
        large_records_are_few_in_a_part
        databases_of_a_workspace_go_in_parts
        nodes_are_found_whatever_their_kind
    }
    grants {
        a_grant_takes_the_place_of_the_one_before
        expired_grants_do_not_count
        only_grants_that_concern_a_member_are_found
        a_grant_to_an_address_becomes_the_members
        changes_of_all_grants_of_somebody_are_counted_on_each_page
        what_some_people_granted_an_address_stays
        exclusions_of_an_address_are_found_and_apply_to_a_new_member_too
        a_copied_exclusion_replaces_one_that_ends_sooner
        of_two_grants_that_meet_on_a_page_one_remains
        exclusions_outlive_a_membership_and_an_invitation
        exclusions_of_an_address_pass_to_its_owner_in_every_workspace
        grants_are_removed_with_their_grantee
        pages_that_exclude_somebody_are_found
    }
    access_requests {
        a_request_reads_back_and_changes
        requests_are_listed_by_what_is_asked_for_newest_first
        open_requests_are_found_by_page_and_person
        requests_are_removed_with_their_page_and_their_requester
    }
    share_links {
        a_link_reads_back_and_its_token_leads_to_it
        a_new_token_takes_the_place_of_the_one_before
        links_are_listed_by_what_is_asked_for_newest_first
        views_add_up_and_the_last_one_counts
        what_a_link_shows_is_found_for_pages_and_in_lists
        a_link_ends_at_a_page_that_excludes_somebody
        links_go_with_their_page_and_their_workspace
    }
    favorites {
        favorites_come_in_their_order
    }
    consumers {
        workspaces_with_unhandled_events_are_found
        a_rewound_consumer_begins_again
    }
    notifications {
        a_user_is_told_of_an_action_once
        notifications_are_listed_and_counted
        changes_of_one_thing_are_folded
        a_mail_of_the_day_is_taken_once
        notifications_are_found_for_mails_and_streams
        old_notifications_are_swept
        types_of_newer_releases_are_left_out
        preferences_read_back
        follows_are_found_by_user_and_by_target
    }
    invitations {
        an_invitation_reads_back_in_its_workspace_only
        expired_invitations_behind_grants_are_found
        invitations_are_listed_by_status_newest_first
        open_invitations_are_found_by_address
        an_address_finds_its_invitations_in_all_workspaces
        inviters_are_shown_without_the_address_they_no_longer_have
        invitations_go_with_their_workspace_and_with_their_address
        an_erased_address_loses_its_invitations_in_every_workspace
        hiding_affects_the_invitations_of_one_workspace_only
        the_workspaces_of_invitations_are_named
    }
    origins {
        a_sign_in_is_remembered_by_network_and_program
        a_later_sign_in_moves_the_memory
    }
    audit {
        entries_read_back_newest_first
        chains_keep_apart
        entries_are_found_by_what_they_say
        pages_join_while_the_worker_seals
        a_stretch_of_a_trail_is_found_by_its_numbers
    }
    seals {
        sealed_entries_hang_together
        what_was_written_before_is_sealed_too
        three_sealers_share_the_work
        an_erased_person_leaves_every_hash_valid
        a_touched_row_is_noticed
        a_removed_chain_is_sealed_no_more
    }
    chores {
        a_chore_reads_back_when_it_is_due
        a_leased_chore_is_nobody_elses_until_the_lease_ends
        a_retried_chore_waits_and_counts
        voiding_leases_frees_what_is_held_and_nothing_else
        workers_at_once_never_get_the_same_chore
        the_store_tells_how_long_chores_have_waited
        only_the_holder_of_a_lease_renews_it
    }
    jobs {
        a_job_reads_back_as_it_was_saved
        jobs_are_listed_by_what_is_asked_for_newest_first
        bytes_are_due_when_their_time_is_over
        the_jobs_of_a_removed_owner_go_with_it
        of_twenty_who_end_a_job_one_does
    }
    replies {
        a_kept_reply_reads_back_until_it_expires
        a_new_reply_replaces_an_expired_one
        a_key_belongs_to_its_principal
        of_units_with_one_key_one_runs
        forgotten_replies_are_gone
    }
    signing_keys {
        of_twenty_keys_for_one_purpose_one_stays
    }
    sealed {
        sealed_rows_are_walked_through_once_and_replaced
    }
    oauth {
        an_app_reads_back_and_its_id_leads_to_it
        apps_are_listed_newest_first
        a_new_secret_keeps_only_the_previous_one
        a_grant_reads_back_and_is_found_by_its_app_while_in_force
        grants_are_listed_by_user_and_by_workspace
        a_changed_app_shows_in_its_grants
        a_removed_app_takes_everything_along
        revoking_grants_ends_what_follows_from_them
        access_ends_with_anything_it_depends_on
        codes_families_and_tokens_read_back
        a_revoked_family_stays_revoked
        what_is_long_over_is_swept
        an_account_that_goes_leaves_no_grant
        a_workspace_that_goes_takes_its_apps_along
    }
    narrowed_grants {
        a_wider_grant_reaches_more_and_a_narrower_one_less
        what_a_grant_loses_is_gone_from_its_codes_and_families
        what_an_app_loses_is_gone_from_codes_and_grants
    }
    stream_tickets {
        a_ticket_reads_back_once
        of_twenty_that_take_a_ticket_one_gets_it
    }
    sweeps {
        only_what_is_past_its_horizon_goes
        a_sweep_takes_no_more_than_its_limit
        a_session_goes_with_its_tokens
        a_key_that_was_revoked_goes_with_what_leads_to_it
    }
    log_signals {
        a_node_hears_what_another_numbered
        a_lost_connection_is_taken_up_again
    }
    events {
        events_are_numbered_in_order_per_workspace
        readers_never_see_a_gap_under_sixteen_writers
        an_undone_unit_leaves_no_number_out
        three_workers_share_the_work
        the_events_of_a_removed_workspace_go_with_it
        an_event_keeps_what_it_says
        every_type_of_event_reads_back
        a_part_of_the_log_is_read_by_page_and_by_database
        the_log_is_read_by_number_and_by_id
        changed_records_are_listed_with_and_without_a_number
        changed_nodes_are_listed_with_and_without_a_number
    }
    units {
        an_abandoned_unit_leaves_nothing
        a_dropped_unit_leaves_nothing
        a_panic_in_a_unit_leaves_nothing
        a_unit_dropped_while_it_waits_leaves_nothing_open
        nothing_follows_an_error_in_a_unit
        a_failed_commit_leaves_nothing
        a_view_sees_only_what_is_committed
        a_committed_unit_survives_the_store
        a_unit_that_waits_too_long_is_busy
        a_healthy_store_reports_that_it_is_healthy
        two_stores_on_one_database_agree
    }
    databases {
        migrations_go_up_down_and_up
        nodes_that_migrate_at_once_agree
        a_status_touches_nothing
        a_newer_database_is_refused
        a_database_of_something_else_is_reported_as_such
        an_old_database_is_not_served
    }
}

mod engines;
