-- Both filters of the audit log together: without it, a page of what one account did of one kind could read through all
-- that the account did and all of that kind.
CREATE INDEX audit_log_entries_by_user_and_action ON audit_log_entries (guild_id, user_id, action_type, id);
