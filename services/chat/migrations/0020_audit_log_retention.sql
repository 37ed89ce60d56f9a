-- An entry's ID has its time in milliseconds: the retention job finds those that are too old by it, whatever guild they are
-- of. It is no index of the IDs themselves: a page of one guild's entries would be sought in the entries of all.
CREATE INDEX audit_log_entries_by_time ON audit_log_entries ((id >> 22));
