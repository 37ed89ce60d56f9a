-- Pictures are media's now. What `avatars` still holds is handed over at the next start, after which it is empty.
ALTER TABLE webhooks DROP CONSTRAINT webhooks_avatar_fkey;
