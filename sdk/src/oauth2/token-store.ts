/** A token pair, as a store keeps it. JSON can hold it. */
export interface Tokens {
  readonly accessToken: string;
  /** Works once. */
  readonly refreshToken: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

/** Keeps the tokens of one user. */
export interface TokenStore {
  get(): Promise<Tokens | undefined>;
  set(tokens: Tokens): Promise<void>;
  /**
   * Runs work while no other process that shares the store does. A refresh runs inside it, so that of several processes
   * one refreshes and the others find its tokens.
   */
  lock?<T>(work: () => Promise<T>): Promise<T>;
}

/** A store in this process. */
export function memoryTokenStore(tokens?: Tokens): TokenStore {
  let current = tokens;
  return {
    get: async () => current,
    set: async (next) => {
      current = next;
    },
  };
}
