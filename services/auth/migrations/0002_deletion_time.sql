-- No statement of any release reads or writes this column.
ALTER TABLE deleted_accounts DROP COLUMN deleted_at;
