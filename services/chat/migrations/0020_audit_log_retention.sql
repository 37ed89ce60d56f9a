-- An entry's ID has its time: the retention job finds those that are too old by it, whatever guild they are of.
CREATE INDEX audit_log_entries_by_id ON audit_log_entries (id);
