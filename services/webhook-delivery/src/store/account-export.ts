import { exportStatements } from '@gatehouse/kit/db/export-page';

/** What the data export of an account has from here (docs/credentials.md#data-export). No token. */
export const EXPORTS = exportStatements({
  webhooks: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('id', id::text, 'guild_id', guild_id::text,
             'channel_id', channel_id::text, 'name', name, 'created_at', created_at)::text AS json
      FROM webhooks WHERE creator_id = $1 AND id > ($2::bigint[])[1] ORDER BY id LIMIT $3`,
});
