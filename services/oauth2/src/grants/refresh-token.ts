import { credentialHash } from '../credentials.ts';
import { invalidGrant } from '../errors.ts';
import type { Grant } from './grant.ts';
import { refuseGrant } from './refuse-grant.ts';

/** Checks and consumption are one statement: the token is known, and of this client. */
export const refreshToken: Grant = async (deps, { application_id, form, pair }) => {
  const token = form.get('refresh_token');
  if (token === undefined) throw invalidGrant();
  const spent_hash = credentialHash(token);
  const issued = await deps.exchangeRefreshToken({ spent_hash, application_id, ...pair });
  return issued ?? refuseGrant(deps, application_id, spent_hash);
};
