import type { Pool } from 'pg';
import { isRefused } from './refusals.ts';

/** A live access token with its application. */
export interface Authorization {
  readonly id: string;
  readonly name: string;
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
  /** In alphabetical order. */
  readonly scopes: string[];
  readonly expires_at: Date;
}

/** Undefined if the access token with this ID is not live or is refused, or its application is gone. */
export async function findAuthorization(
  db: Pool,
  access_token_id: string,
): Promise<Authorization | undefined> {
  const { rows } = await db.query<Authorization>({
    name: 'find_authorization',
    text: `SELECT applications.id, name, bot_public, bot_require_code_grant, scopes, expires_at
             FROM access_tokens JOIN applications ON applications.id = application_id
            WHERE access_tokens.id = $1 AND expires_at > now() AND NOT ${isRefused('access_tokens')}`,
    values: [access_token_id],
  });
  return rows[0];
}

/** An application with the scopes of all its live access tokens of an account. */
export interface AuthorizedApplication {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
}

/** The applications that have live access tokens of an account, oldest first. */
export async function findAuthorizationsOf(db: Pool, account_id: string): Promise<AuthorizedApplication[]> {
  const { rows } = await db.query<AuthorizedApplication>({
    name: 'find_authorizations_of',
    text: `SELECT applications.id, name, array_agg(DISTINCT scope) AS scopes
             FROM access_tokens JOIN applications ON applications.id = application_id, unnest(scopes) AS scope
            WHERE account_id = $1 AND expires_at > now()
            GROUP BY applications.id ORDER BY applications.id`,
    values: [account_id],
  });
  return rows;
}
