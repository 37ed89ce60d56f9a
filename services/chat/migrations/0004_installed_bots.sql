-- Lists of a guild's installed bots: few of its members have an inviter.
CREATE INDEX members_installed_by_guild ON members (guild_id, account_id) WHERE inviter_id IS NOT NULL;
