import type { Access, Route, Scope } from '@gatehouse/gateway/route';
import type { JsonSchema } from './json-schema.ts';

const SCOPES: Readonly<Record<string, string>> = {
  identify: 'Read the account, without its address.',
  email: "Read the account's email address.",
  guilds: "List the account's guilds and read them.",
  connections: "Read the account's connections.",
  bot: "Add the application's bot to a guild or a group DM.",
} satisfies Record<Scope, string> & Record<string, string>;

/** components/securitySchemes. */
export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'gth_ and 36 letters and digits',
    description:
      "A user's session, as registering and logging in return it. See [credentials](/docs/credentials).",
  },
  bot: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      "An application's bot: `Bot` and a blank before its token. See [bots](/docs/credentials#bots).",
  },
  access_token: {
    type: 'oauth2',
    description: 'An access token of OAuth2, as a bearer token. See [OAuth2](/docs/oauth2).',
    flows: {
      authorizationCode: {
        authorizationUrl: '/api/v1/oauth2/authorize',
        tokenUrl: '/api/v1/oauth2/token',
        refreshUrl: '/api/v1/oauth2/token',
        scopes: SCOPES,
      },
    },
  },
  sign_in_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-gatehouse',
    description:
      'The [sign-in cookie](/docs/credentials#sign-in-cookie) of a browser; `gatehouse` where the web app has no TLS, at a loopback host.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'An application: its ID and its secret, percent-encoded. They may come as `client_id` and `client_secret` of the form instead.',
  },
};

/** Public RPCs that read a credential themselves, and those that read the credential of the path. */
const OF_PUBLIC_RPCS: Readonly<Record<string, readonly string[]>> = {
  exchangeToken: ['client'],
  introspectToken: ['client'],
  revokeToken: ['client'],
  getUserInfo: ['access_token:identify'],
  getCurrentAuthorization: ['access_token'],
  authorize: ['none', 'session', 'sign_in_cookie'],
  resumeBrowserSession: ['sign_in_cookie'],
  endBrowserSession: ['none', 'session'],
};

const OF_ACCESS: Readonly<Record<Access, readonly string[]>> = {
  public: ['none'],
  user: ['session'],
  user_or_bot: ['session', 'bot'],
  bot: ['bot'],
};

/** The kinds of credentials that a route accepts; an access token with the scope that it needs. */
export function credentialsOf({ access, scope, path, rpc }: Route): readonly string[] {
  if (path.startsWith('/webhooks/{webhook_id}/{token}')) return ['webhook'];
  if (access === 'public') return OF_PUBLIC_RPCS[rpc] ?? OF_ACCESS.public;
  return [...OF_ACCESS[access], ...(scope === undefined ? [] : [`access_token:${scope}`])];
}

/** The security requirement of an operation: each item is an alternative. The path of a webhook has no scheme. */
export function securityOf(row: Route): JsonSchema[] {
  const credentials = credentialsOf(row).filter((one) => one !== 'webhook');
  if (credentials.length === 1 && credentials[0] === 'none') return [];
  return credentials.flatMap((credential) => {
    const [scheme = '', scope] = credential.split(':');
    if (scheme === 'none') return [{}];
    const requirement = { [scheme]: scope === undefined ? [] : [scope] };
    return scheme === 'client' ? [requirement, {}] : [requirement];
  });
}
