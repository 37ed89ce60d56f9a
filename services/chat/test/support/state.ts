import type { ChatFixture } from './start-chat.ts';

interface State {
  readonly member_count: number;
  readonly members: { account_id: string; inviter_id: string | null; role_ids: string[] }[];
  readonly roles: { id: string; name: string; position: number }[];
  readonly entries: object[];
  readonly recipient_ids: string[] | null;
  /** The rows of `channel_recipients`, by account. */
  readonly recipients: string[];
  readonly messages: object[];
  readonly events: object[];
}

/** All rows that an installation may change in a guild or a private channel. */
export async function stateOf({ sql }: ChatFixture, id: string): Promise<State> {
  const { rows } = await sql.query<State>(
    `SELECT
      (SELECT member_count FROM guilds WHERE id = $1),
      COALESCE((SELECT jsonb_agg(jsonb_build_object('account_id', account_id::text, 'inviter_id', inviter_id::text,
          'role_ids', ARRAY(SELECT role_id::text FROM member_roles
            WHERE guild_id = $1 AND account_id = members.account_id)) ORDER BY account_id)
        FROM members WHERE guild_id = $1), '[]') AS members,
      COALESCE((SELECT jsonb_agg(to_jsonb(roles) - 'guild_id' || jsonb_build_object('id', id::text,
          'permissions', permissions::text) ORDER BY id)
        FROM roles WHERE guild_id = $1), '[]') AS roles,
      COALESCE((SELECT jsonb_agg(to_jsonb(entry) || jsonb_build_object('user_id', user_id::text,
          'target_id', target_id::text) ORDER BY id)
        FROM audit_log_entries AS entry WHERE guild_id = $1), '[]') AS entries,
      (SELECT recipient_ids FROM channels WHERE id = $1) AS recipient_ids,
      COALESCE((SELECT jsonb_agg(account_id::text ORDER BY account_id)
        FROM channel_recipients WHERE channel_id = $1), '[]') AS recipients,
      COALESCE((SELECT jsonb_agg(jsonb_build_object('type', type, 'author_id', author_id::text,
          'mention_ids', mention_ids::text[]) ORDER BY id)
        FROM messages WHERE channel_id = $1), '[]') AS messages,
      COALESCE((SELECT jsonb_agg(jsonb_build_object('type', type, 'account_ids', account_ids::text[],
          'payload', payload) ORDER BY id)
        FROM events WHERE guild_id = $1 OR channel_id = $1), '[]') AS events`,
    [id],
  );
  const [state] = rows;
  if (state === undefined) throw new Error('the query always returns a row');
  return state;
}
