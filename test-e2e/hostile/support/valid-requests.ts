import type { WebhookFixture } from '../../support/people.ts';

/** One request in a thousand hashes a password. */
const CHEAP_FOR_EACH_DEAR = 1_000;

/** Complete requests of each kind, as input for mutations. */
export function validRequests({ owner, guild, channel, webhook, path }: WebhookFixture): string[] {
  const session = `Authorization: Bearer ${owner.token}`;
  const cheap = [
    whole('GET /api/v1/users/@me', [session]),
    whole(`GET /api/v1/users/${owner.user.id}`, [`Authorization: ${owner.token}`]),
    whole('PATCH /api/v1/users/@me', [session], { bio: 'new', pronouns: null, accent_color: 255 }),
    whole('PATCH /api/v1/users/@me', [session], {
      avatar: 'data:image/png;base64,iVBORw0KGgo=',
      global_name: 'N',
    }),
    whole('GET /api/v1/auth/sessions', [session]),
    whole('POST /api/v1/auth/sessions/logout', [session], { session_id_hashes: ['abc'] }),
    whole('GET /api/v1/users/@me/sudo/mfa-methods', [session]),
    whole('POST /api/v1/auth/verify', [], { token: 'x'.repeat(43) }),
    whole('POST /api/v1/auth/forgot', [], { email: 'nobody@example.com' }),
    whole('POST /api/v1/guilds', [session], { name: 'Workshop' }),
    whole(`GET /api/v1/guilds/${guild.id}`, [session]),
    whole(`GET /api/v1/guilds/${guild.id}/channels`, [session, 'X-Request-Id: mine']),
    whole(`GET /api/v1/channels/${channel.id}/messages?limit=10&before=${channel.id}`, [session]),
    whole(`POST /api/v1/channels/${channel.id}/messages`, [session], MESSAGE),
    whole(`POST /api/v1/channels/${channel.id}/webhooks`, [session, 'X-Audit-Log-Reason: a%20reason'], {
      name: 'B',
    }),
    whole(`GET /api/v1/guilds/${guild.id}/webhooks`, [session]),
    whole(`PATCH /api/v1/webhooks/${webhook.id}`, [session], {
      name: 'B',
      avatar: null,
      channel_id: channel.id,
    }),
    whole('POST /api/v1/oauth2/applications', [session], {
      name: 'App',
      redirect_uris: ['https://example.com/cb'],
    }),
    whole('GET /api/v1/oauth2/applications/@me', [session]),
    whole('GET /api/v1/gateway/bot', ['Authorization: Bot 1.abc']),
    whole(`GET /api/v1${path}`, []),
    whole(`POST /api/v1${path}?wait=true`, [], MESSAGE),
    whole(`POST /api/v1${path}/chatcompat`, [], {
      text: 'x',
      attachments: [{ title: 't', fields: [{ value: 1 }] }],
    }),
    whole(`POST /api/v1${path}/codehost`, ['X-Codehost-Event: push', 'X-Codehost-Delivery: 1'], PUSH),
    whole(`POST /api/v1${path}/statuspage`, [], MAINTENANCE),
    whole(`GET /api/v1${path}/messages/${channel.id}`, []),
    whole(`GET /media/avatars/${owner.user.id}/${'a'.repeat(32)}`, []),
    whole('OPTIONS /api/v1/users/@me', ['Origin: https://example.com', 'Access-Control-Request-Method: GET']),
    whole('GET /livez', []),
    whole('GET /api/v1/nowhere?a=b', []),
  ];
  const dear = [
    whole('POST /api/v1/auth/login', [], { email: 'nobody@example.com', password: 'a wrong password' }),
    whole('POST /api/v1/auth/register', [], {
      email: 'new@example.com',
      username: 'new',
      password: 'a password',
    }),
    whole('POST /api/v1/auth/sudo', [session], { password: 'a wrong password' }),
  ];
  const times = Math.ceil((CHEAP_FOR_EACH_DEAR * dear.length) / cheap.length);
  return [...Array.from({ length: times }, () => cheap).flat(), ...dear];
}

const MESSAGE = {
  content: 'hello <@1> @everyone',
  nonce: '1',
  flags: 4,
  allowed_mentions: { parse: ['users'], roles: ['1'] },
  embeds: [
    {
      title: 't',
      description: 'd',
      url: 'https://example.com/',
      color: 255,
      timestamp: '2024-01-01T00:00:00.000Z',
      author: { name: 'a', icon_url: 'https://example.com/a.png' },
      footer: { text: 'f' },
      fields: [{ name: 'n', value: 'v', inline: true }],
      image: { url: 'https://example.com/i.png' },
    },
  ],
};
const PUSH = {
  ref: 'refs/heads/main',
  forced: false,
  compare: 'https://example.com/compare',
  repository: { name: 'r', full_name: 'o/r', html_url: 'https://example.com/o/r' },
  sender: { login: 's', html_url: 'https://example.com/s', avatar_url: 'https://example.com/s.png' },
  head_commit: { id: 'a'.repeat(40) },
  commits: [{ id: 'a'.repeat(40), url: 'https://example.com/c', message: 'm', author: { name: 'n' } }],
};
const MAINTENANCE = {
  page: { url: 'https://example.com/', status_indicator: 'HASISSUES' },
  maintenance: {
    name: 'm',
    status: 'INPROGRESS',
    url: 'https://example.com/m',
    backfilled: true,
    start: '2026-01-01T00:00:00Z',
    duration: 60,
    maintenance_updates: [{ markdown: 'x', created_at: '2026-01-01T00:00:00Z' }],
    components: [{ name: 'c', status: 'UNDERMAINTENANCE' }],
  },
};

function whole(line: string, headers: string[], body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const fields =
    body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${text.length}`];
  return [`${line} HTTP/1.1`, 'Host: gatehouse', ...headers, ...fields, '', text].join('\r\n');
}
