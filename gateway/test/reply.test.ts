import { describe, expect, it } from 'vitest';
import { useEdge } from './support/edge.ts';
import { SESSION } from './support/peers.ts';
import { channel, currentUser, guild, message, options, session, webhook } from './support/samples.ts';

const headers = { authorization: `Bearer ${SESSION}` };
const JSON_TYPE = 'application/json';

describe('the answer', () => {
  const edge = useEdge();

  it('is the response’s answering member, absent fields as null', async () => {
    const answer = await edge.send('GET /guilds/11', { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    expect(answer.json()).toEqual({ ...guild, icon: null });
    const user = { global_name: null, email: null, accent_color: 0 };
    edge.peers.answers.auth = { getCurrentUser: () => ({ user: { ...currentUser, ...user } }) };
    expect((await edge.send('GET /users/@me', { headers })).json()).toEqual({ ...currentUser, ...user });
  });

  it('is the whole response if the route names no member', async () => {
    const answer = await edge.send('POST /auth/login', { body: { email: 'a@b.c', password: 'x' } });
    expect(answer.json()).toEqual(session);
    const ticket = { token: null, user_id: null, user: null, mfa: true, ticket: 't' };
    edge.peers.answers.auth = { login: () => ({ ...ticket, allowed_methods: ['totp'] }) };
    const other = await edge.send('POST /auth/login', { body: { email: 'a@b.c', password: 'x' } });
    expect(other.json()).toEqual({ mfa: true, ticket: 't', allowed_methods: ['totp'] });
  });

  it('to HEAD is that of GET without its body, except for a GET with effects', async () => {
    const head = await edge.send('HEAD /guilds/11', { headers });
    expect([head.status, head.text]).toEqual([200, '']);
    edge.peers.calls.length = 0;
    expect((await edge.send('HEAD /auth/ip-authorization/poll?ticket=t')).status).toBe(404);
    expect(edge.peers.calls.map(({ rpc }) => rpc)).not.toContain('pollIpAuthorization');
  });

  it('is the object itself if another standard defines it', async () => {
    const answer = await edge.send('POST /auth/webauthn/authentication-options');
    expect(answer.json()).toEqual(JSON.parse(options));
  });

  it('leaves out absent members that the contract omits, at any depth', async () => {
    const answer = await edge.send('GET /channels/21/messages/31', { headers });
    expect(answer.json()).not.toHaveProperty('webhook_id');
    expect(answer.json()).toMatchObject({ edited_timestamp: null, content: 'hello' });
    const embed = { type: 'rich', title: 't', fields: [] };
    const full = { ...message, webhook_id: '41', nonce: 'n', embeds: [embed] };
    edge.peers.answers.chat = { getMessage: () => ({ message: full }) };
    const { webhook_id, nonce, embeds } = (
      await edge.send('GET /channels/21/messages/31', { headers })
    ).json();
    expect({ webhook_id, nonce, embeds }).toEqual({ webhook_id: '41', nonce: 'n', embeds: [embed] });
    edge.peers.answers.chat = { getChannel: () => ({ channel: { ...channel, guild_id: null } }) };
    expect((await edge.send('GET /channels/21', { headers })).json()).not.toHaveProperty('guild_id');
  });

  it('is an array if the member is a list, even an empty one', async () => {
    const list = () => edge.send('GET /guilds/11/channels', { headers });
    const { recipients: _, ...ofGuild } = channel;
    expect((await list()).json()).toEqual([ofGuild]);
    edge.peers.answers.chat = { listGuildChannels: () => ({ channels: [] }) };
    const answer = await list();
    expect([answer.status, answer.text]).toEqual([200, '[]']);
  });

  it('is 204 without a body if the member is absent, or the route says so', async () => {
    for (const line of ['POST /webhooks/41/tok', 'POST /webhooks/41/tok/codehost', 'POST /auth/logout']) {
      const answer = await edge.send(line, { headers });
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null]);
    }
    expect((await edge.send('POST /webhooks/41/tok?wait=true')).json()).toMatchObject({ id: message.id });
  });

  it('is the two bytes ok, as text/html, to a chat tool', async () => {
    const answer = await edge.send('POST /webhooks/41/tok/chatcompat', { body: '{}' });
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, 'ok', '2']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html(;|$)/);
  });

  it('keeps text unchanged: astral characters, markup, line ends', async () => {
    const name = '<b>é𝕏\u2028"\\\n</b>';
    expect((await edge.send('POST /guilds', { headers, body: { name } })).json()).toMatchObject({ name });
  });

  it('is the JSON that the service wrote, byte for byte, if the route says so', async () => {
    const texts = ['[]', '[ {"b":"é𝕏\u2028" , "a":1e3} ]', JSON.stringify(['😀'.repeat(100_000)])];
    for (const text of texts) {
      edge.peers.answers.chat = { listMessages: () => ({ messages: [], json: Buffer.from(text) }) };
      const answer = await edge.send('GET /channels/21/messages?as_json=false', { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
      expect(answer.text).toBe(text);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect(edge.peers.calls.at(-1)?.request).toMatchObject({ channel_id: '21', as_json: true });
    }
  });

  it('is written by the edge if the service does not write JSON', async () => {
    edge.peers.answers.chat = { listGuilds: () => ({ guilds: [{ ...guild, permissions: '8' }] }) };
    const answer = await edge.send('GET /users/@me/guilds', { headers });
    expect(answer.json()).toEqual([{ ...guild, icon: null, permissions: '8' }]);
  });

  it('may be long', async () => {
    const content = '😀'.repeat(300_000);
    edge.peers.answers.chat = { listMessages: () => ({ messages: [{ ...message, content }] }) };
    const [first] = (await edge.send('GET /channels/21/messages', { headers })).json<[{ content: string }]>();
    expect(first.content).toBe(content);
  });

  it('to HEAD is that to GET without its body', async () => {
    const get = await edge.send('GET /webhooks/41/tok');
    expect(get.json()).toEqual(webhook);
    const head = await edge.send('HEAD /webhooks/41/tok');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect([(await edge.send('HEAD /users/@me')).status, (await edge.send('HEAD /nothing')).status]).toEqual([
      401, 404,
    ]);
  });
});
