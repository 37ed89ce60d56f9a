import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_bot_gateway', { config: { gateway_url: 'wss://gateway.example.com/' } });
});
afterAll(() => service.close());

const bot = { ...anonymous, kind: CallerKind.CALLER_KIND_BOT, account_id: '1', application_id: '1' };

test("a bot gets the Gateway's URL and may start a thousand sessions", async () => {
  expect(await service.auth.getBotGateway({}, { ...IN_TIME, caller: bot })).toEqual({
    url: 'wss://gateway.example.com/',
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  });
});

test('any other credential is refused', async () => {
  const { caller } = await registered(service.auth);
  const accessToken = { ...bot, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, scopes: ['bot'] };
  for (const other of [anonymous, caller, accessToken]) {
    expect(await faultOf(service.auth.getBotGateway({}, { ...IN_TIME, caller: other }))).toMatchObject({
      reason: 'UNAUTHORIZED',
    });
  }
});
