import { exportStatements } from '@gatehouse/kit/db/export-page';

/** What the data export of an account has from here (docs/credentials.md#data-export). An invite is a
 * credential, so it is left out. */
export const EXPORTS = exportStatements({
  guilds: `
    SELECT ARRAY[guild_id]::text AS cursor, json_build_object('id', guild_id::text, 'name', name,
             'owner', owner_id = account_id, 'joined_at', joined_at, 'nick', nick, 'bio', bio, 'pronouns', pronouns,
             'accent_color', accent_color, 'roles', (
               SELECT coalesce(json_agg(json_build_object('id', roles.id::text, 'name', roles.name)), '[]')
                 FROM member_roles JOIN roles ON roles.id = role_id
                WHERE member_roles.guild_id = members.guild_id AND member_roles.account_id = members.account_id)
           )::text AS json
      FROM members JOIN guilds ON guilds.id = guild_id
     WHERE account_id = $1 AND guild_id > ($2::bigint[])[1] ORDER BY guild_id LIMIT $3`,
  private_channels: `
    SELECT ARRAY[channel_id]::text AS cursor, json_build_object('id', channel_id::text, 'type', type, 'name', name,
             'owner', coalesce(owner_id = account_id, false), 'recipients', recipient_ids::text[],
             'closed', closed)::text AS json
      FROM channel_recipients JOIN channels ON channels.id = channel_id
     WHERE account_id = $1 AND channel_id > ($2::bigint[])[1] ORDER BY channel_id LIMIT $3`,
  audit_log: `
    SELECT ARRAY[entry.guild_id, entry.id]::text AS cursor, json_build_object('id', entry.id::text,
             'guild_id', entry.guild_id::text, 'action_type', action_type, 'target_id', target_id::text,
             'reason', reason, 'changes', changes)::text AS json
      FROM members JOIN audit_log_entries AS entry ON entry.guild_id = members.guild_id AND user_id = account_id
     WHERE account_id = $1 AND members.guild_id >= ($2::bigint[])[1]
       AND (entry.guild_id, entry.id) > (($2::bigint[])[1], ($2::bigint[])[2])
     ORDER BY entry.guild_id, entry.id LIMIT $3`,
  messages: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('id', id::text, 'channel_id', channel_id::text,
             'content', content, 'embeds', embeds, 'type', type, 'pinned', pinned, 'edited_at', edited_at)::text AS json
      FROM messages WHERE author_id = $1 AND id > ($2::bigint[])[1] ORDER BY id LIMIT $3`,
});
