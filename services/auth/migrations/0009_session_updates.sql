-- Room in each page for the next `last_used_at` of its rows: it is in no index, and with room beside the
-- row none of them is written (PostgreSQL, "Heap-Only Tuples").
ALTER TABLE sessions SET (fillfactor = 85);
