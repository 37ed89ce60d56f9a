import { exportStatements } from '@gatehouse/kit/db/export-page';

/** What the data export of an account has from here (docs/credentials.md#data-export). No secret, and no hash of one. */
export const EXPORTS = exportStatements({
  applications: `
    SELECT ARRAY[id]::text AS cursor, json_build_object('id', id::text, 'name', name, 'redirect_uris', redirect_uris,
             'description', description, 'terms_url', terms_url, 'privacy_url', privacy_url, 'bot_public', bot_public,
             'bot_require_code_grant', bot_require_code_grant, 'created_at', created_at)::text AS json
      FROM applications WHERE owner_id = $1 AND id > ($2::bigint[])[1] ORDER BY id LIMIT $3`,
  application_usage: `
    SELECT ARRAY[application_id, extract(epoch FROM hour)::bigint]::text AS cursor,
           json_build_object('application_id', application_id::text, 'hour', hour, 'buckets',
             json_object_agg(bucket, json_build_object('requests', requests, 'limited', limited)))::text AS json
      FROM application_usage JOIN applications ON applications.id = application_id
     WHERE owner_id = $1 AND (application_id, hour) > (($2::bigint[])[1], to_timestamp(($2::bigint[])[2]))
     GROUP BY application_id, hour ORDER BY application_id, hour LIMIT $3`,
  application_errors: `
    SELECT ARRAY[application_errors.id]::text AS cursor,
           json_build_object('application_id', application_id::text, 'time', occurred_at, 'method', method,
             'route', route, 'status', status, 'code', code, 'request_id', request_id)::text AS json
      FROM application_errors JOIN applications ON applications.id = application_id
     WHERE owner_id = $1 AND application_errors.id > ($2::bigint[])[1]
     ORDER BY application_errors.id LIMIT $3`,
  authorizations: `
    SELECT ARRAY[access_tokens.id]::text AS cursor,
           json_build_object('application_id', application_id::text, 'application', name, 'scopes', scopes,
             'created_at', access_tokens.created_at, 'expires_at', expires_at)::text AS json
      FROM access_tokens JOIN applications ON applications.id = application_id
     WHERE account_id = $1 AND access_tokens.id > ($2::bigint[])[1] AND expires_at > now()
     ORDER BY access_tokens.id LIMIT $3`,
});
