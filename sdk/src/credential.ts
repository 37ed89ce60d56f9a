/** An access token that can be replaced. */
export interface TokenSource {
  /**
   * Returns a live access token. `rejected` is a token that the API has just refused: the source then returns another
   * one, or the same if it has no other.
   */
  accessToken(rejected?: string): Promise<string>;
}

/** One of these at most. Without any, the calls are anonymous. */
export interface Credentials {
  /** The token of a user's session. */
  readonly session?: string | undefined;
  /** A bot's token. */
  readonly bot?: string | undefined;
  /** An OAuth2 access token, or a source of them. */
  readonly accessToken?: string | TokenSource | undefined;
}

/** The value of the Authorization header for each try of a call. */
export interface Authorization {
  header(): Promise<string | undefined>;
  /** After a 401: whether the next header has another token. */
  renew(header: string): Promise<boolean>;
}

/** @throws TypeError */
export function authorizationOf(credentials: Credentials): Authorization {
  const { session, bot, accessToken } = credentials;
  const given = Object.entries({ session, bot, accessToken }).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw new TypeError(`one credential, not ${given.map(([name]) => name).join(' and ')}`);
  if (typeof accessToken === 'object') return renewable(accessToken);
  if (bot !== undefined) return fixed(`Bot ${tokenText('bot', bot)}`);
  const bearer = session ?? accessToken;
  return fixed(bearer === undefined ? undefined : `Bearer ${tokenText('token', bearer)}`);
}

function fixed(header: string | undefined): Authorization {
  return { header: async () => header, renew: async () => false };
}

function renewable(source: TokenSource): Authorization {
  const bearer = async (rejected?: string) => {
    return `Bearer ${tokenText('accessToken', await source.accessToken(rejected))}`;
  };
  return {
    header: () => bearer(),
    renew: async (header) => (await bearer(header.slice('Bearer '.length))) !== header,
  };
}

/** The message must not contain the token. */
function tokenText(name: string, token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new TypeError(`${name} is no token: it is empty, or has a blank or a character that is not ASCII`);
}
