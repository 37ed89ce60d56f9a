-- The language of the account's owner: a BCP 47 tag in canonical form, for pages and mails. Null: none was chosen.
ALTER TABLE accounts ADD COLUMN locale text;

-- The columns that the current user has (src/accounts/account-view.ts), `locale` among them.
CREATE OR REPLACE FUNCTION note_accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id)
  SELECT 'USER_UPDATE', after.id
    FROM before JOIN after USING (id)
   WHERE (before.username, before.global_name, before.avatar, before.bot, before.email, before.verified, before.bio,
          before.pronouns, before.accent_color, before.banner, before.password_changed_at, before.flags, before.locale)
     IS DISTINCT FROM
         (after.username, after.global_name, after.avatar, after.bot, after.email, after.verified, after.bio,
          after.pronouns, after.accent_color, after.banner, after.password_changed_at, after.flags, after.locale);
  RETURN NULL;
END $$;
