import { Fault, internal, Status } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { CurrentUser } from '@gatehouse/proto/auth';
import type { AuthorizedUser } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';

const GET_CURRENT_USER_TIMEOUT_MS = 2_000;

/**
 * The user of the caller's access token, within the scopes of the token (docs/oauth2.md#get-oauth2userinfo).
 *
 * @throws INVALID_TOKEN if the account is gone
 */
export async function readTokenUser(auth: Deps['auth'], call: Call): Promise<AuthorizedUser> {
  const { user } = await auth
    .getCurrentUser({}, { timeoutMs: GET_CURRENT_USER_TIMEOUT_MS, parent: call })
    .catch((error: unknown) => {
      throw error instanceof Fault && error.status === Status.UNAUTHENTICATED ? invalidToken() : error;
    });
  if (user === null) throw internal(new Error('auth answered without a user'));
  return tokenUser(user, call.caller.scopes.includes('email'));
}

function tokenUser({ id, username, global_name, email }: CurrentUser, withEmail: boolean): AuthorizedUser {
  const display_name = global_name ?? username;
  return {
    id,
    username: display_name,
    discriminator: '0',
    global_name: display_name,
    avatar: null,
    // Auth can be set to withhold unverified addresses (docs/oauth2.md#verified-email).
    ...(withEmail && { email: email ?? '', verified: email !== null }),
  };
}
