import { Fault, Status } from '@gatehouse/kit/fault';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition, CurrentUser } from '@gatehouse/proto/auth';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';

/** A valid credential. */
export interface Credential {
  readonly account_id: string;
  readonly credential_id: string;
  readonly is_bot: boolean;
}

export interface Credentials {
  /** Returns the token's credential; undefined if it is invalid. */
  identify(token: string): Promise<Credential | undefined>;
  /** Returns the current user; undefined if the credential has ended. */
  currentUser(credential: Credential): Promise<CurrentUser | undefined>;
}

const AUTH_TIMEOUT_MS = 5_000;
/** Longer than any token. */
const MAX_TOKEN_LENGTH = 256;
const BOT_PREFIX = 'Bot ';

export function credentials(auth: Client<typeof AuthServiceDefinition>): Credentials {
  return {
    identify: async (token) => {
      if (token.length > MAX_TOKEN_LENGTH) return undefined;
      const bare = token.startsWith(BOT_PREFIX) ? token.slice(BOT_PREFIX.length) : token;
      // Bot tokens have a dot, session tokens have none (docs/credentials.md#token-formats).
      const is_bot = bare.includes('.');
      if (bare !== token && !is_bot) return undefined;
      const kind = is_bot ? CallerKind.CALLER_KIND_BOT : CallerKind.CALLER_KIND_SESSION;
      const { identity } = await auth.identify(
        { kind, token: bare },
        { timeoutMs: AUTH_TIMEOUT_MS, caller: anonymous },
      );
      return identity == null ? undefined : { ...identity, is_bot };
    },
    currentUser: async (credential) => {
      try {
        const caller = callerOf(credential);
        const { user } = await auth.getCurrentUser({}, { timeoutMs: AUTH_TIMEOUT_MS, caller });
        return user ?? undefined;
      } catch (error) {
        if (error instanceof Fault && error.status === Status.UNAUTHENTICATED) return undefined;
        throw error;
      }
    },
  };
}

function callerOf({ account_id, credential_id, is_bot }: Credential): Caller {
  return {
    ...anonymous,
    kind: is_bot ? CallerKind.CALLER_KIND_BOT : CallerKind.CALLER_KIND_SESSION,
    account_id,
    credential_id,
    application_id: is_bot ? account_id : '',
  };
}
