import { expect, it } from 'vitest';
import { createClient, listAuditLog, listMembers, listMessages } from '../src/index.ts';
import { json, serve } from './support/http-server.ts';

/** A channel with the messages 1 to 25, served as the API serves them. */
async function channel() {
  const { baseUrl, requests } = await serve((response, request, n) => {
    const query = new URL(request.url, 'http://x').searchParams;
    const [before, after, limit] = ['before', 'after', 'limit'].map((name) =>
      Number(query.get(name) ?? Number.NaN),
    );
    const all = Array.from({ length: 25 }, (_, index) => 25 - index);
    const page = Number.isNaN(after)
      ? all.filter((id) => !(id >= Number(before))).slice(0, limit)
      : all.filter((id) => id > Number(after)).slice(-Number(limit));
    json(page.map((id) => ({ id: String(id) })))(response, request, n);
  });
  return { client: createClient({ baseUrl, bot: 'x' }), requests };
}

async function idsOf(messages: AsyncIterable<{ readonly id: string }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of messages) ids.push(Number(id));
  return ids;
}

it('lists messages newest first, in pages, without gaps and without repetitions', async () => {
  const { client, requests } = await channel();
  const ids = await idsOf(listMessages(client, '7', { pageSize: 10 }));
  expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  expect(requests.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=10',
    'limit=10&before=16',
    'limit=10&before=6',
  ]);
});

it('lists messages after one, oldest first', async () => {
  const { client } = await channel();
  const ids = await idsOf(listMessages(client, '7', { pageSize: 10, after: '3' }));
  expect(ids).toEqual(Array.from({ length: 22 }, (_, index) => index + 4));
});

it('fetches a page only when its first item is asked for', async () => {
  const { client, requests } = await channel();
  const messages = listMessages(client, '7', { pageSize: 10 });
  expect(requests).toHaveLength(0);
  let count = 0;
  for await (const _ of messages) if (++count === 10) break;
  expect(requests).toHaveLength(1);
});

it('ends with an error if the list repeats itself', async () => {
  const { baseUrl, requests } = await serve(json([{ id: '9' }, { id: '8' }]));
  const messages = listMessages(createClient({ baseUrl }), '7', { pageSize: 2 });
  await expect(idsOf(messages)).rejects.toThrow('out of order: 9 follows 8');
  expect(requests).toHaveLength(2);
});

it('lists members and the audit log', async () => {
  const { baseUrl, requests } = await serve(
    json([{ user: { id: '1' } }, { user: { id: '2' } }]),
    json([{ user: { id: '3' } }]),
    json({ audit_log_entries: [{ id: '9' }], users: [], webhooks: [] }),
  );
  const client = createClient({ baseUrl });
  const members: string[] = [];
  for await (const { user } of listMembers(client, '5', { pageSize: 2 })) members.push(user.id);
  expect(members).toEqual(['1', '2', '3']);
  expect(await idsOf(listAuditLog(client, '5', { userId: '1', actionType: 20, before: '99' }))).toEqual([9]);
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/v1/guilds/5/members?limit=2',
    '/api/v1/guilds/5/members?limit=2&after=2',
    '/api/v1/guilds/5/audit-logs?limit=100&user_id=1&action_type=20&before=99',
  ]);
});
