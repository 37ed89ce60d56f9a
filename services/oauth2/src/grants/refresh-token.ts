import { credentialHash } from '../credentials.ts';
import { invalidGrant } from '../errors.ts';
import type { Grant } from './grant.ts';

/** Checks and consumption are one statement: the token is known, and of this client. */
export const refreshToken: Grant = async ({ exchangeRefreshToken }, { application_id, form, pair }) => {
  const token = form.get('refresh_token');
  if (token === undefined) throw invalidGrant();
  const { access_id, access_hash, refresh_id, refresh_hash } = pair;
  const issued = await exchangeRefreshToken({
    spent_hash: credentialHash(token),
    application_id,
    access_id,
    access_hash,
    refresh_id,
    refresh_hash,
  });
  if (issued === undefined) throw invalidGrant();
  return issued;
};
