import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import type { Application, Message, SessionAnswer } from '../support/objects.ts';
import { createGuild, freshAddress, type GuildFixture, newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { burst } from './burst.ts';
import { expectBucketDenial, isBucketDenial, isGlobalDenial } from './expect-denial.ts';

/** Objects that the requests address. */
interface Targets extends GuildFixture {
  message: Message;
  application: Application;
}

type Row = [bucket: BucketName, send: (api: Api, targets: Targets) => Promise<Reply>];

const ROWS: Row[] = [
  ['user:settings:get', (api) => api.get('/users/@me')],
  ['guild:create', (api) => api.post('/guilds', { name: 'x' })],
  ['guild:read', (api, { guild }) => api.get(`/guilds/${guild.id}`)],
  ['guild:channels:list', (api, { guild }) => api.get(`/guilds/${guild.id}/channels`)],
  ['channel:read', (api, { channel }) => api.get(`/channels/${channel.id}`)],
  ['channel:messages:read', (api, { channel }) => api.get(`/channels/${channel.id}/messages?limit=1`)],
  [
    'channel:message:read',
    (api, { channel, message }) => api.get(`/channels/${channel.id}/messages/${message.id}`),
  ],
  [
    'channel:message:create',
    (api, { channel }) => api.post(`/channels/${channel.id}/messages`, { content: 'x' }),
  ],
  ['oauth_dev:clients:create', (api) => api.post('/oauth2/applications', { name: 'x' })],
  ['oauth_dev:clients:list', (api, { application }) => api.get(`/oauth2/applications/${application.id}`)],
];

export function accountRouteLimits(stack: TestStack): void {
  describe('buckets by account', () => {
    it.each(ROWS)('%s is shared by all sessions', async (bucket, send) => {
      const { limit, window_seconds } = BUCKETS[bucket];
      const targets = await newTargets();
      const sessions = await sessionsOf(targets, 3);
      const { replies, seconds } = await burst(limit + 30, (n) => send(sessions[n % 3] as Api, targets));
      expect(replies.filter(isGlobalDenial), 'three clients stay below their 50 a second').toHaveLength(0);
      const denied = replies.filter(isBucketDenial);
      const admitted = replies.length - denied.length;
      // Creating the targets charged at most two; tokens drain during the burst.
      expect(admitted).toBeGreaterThanOrEqual(limit - 2);
      expect(admitted).toBeLessThanOrEqual(limit + (seconds * limit) / window_seconds + 1);
      for (const reply of denied) expectBucketDenial(reply, bucket);
      const other = await newTargets();
      expect((await send(other.owner.api, other)).status, 'another account is not limited').toBe(200);
    });

    it('by account and channel do not limit the account’s other channels', async () => {
      const here = await newTargets();
      const there = await createGuild(here.owner);
      const post = ({ channel }: GuildFixture) =>
        here.owner.api.post(`/channels/${channel.id}/messages`, { content: 'x' });
      const { replies } = await burst(30, () => post(here));
      expect(replies.some(isBucketDenial)).toBe(true);
      expect((await post(there)).status).toBe(200);
    });

    it('fall back to the address without a valid credential', async () => {
      const api = stack.api.from(freshAddress());
      const { replies } = await burst(30, (n) => (n % 2 ? api : api.as(`Bearer ${n}`)).post('/auth/logout'));
      expect(replies.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(20);
      const denied = replies.filter(isBucketDenial);
      expect(denied.length).toBeGreaterThan(0);
      for (const reply of denied) expectBucketDenial(reply, 'auth:logout');
    });
  });

  async function newTargets(): Promise<Targets> {
    const fixture = await createGuild(await newcomer(stack.api));
    const { api } = fixture.owner;
    const posted = await api.post(`/channels/${fixture.channel.id}/messages`, { content: 'x' });
    const created = await api.post('/oauth2/applications', { name: 'x' });
    return { ...fixture, message: posted.json<Message>(), application: created.json<Application>() };
  }

  async function sessionsOf({ owner: { email, password } }: Targets, count: number): Promise<Api[]> {
    const login = async () => {
      const reply = await stack.api.from(freshAddress()).post('/auth/login', { email, password });
      return stack.api.as(`Bearer ${reply.json<SessionAnswer>().token}`);
    };
    return Promise.all(Array.from({ length: count }, login));
  }
}
