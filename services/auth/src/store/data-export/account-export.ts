import { exportStatements } from '@gatehouse/kit/db/export-page';

/**
 * What the data export of an account has from here (docs/credentials.md#data-export). No secret, no hash of one, and
 * no operator.
 */
export const EXPORTS = exportStatements({
  account: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('id', id::text, 'username', username, 'email', email,
             'verified', verified, 'global_name', global_name, 'bio', bio, 'pronouns', pronouns,
             'accent_color', accent_color, 'locale', locale, 'password_changed_at', password_changed_at,
             'created_at', created_at)::text AS json
      FROM accounts WHERE id = $1 AND id > ($2::bigint[])[1] LIMIT $3`,
  sessions: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('created_at', created_at, 'last_used_at', last_used_at,
             'ip', ip, 'user_agent', user_agent, 'stay_signed_in', (
               SELECT bool_or(stay_signed_in) FROM browser_sessions WHERE session_id = sessions.id))::text AS json
      FROM sessions WHERE account_id = $1 AND id > ($2::bigint[])[1] ORDER BY id LIMIT $3`,
  // An account has a few: they are one page.
  second_factors: `
    SELECT '{1}' AS cursor, json::text FROM (
      SELECT json_build_object('kind', 'authenticator app', 'created_at', created_at) AS json
        FROM totp_factors WHERE account_id = $1
      UNION ALL
      SELECT json_build_object('kind', 'passkey', 'name', name, 'created_at', created_at, 'last_used_at', last_used_at)
        FROM webauthn_credentials WHERE account_id = $1
      UNION ALL
      SELECT json_build_object('kind', 'backup codes', 'count', count(*), 'used', count(consumed_at))
        FROM backup_codes WHERE account_id = $1 HAVING count(*) > 0
    ) AS factors WHERE ($2::bigint[])[1] = 0 LIMIT $3`,
  // At most 100 are kept.
  login_locations: `
    SELECT '{1}' AS cursor, json_build_object('network', network, 'last_login_at', last_login_at)::text AS json
      FROM login_locations WHERE account_id = $1 AND ($2::bigint[])[1] = 0 LIMIT $3`,
  security_events: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('id', id::text, 'at', at, 'kind', kind, 'ip', ip,
             'user_agent', user_agent, 'detail', CASE WHEN detail ? 'operator' THEN detail - '{operator,reason}'::text[]
               ELSE detail END)::text AS json
      FROM security_events WHERE account_id = $1 AND id > ($2::bigint[])[1] ORDER BY id LIMIT $3`,
});
