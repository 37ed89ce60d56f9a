/** The source of a client's version: a file of this repository that pins it, or a text. */
export type VersionOf =
  | { readonly npm: string }
  /** `file` is in test-e2e/clients. */
  | { readonly pip: string; readonly file: string }
  | { readonly go: string; readonly file: string }
  | { readonly text: string };

/** The source of the code that docs/works-with.md shows. A test compares them, without dollar signs and line breaks. */
export interface Setup {
  /** The file that has each line of the code, from test-e2e. Default: the test. */
  readonly file?: string;
  /** What the file has in place of texts of the page, besides `stack.url` for BASE_URL. */
  readonly has?: Readonly<Record<string, string>>;
}

/** A third-party client, or the requests of another program. */
export interface WorksWith {
  readonly client: string;
  readonly version: VersionOf;
  /** The test that runs it, from test-e2e, which names the client. */
  readonly test: string;
  /** The source of its code in docs/works-with.md. Absent for payloads only. */
  readonly setup?: Setup;
  /** The tested features. */
  readonly features: string;
  /** Notes for its users. */
  readonly remarks?: string;
}

const OAUTH2 = 'consent, token, refresh, introspection, revocation; its errors';

/** The rows of docs/works-with.md, which `npm run generate` writes. The test of a new client adds one. */
export const WORKS_WITH: readonly WorksWith[] = [
  {
    client: '@gatehouse/sdk',
    version: { text: 'of Gatehouse' },
    test: 'clients/api/first-call.ts',
    setup: { file: '../README.md', has: { BASE_URL: "'http://127.0.0.1:8080'", token: 'session.token' } },
    features: 'registers, makes a guild, lists its channels and posts',
    remarks: '[TypeScript](../sdk/README.md), for Node and browsers',
  },
  {
    client: 'Python client',
    version: { text: 'of Gatehouse' },
    test: 'clients/api/python-client.outer.test.ts',
    setup: { file: 'clients/api/python-client.py', has: { 'f"{BASE_URL}/api/v1"': 'API' } },
    features:
      'registers, logs in, makes a guild, posts, reads, lists, executes a webhook; typed errors; threads and asyncio',
    remarks: '[made](../sdk/python/README.md) from openapi.json by openapi-python-client',
  },
  {
    client: 'Schemathesis',
    version: { pip: 'schemathesis', file: '../schemathesis/schemathesis-requirements.txt' },
    test: 'schemathesis/schemathesis.outer.test.ts',
    setup: {
      file: 'schemathesis/schemathesis-program.ts',
      has: {
        'python3 -m schemathesis.cli run gateway/openapi.json --url "BASE_URL/api/v1"':
          "['-m', 'schemathesis.cli', 'run', document, '--url', api,",
      },
    },
    features: 'every operation of openapi.json, with valid and invalid data: no undocumented answer, no 5xx',
  },
  {
    client: 'discord.js WebhookClient',
    version: { npm: 'discord.js' },
    test: 'clients/discord/discord.ts',
    setup: { has: { "'1' }": "'1', ...rest }" } },
    features: 'sends, fetches, edits and deletes messages; edits and deletes the webhook; its errors',
  },
  {
    client: '@discordjs/core',
    version: { npm: '@discordjs/core' },
    test: 'clients/discord/discord-core.ts',
    setup: { has: { "authPrefix: 'Bot'": 'authPrefix' } },
    features:
      'accounts, guilds, channels, roles, members, invites, messages over HTTP; its types match the responses',
  },
  {
    client: '@discordjs/ws',
    version: { npm: '@discordjs/ws' },
    test: 'gateway/clients/discord-client.ts',
    setup: {},
    features: 'a bot’s connection to the Gateway: shards, events, resuming',
  },
  {
    client: 'discord.js Client',
    version: { npm: 'discord.js' },
    test: 'gateway/clients/discord-js-client.ts',
    setup: {},
    features:
      'the whole client of a bot: READY, its caches of guilds and channels, messages, replies, a new channel',
  },
  {
    client: 'eris',
    version: { npm: 'eris' },
    test: 'gateway/clients/eris-client.ts',
    setup: {
      has: { 'chat.example.com': 'localhost', "'/api/v1' }": "'/api/v1', agent: new Agent({ port, ca }) }" },
    },
    features: 'a bot’s connection to the Gateway: events, resuming',
    remarks: 'HTTPS only',
  },
  {
    client: 'Chromium',
    version: { npm: 'playwright-core' },
    test: 'gateway/clients/browser-client.ts',
    setup: { has: { 'new WebSocket(': 'OPEN(', ');': ')' } },
    features: 'the Gateway by the WebSocket of a browser, from a page of another origin',
    remarks: 'the version is that of playwright-core, which installs the browser',
  },
  {
    client: '@slack/webhook',
    version: { npm: '@slack/webhook' },
    test: 'clients/chat-tools/slack.ts',
    setup: {
      has: {
        'const url': 'const urlOf = (path: string) =>',
        '=> =': '=>',
        '{WEBHOOK_URL}': '{stack.url}/api/v1{path}',
        '(url)': '(urlOf(hook.path))',
      },
    },
    features: 'texts, attachments and errors at the chat-tool route',
  },
  {
    client: 'slack_sdk',
    version: { pip: 'slack_sdk', file: 'chat-tools/slack-sdk-requirements.txt' },
    test: 'clients/chat-tools/slack-sdk.ts',
    setup: { file: 'clients/chat-tools/slack-sdk-client.py', has: { 'f"{WEBHOOK_URL}/chatcompat"': 'url' } },
    features: 'texts, attachments and errors at the chat-tool route',
  },
  {
    client: 'discord.py',
    version: { pip: 'discord.py', file: 'discord/discord-clients-requirements.txt' },
    test: 'clients/discord/discord-clients.ts',
    setup: {
      file: 'clients/discord/discord-clients.py',
      has: { 'discord.http.': '', 'f"{BASE_URL}/api/v1"': 'api' },
    },
    features: 'SyncWebhook: fetches and edits the webhook; sends, edits and deletes messages with embeds',
    remarks: 'a refused form raises AttributeError (below)',
  },
  {
    client: 'hikari',
    version: { pip: 'hikari', file: 'discord/discord-clients-requirements.txt' },
    test: 'clients/discord/discord-clients.ts',
    setup: { file: 'clients/discord/discord-clients.py', has: { 'f"{BASE_URL}/api/v1"': 'api' } },
    features: 'RESTApp of a bot: its user, messages of a channel, fetches and executes a webhook',
  },
  {
    client: 'apprise',
    version: { pip: 'apprise', file: 'discord/discord-clients-requirements.txt' },
    test: 'clients/discord/discord-clients.ts',
    setup: { file: 'clients/discord/discord-clients.py', has: { '{BASE_URL}/api/v1': '{api}' } },
    features: 'one notification by its plugin for Discord, one by that for Slack',
    remarks: 'its URLs are `discord://{id}/{token}` and `slack://{id}/{token}/chatcompat`',
  },
  {
    client: 'Prometheus Alertmanager',
    version: { text: 'of the distribution' },
    test: 'clients/chat-tools/alertmanager.ts',
    setup: { file: '../docs/webhooks.md' },
    features: '`slack_configs`: firing and resolved alerts by its default templates, and those of the docs',
  },
  {
    client: 'curl',
    version: { text: 'of the distribution' },
    test: 'clients/chat-tools/curl.ts',
    setup: { file: '../docs/webhooks.md', has: { 'WEBHOOK_URL/chatcompat': 'URL' } },
    features: 'forms and JSON at the chat-tool route, and the examples of the docs',
  },
  {
    client: 'Grafana and GitLab',
    version: { text: 'documented payloads' },
    test: 'clients/chat-tools/chat-tool-payloads.ts',
    features: 'their requests to a chat tool, as JSON and as a form',
    remarks: 'payloads only: the programs do not run',
  },
  {
    client: 'Uptime Kuma, Jellyfin, Grafana, Alertmanager',
    version: { text: 'documented payloads' },
    test: 'clients/discord/alert-payloads.ts',
    features: 'their notifications for Discord, at the execution route',
    remarks: 'payloads only: the programs do not run',
  },
  {
    client: 'GitHub',
    version: { npm: '@octokit/webhooks-examples' },
    test: 'clients/providers/codehost.ts',
    features: 'every published example of a delivery, at the code-host route',
    remarks: 'payloads only; the version is that of @octokit/webhooks-examples',
  },
  {
    client: 'Status pages',
    version: { text: 'documented payloads' },
    test: 'clients/providers/statuspage.ts',
    features: 'their documented notifications, at the status-page route',
    remarks: 'payloads only',
  },
  {
    client: 'openid-client',
    version: { npm: 'openid-client' },
    test: 'clients/oauth2/openid-client.ts',
    setup: { has: { BASE_URL: 'url' } },
    features: `PKCE, ${OAUTH2}`,
  },
  {
    client: 'oauth4webapi',
    version: { npm: 'oauth4webapi' },
    test: 'clients/oauth2/oauth4webapi.ts',
    setup: { has: { 'const server = {': 'oauth.AuthorizationServer => ({', '};': '});' } },
    features: `PKCE, ${OAUTH2}`,
  },
  {
    client: 'simple-oauth2',
    version: { npm: 'simple-oauth2' },
    test: 'clients/oauth2/simple-oauth2.ts',
    setup: {},
    features: 'consent, token, refresh, revocation; its errors',
  },
  {
    client: 'Passport',
    version: { npm: 'passport-oauth2' },
    test: 'clients/oauth2/passport-oauth2.ts',
    setup: { has: { 'BASE_URL}/api/v1/oauth2': 'routes}' } },
    features: 'a sign-in by passport-oauth2: consent, state, PKCE, profile',
  },
  {
    client: 'Authlib',
    version: { pip: 'authlib', file: 'oauth2/oauth2-requirements.txt' },
    test: 'clients/oauth2/python-clients.ts',
    setup: { file: 'clients/oauth2/authlib-client.py', has: { 'BASE_URL}/api/v1/oauth2': 'routes}' } },
    features: 'PKCE, consent, token, userinfo, refresh, introspection, revocation',
  },
  {
    client: 'requests-oauthlib',
    version: { pip: 'requests-oauthlib', file: 'oauth2/oauth2-requirements.txt' },
    test: 'clients/oauth2/python-clients.ts',
    setup: {
      file: 'clients/oauth2/requests-oauthlib-client.py',
      has: { 'BASE_URL}/api/v1/oauth2': 'routes}' },
    },
    features: 'PKCE, consent, token, userinfo, refresh, revocation; its errors',
  },
  {
    client: 'golang.org/x/oauth2',
    version: { go: 'golang.org/x/oauth2', file: 'oauth2/go-oauth2/go.mod' },
    test: 'clients/oauth2/go-oauth2.ts',
    setup: {
      file: 'clients/oauth2/go-oauth2/main.go',
      has: { 'baseURL + "/api/v1/oauth2': 'given.Routes + "' },
    },
    features: 'PKCE, consent, token, userinfo, its refresh of an expired token; its errors',
  },
  {
    client: 'grpcurl',
    version: { text: '1.9.3' },
    test: 'clients/grpc/grpc-tools.ts',
    setup: { has: { 'grpcurl -plaintext 127.0.0.1:8083 describe': "ask(address, 'describe')" } },
    features: 'describes every method of every service by reflection, and calls some',
    remarks: 'a tool of operators, at the gRPC ports; over mutual TLS with `-cacert`, `-cert`, `-key`',
  },
  {
    client: 'buf curl',
    version: { text: 'of @bufbuild/buf' },
    test: 'clients/grpc/grpc-tools.ts',
    setup: {
      has: {
        'buf curl --http2-prior-knowledge --protocol grpc http://127.0.0.1:8083 --list-methods':
          "'buf', ['curl', '--http2-prior-knowledge', '--protocol', 'grpc'",
      },
    },
    features: 'lists every method of every service by reflection, and calls one of each process',
    remarks: 'options `--protocol grpc`, and `--http2-prior-knowledge` without TLS',
  },
];
