import type { TokenSource } from '../credential.ts';
import { ApiError, RateLimitError } from '../errors/api-error.ts';
import { TokenRefreshError } from './token-refresh-error.ts';
import type { TokenStore, Tokens } from './token-store.ts';

/** A token that ends sooner is refreshed: a request may be on its way for a while. */
const MARGIN_MS = 60_000;

interface Refreshes {
  /** The one refresh of a store that is in flight in this process. */
  inFlight?: Promise<Tokens> | undefined;
  /** A pair that the store has not accepted yet, and its predecessor, which is used up. */
  unsaved?: { readonly tokens: Tokens; readonly used: Tokens } | undefined;
}

/** By store: several sources may share one. */
const refreshesOf = new WeakMap<TokenStore, Refreshes>();

/** The access token of a store, which is refreshed when it ends or is refused. */
export class StoredTokens implements TokenSource {
  readonly #store: TokenStore;
  readonly #refresh: (refreshToken: string) => Promise<Tokens>;
  readonly #refreshes: Refreshes;

  constructor(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>) {
    this.#store = store;
    this.#refresh = refresh;
    this.#refreshes = refreshesOf.get(store) ?? {};
    refreshesOf.set(store, this.#refreshes);
  }

  /** @throws TokenRefreshError; ApiError if the API refused the application or a rate limit denied the refresh */
  async accessToken(rejected?: string): Promise<string> {
    const refreshes = this.#refreshes;
    if (refreshes.inFlight === undefined && refreshes.unsaved === undefined) {
      const stored = await this.#store.get();
      if (stored !== undefined && isUsable(stored, rejected)) return stored.accessToken;
    }
    refreshes.inFlight ??= this.#renew(rejected).finally(() => {
      refreshes.inFlight = undefined;
    });
    return (await refreshes.inFlight).accessToken;
  }

  async #renew(rejected: string | undefined): Promise<Tokens> {
    const work = () => this.#renewAlone(rejected);
    return this.#store.lock === undefined ? await work() : await this.#store.lock(work);
  }

  async #renewAlone(rejected: string | undefined): Promise<Tokens> {
    const { unsaved } = this.#refreshes;
    if (unsaved !== undefined && !(await this.#isReplaced(unsaved.used)))
      return await this.#save(unsaved.tokens, unsaved.used);
    this.#refreshes.unsaved = undefined;
    const stored = await this.#store.get();
    if (stored === undefined) throw new TokenRefreshError('no_tokens');
    // Another caller or process was faster.
    if (isUsable(stored, rejected)) return stored;
    let fresh: Tokens;
    try {
      fresh = await this.#refresh(stored.refreshToken);
    } catch (error) {
      return await this.#afterFailure(stored, error);
    }
    return await this.#save(fresh, stored);
  }

  /** Whether the store has got other tokens since, such as those of another sign-in. */
  async #isReplaced(used: Tokens): Promise<boolean> {
    const stored = await this.#store.get().catch(() => undefined);
    return stored !== undefined && stored.refreshToken !== used.refreshToken;
  }

  async #afterFailure(used: Tokens, error: unknown): Promise<Tokens> {
    if (error instanceof RateLimitError || isRefusedApplication(error)) throw error;
    if (!isRefusedToken(error)) throw new TokenRefreshError('answer_lost', error);
    const current = await this.#store.get();
    // Without a lock another process may have used the token.
    if (current !== undefined && current.refreshToken !== used.refreshToken) return current;
    throw new TokenRefreshError('refused', error);
  }

  /** Nobody gets the tokens before the store has them: a crash would lose them. */
  async #save(tokens: Tokens, used: Tokens): Promise<Tokens> {
    this.#refreshes.unsaved = { tokens, used };
    try {
      await this.#store.set(tokens);
    } catch (error) {
      throw new TokenRefreshError('not_stored', error);
    }
    this.#refreshes.unsaved = undefined;
    return tokens;
  }
}

function isUsable({ accessToken, expiresAt }: Tokens, rejected: string | undefined): boolean {
  return accessToken !== rejected && Date.now() < expiresAt - MARGIN_MS;
}

/** After any other error the server may have executed the refresh. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_GRANT';
}

/** Such as INVALID_CLIENT_SECRET: the token is as good as before, and was not used. */
function isRefusedApplication(error: unknown): boolean {
  return error instanceof ApiError && [400, 401].includes(error.status) && !isRefusedToken(error);
}
