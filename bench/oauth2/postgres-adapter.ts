import type { AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Pool } from 'pg';

/** The numbers of the models in the table. */
export const MODELS: Readonly<Record<string, number>> = {
  Session: 1,
  AccessToken: 2,
  AuthorizationCode: 3,
  RefreshToken: 4,
  DeviceCode: 5,
  ClientCredentials: 6,
  Client: 7,
  InitialAccessToken: 8,
  RegistrationAccessToken: 9,
  Interaction: 10,
  ReplayDetection: 11,
  PushedAuthorizationRequest: 12,
  Grant: 13,
  BackchannelAuthenticationRequest: 14,
};

/** One table for everything, as in the adapters for SQL that oidc-provider's documentation names. */
export const TABLE = `
  CREATE TABLE oidc_payloads (
    id text NOT NULL,
    type integer NOT NULL,
    payload jsonb NOT NULL,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    PRIMARY KEY (id, type)
  );
  CREATE INDEX oidc_payloads_grant_id_idx ON oidc_payloads (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX oidc_payloads_uid_idx ON oidc_payloads (uid) WHERE uid IS NOT NULL;
  CREATE UNIQUE INDEX oidc_payloads_user_code_idx ON oidc_payloads (user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX oidc_payloads_expires_at_idx ON oidc_payloads (expires_at)`;

interface StoredPayload {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
}

/** The storage adapter of oidc-provider, with prepared statements. */
export function postgresAdapter(db: Pool): AdapterFactory {
  return (model) => {
    const type = MODELS[model];
    const find = async (column: 'id' | 'uid' | 'user_code', value: string) => {
      const { rows } = await db.query<StoredPayload>({
        name: `find_by_${column}`,
        text: `SELECT payload, consumed_at FROM oidc_payloads
                WHERE ${column} = $1 AND type = $2 AND (expires_at IS NULL OR expires_at > now())`,
        values: [value, type],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      return row.consumed_at === null ? row.payload : { ...row.payload, consumed: true };
    };
    return {
      upsert: async (id, payload, expires_in_seconds) => {
        await db.query({
          name: 'upsert',
          text: `INSERT INTO oidc_payloads (id, type, payload, grant_id, user_code, uid, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, now() + $7::double precision * interval '1 second')
                 ON CONFLICT (id, type) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
                   user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
          values: [
            id,
            type,
            payload,
            payload.grantId ?? null,
            payload.userCode ?? null,
            payload.uid ?? null,
            expires_in_seconds ?? null,
          ],
        });
      },
      find: (id) => find('id', id),
      findByUid: (uid) => find('uid', uid),
      findByUserCode: (user_code) => find('user_code', user_code),
      consume: async (id) => {
        await db.query({
          name: 'consume',
          text: 'UPDATE oidc_payloads SET consumed_at = now() WHERE id = $1 AND type = $2',
          values: [id, type],
        });
      },
      destroy: async (id) => {
        await db.query({
          name: 'destroy',
          text: 'DELETE FROM oidc_payloads WHERE id = $1 AND type = $2',
          values: [id, type],
        });
      },
      revokeByGrantId: async (grant_id) => {
        await db.query({
          name: 'revoke_by_grant_id',
          text: 'DELETE FROM oidc_payloads WHERE grant_id = $1 AND type = $2',
          values: [grant_id, type],
        });
      },
    };
  };
}
