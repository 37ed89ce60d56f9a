import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Pool } from 'pg';
import { findIdentities, type Identity } from './access-tokens.ts';
import { findClients, type OauthClient } from './clients.ts';
import {
  type ClientAndPair,
  type Exchange,
  type ExchangeOptions,
  exchangeCodes,
  exchangeRefreshTokens,
  type IssuedPair,
} from './exchange-grants.ts';
import { type Code, findCodes } from './find-codes.ts';
import { type ClientAndToken, findTokens, type TokenQuery } from './find-tokens.ts';

interface BatchedStatementsOptions extends ExchangeOptions {
  readonly db: Pool;
}

type Batched<In, Out> = (item: In) => Promise<Out>;

/** The hot statements. Concurrent calls of a method share one statement. */
export class BatchedStatements {
  readonly #findIdentity: Batched<string, Identity | undefined>;
  readonly #findClient: Batched<string, OauthClient | undefined>;
  readonly #findToken: Batched<TokenQuery, ClientAndToken>;
  readonly #findCode: Batched<string, Code | undefined>;
  readonly #exchangeCode: Batched<Exchange, IssuedPair | undefined>;
  readonly #exchangeRefreshToken: Batched<Exchange, ClientAndPair>;

  constructor(runtime: Pick<Runtime, 'batcher'>, options: BatchedStatementsOptions) {
    const { db, hardening } = options;
    this.#findIdentity = runtime.batcher('identify', { run: (hashes) => findIdentities(db, hashes) });
    this.#findClient = runtime.batcher('find_client', { run: (ids) => findClients(db, ids) });
    this.#findToken = runtime.batcher('find_token', { run: (queries) => findTokens(db, queries, hardening) });
    this.#findCode = runtime.batcher('find_code', { run: (hashes) => findCodes(db, hashes, hardening) });
    this.#exchangeCode = runtime.batcher('exchange_code', {
      run: (exchanges) => exchangeCodes(db, exchanges, options),
    });
    this.#exchangeRefreshToken = runtime.batcher('exchange_refresh_token', {
      run: (refreshes) => exchangeRefreshTokens(db, refreshes, options),
    });
  }

  /** The identity of the live access token with this hash. */
  findIdentity(token_hash: string): Promise<Identity | undefined> {
    return this.#findIdentity(token_hash);
  }

  findClient(id: string): Promise<OauthClient | undefined> {
    return this.#findClient(id);
  }

  /** A client and a token, looked up together. */
  findToken(query: TokenQuery): Promise<ClientAndToken> {
    return this.#findToken(query);
  }

  /** The live code with this hash. */
  findCode(code_hash: string): Promise<Code | undefined> {
    return this.#findCode(code_hash);
  }

  /** Undefined if the code is not live, or another exchange consumed it first. */
  exchangeCode(exchange: Exchange): Promise<IssuedPair | undefined> {
    return this.#exchangeCode(exchange);
  }

  /** Authenticates a client and exchanges its refresh token. */
  exchangeRefreshToken(refresh: Exchange): Promise<ClientAndPair> {
    return this.#exchangeRefreshToken(refresh);
  }
}
