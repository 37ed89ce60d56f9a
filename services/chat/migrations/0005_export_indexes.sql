-- The data export of an account reads the messages that it wrote.
CREATE INDEX messages_author_id_idx ON messages (author_id, id) WHERE author_id IS NOT NULL;
