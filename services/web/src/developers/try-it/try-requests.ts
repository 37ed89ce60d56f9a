import { i18n } from '../../shared/i18n/i18n.ts';

/** A request of the walk through the flow. */
export interface TryRequest {
  readonly title: string;
  /** Explains the request to people who are learning OAuth2. */
  readonly explanation: string;
  readonly path: string;
  /** The form to post. Without one, it is a GET with the access token. */
  readonly form?: Readonly<Record<string, string>>;
  readonly access_token?: string;
}

/** The application's credentials, and those of this run of the flow. */
export interface Client {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
}
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export function exchangeRequest(
  client: Client,
  grant: { readonly code: string; readonly code_verifier: string; readonly redirect_uri: string },
): TryRequest {
  return {
    title: i18n._('Exchange the code'),
    explanation:
      client.client_secret === undefined
        ? i18n._(
            'The code alone is worth nothing: the verifier proves that the application made the request. A public client has no secret. A code works once.',
          )
        : i18n._(
            'The code alone is worth nothing: the secret proves the application, and the verifier proves that it made the request. A code works once.',
          ),
    path: '/oauth2/token',
    form: { grant_type: 'authorization_code', ...grant, ...client },
  };
}

export function userinfoRequest({ access_token }: Tokens): TryRequest {
  return {
    title: i18n._('Ask who the user is'),
    explanation: i18n._(
      'The access token goes into the Authorization header. This needs the scope identify.',
    ),
    path: '/oauth2/userinfo',
    access_token,
  };
}

export function currentRequest({ access_token }: Tokens): TryRequest {
  return {
    title: i18n._('Ask what the token allows'),
    explanation: i18n._(
      'With any live access token, a client can read its own application, scopes and expiry.',
    ),
    path: '/oauth2/@me',
    access_token,
  };
}

export function introspectRequest(client: Client, { access_token }: Tokens): TryRequest {
  return {
    title: i18n._('Introspect the access token'),
    explanation: i18n._(
      'A resource server asks whether a token that it received is live. It must compare client_id with the one that it expects.',
    ),
    path: '/oauth2/introspect',
    form: { token: access_token, ...client },
  };
}

export function refreshRequest(client: Client, { refresh_token }: Tokens): TryRequest {
  return {
    title: i18n._('Refresh'),
    explanation: i18n._(
      'A refresh token is exchanged for a new pair when the access token has expired. It works once; earlier access tokens stay valid until they expire.',
    ),
    path: '/oauth2/token',
    form: { grant_type: 'refresh_token', refresh_token, ...client },
  };
}

export function revokeRequest(client: Client, { refresh_token }: Tokens): TryRequest {
  return {
    title: i18n._('Revoke'),
    explanation: i18n._(
      'This ends every access and refresh token that the user gave this application. The answer is the same when there was none. Ask who the user is once more to see that the token is dead.',
    ),
    path: '/oauth2/token/revoke',
    form: { token: refresh_token, token_type_hint: 'refresh_token', ...client },
  };
}
