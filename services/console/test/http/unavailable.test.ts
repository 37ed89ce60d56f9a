import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, type Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  service = await startConsole('console_unavailable');
  command = await commandOf(service, 'tester');
});
afterAll(() => service.close());

it.each([
  ['/api/accounts?q=a', 'auth'],
  ['/api/accounts/1', 'auth'],
  ['/api/applications?q=', 'oauth2'],
  ['/api/applications/1', 'oauth2'],
  ['/api/webhooks', 'webhook-delivery'],
  ['/api/webhooks/noisy', 'webhook-delivery'],
  ['/api/webhooks/1', 'webhook-delivery'],
  ['/api/guilds', 'chat'],
  ['/api/guilds/1', 'chat'],
  ['/api/guilds/1/audit-log', 'chat'],
  ['/api/limits/denied', 'ratelimit'],
  ['/api/limits/identity?identity=account:1', 'ratelimit'],
  ['/api/limits/buckets', 'ratelimit'],
  ['/api/limits/overrides', 'ratelimit'],
])('%s names the service that is away', async (path, name) => {
  const { status, body, headers } = await command.get(path);
  expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(body.message).toBe(`${name} does not answer. Try again shortly.`);
  expect(headers.get('retry-after')).toBe('1');
});

it('a search names the parts that are away', async () => {
  const { status, body } = await command.get('/api/search?q=1234567890123456');
  expect(status).toBe(200);
  expect(body).toEqual({
    results: [],
    unavailable: ['accounts', 'applications', 'guilds', 'sessions', 'tokens', 'webhooks'],
  });
});

it('an action whose service is away leaves its line', async () => {
  const answer = await command.post('/api/accounts/1/suspend', { reason: 'Floods.' });
  expect(answer.status).toBe(503);
  const { rows } = await service.db.query(
    'SELECT action, target, reason, outcome FROM actions ORDER BY id DESC LIMIT 1',
  );
  expect(rows).toEqual([
    {
      action: 'account.suspend',
      target: 'account:1',
      reason: 'Floods.',
      outcome: expect.stringMatching(/^unknown: SERVICE_UNAVAILABLE: /) as unknown,
    },
  ]);
});
