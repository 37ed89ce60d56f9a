import { type CallOptions, callLimits } from '../call-options.ts';
import type { paths } from '../generated/api.ts';
import { apiAddress } from '../http/api-address.ts';
import { membersOf } from '../http/error-members.ts';
import type { Fetch } from '../http/fetch.ts';
import type { HttpAnswer } from '../http/http-call.ts';
import { Transport } from '../http/transport.ts';
import { type AuthorizationRequest, authorizationUrl } from './authorization-url.ts';
import { OAuth2Error } from './oauth2-error.ts';
import { challengeOf, randomText } from './pkce.ts';
import { StoredTokens } from './stored-tokens.ts';
import type { TokenStore, Tokens } from './token-store.ts';

/** An application that is registered at the installation. */
export interface OAuth2Options extends Omit<CallOptions, 'signal'> {
  /** The address of the installation, such as `https://chat.example`. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Undefined for a public application: a page or a program that cannot keep a secret. */
  readonly clientSecret?: string | undefined;
  /** In place of the global fetch. */
  readonly fetch?: Fetch | undefined;
}

/** The values that a sign-in needs at its callback. The application keeps them in the session of that browser. */
export interface StartedAuthorization {
  /** Where to send the browser. */
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface CodeGrant {
  readonly code: string;
  /** Exactly that of the authorization. */
  readonly redirectUri: string;
  readonly codeVerifier?: string | undefined;
}

export type Introspection =
  paths['/oauth2/introspect']['post']['responses'][200]['content']['application/json'];

export type TokenKind = 'access_token' | 'refresh_token';

type Form = Readonly<Record<string, string>>;

/** Signs users in by the authorization code flow with PKCE. */
export class OAuth2Client {
  readonly #options: OAuth2Options;
  readonly #address: string;
  readonly #transport: Transport;

  /** @throws TypeError, RangeError */
  constructor(options: OAuth2Options) {
    const { baseUrl, clientId, clientSecret, fetch = globalThis.fetch } = options;
    if (!/^\d+$/.test(clientId)) throw new TypeError('clientId is no ID');
    if (clientSecret === '') throw new TypeError('clientSecret is empty; a public application has none');
    callLimits(options);
    this.#options = options;
    this.#address = apiAddress(baseUrl);
    const header = clientSecret === undefined ? undefined : basic(clientId, clientSecret);
    const authorization = { header: async () => header, renew: async () => false };
    this.#transport = new Transport((url, init) => fetch(url, init), authorization);
  }

  /** Begins an authorization, with a fresh state and a fresh code verifier, whose S256 challenge is in the URL. */
  async start(request: AuthorizationRequest): Promise<StartedAuthorization> {
    const state = randomText();
    const codeVerifier = randomText();
    const challenge = await challengeOf(codeVerifier);
    const url = authorizationUrl(this.#address, this.#options.clientId, request, state, challenge);
    return { url, state, codeVerifier, redirectUri: request.redirectUri };
  }

  /**
   * Ends an authorization with the URL of the callback, or its query: checks the state and exchanges the code.
   *
   * @throws OAuth2Error if the user refused or the state is another one, and the errors of exchangeCode
   */
  async finish(
    callback: string | URL,
    started: Omit<StartedAuthorization, 'url'>,
    options?: CallOptions,
  ): Promise<Tokens> {
    const [, query = ''] = String(callback)
      .replace(/#.*/s, '')
      .split(/\?(.*)/s);
    const members = new URLSearchParams(query);
    if (members.get('state') !== started.state)
      throw new OAuth2Error('state_mismatch', 'The state of the callback is not that of this authorization.');
    const error = members.get('error');
    if (error !== null)
      throw new OAuth2Error(error, `The authorization ended with ${JSON.stringify(error)}.`);
    const code = members.get('code');
    if (code === null)
      throw new OAuth2Error('invalid_callback', 'The callback has neither a code nor an error.');
    return await this.exchangeCode({ ...started, code }, options);
  }

  /** Exchanges a code, which works once. @throws ApiError (INVALID_GRANT and others), NetworkError, TimeoutError */
  exchangeCode({ code, redirectUri, codeVerifier }: CodeGrant, options?: CallOptions): Promise<Tokens> {
    const verifier: Form = codeVerifier === undefined ? {} : { code_verifier: codeVerifier };
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...verifier };
    return this.#tokens(form, options);
  }

  /** Exchanges a refresh token, which works once, for a new pair. `tokenSource` does so safely for many callers. */
  refresh(refreshToken: string, options?: CallOptions): Promise<Tokens> {
    return this.#tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, options);
  }

  /** The access token of a store as the credential of a client. It is refreshed when it ends or is refused. */
  tokenSource(store: TokenStore): StoredTokens {
    return new StoredTokens(store, (refreshToken) => this.refresh(refreshToken));
  }

  /** What a token grants. A resource server accepts only its own `client_id` and the `token_type` Bearer. */
  async introspect(token: string, options?: CallOptions): Promise<Introspection> {
    const members = membersOf(await this.#send('/oauth2/introspect', { token }, options));
    if (typeof members.active !== 'boolean') throw invalidAnswer();
    return members as Introspection;
  }

  /** Ends all tokens that the token's user has for this application. Succeeds for an unknown token too. */
  async revoke(token: string, kind: TokenKind = 'access_token', options?: CallOptions): Promise<void> {
    await this.#send('/oauth2/token/revoke', { token, token_type_hint: kind }, options);
  }

  async #tokens(form: Form, options?: CallOptions): Promise<Tokens> {
    const answer = await this.#send('/oauth2/token', form, options);
    const { access_token, refresh_token, expires_in, scope } = membersOf(answer);
    if (typeof access_token !== 'string' || typeof refresh_token !== 'string') throw invalidAnswer();
    if (typeof expires_in !== 'number') throw invalidAnswer();
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresAt: Date.now() + expires_in * 1000,
      scopes: String(scope).split(' '),
    };
  }

  #send(path: string, form: Form, options: CallOptions = {}): Promise<HttpAnswer> {
    const { clientId, clientSecret } = this.#options;
    const body = new URLSearchParams(clientSecret === undefined ? { ...form, client_id: clientId } : form);
    const call = {
      method: 'POST',
      url: this.#address + path,
      headers: new Headers({ 'content-type': 'application/x-www-form-urlencoded' }),
      body: body.toString(),
      operation: `POST ${path}`,
      bucketKey: '',
    };
    return this.#transport.send(call, callLimits(this.#options, options));
  }
}

/** RFC 6749 §2.3.1: both are percent-encoded first. */
function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}`;
}

function invalidAnswer(): OAuth2Error {
  return new OAuth2Error(
    'invalid_answer',
    'The answer is not that of an authorization server: check baseUrl.',
  );
}
