import { rm } from 'node:fs/promises';
import { silentLogger } from '@gatehouse/kit/log';
import { expect, it } from 'vitest';
import { recentRequests } from '../../src/logs/recent-requests.ts';
import { type LogFolder, line, logFolder } from './log-folder.ts';

const ROUTE = { method: 'GET', route: '/guilds/{guild_id}', status: 200, ms: 1.5 };

async function idsOf({ dir }: LogFolder, route = 'GET /guilds/{guild_id}'): Promise<string[] | undefined> {
  return (await recentRequests(dir, silentLogger)()).get(route)?.map(({ request_id }) => request_id);
}

it('the last ten requests of a route are known, newest first', async () => {
  const logs = await logFolder();
  for (let n = 0; n < 15; n++) {
    await logs.write('gateway.log', line(`r${n}`, n, ROUTE), line(`p${n}`, n, { ...ROUTE, method: 'POST' }));
    await logs.write(
      'gateway.log',
      'no JSON with "msg":"request"',
      line(`c${n}`, n, { msg: 'call', ...ROUTE }),
    );
  }
  const recent = await recentRequests(logs.dir, silentLogger)();
  expect([...recent.keys()].toSorted()).toEqual(['GET /guilds/{guild_id}', 'POST /guilds/{guild_id}']);
  expect(await idsOf(logs)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => `r${n}`));
  expect(recent.get('GET /guilds/{guild_id}')?.[0]).toEqual({
    request_id: 'r14',
    at_ms: 14,
    status: 200,
    ms: 1.5,
  });
});

it('those of several replicas and of a rotated file are in the order of their times', async () => {
  const logs = await logFolder();
  for (let n = 0; n < 8; n++) {
    await logs.write('gateway.log.1', line(`old${n}`, n, ROUTE));
    await logs.write('gateway.log', line(`one${n}`, 100 + 2 * n, ROUTE));
    await logs.write('gateway-2.log', line(`two${n}`, 101 + 2 * n, ROUTE));
  }
  expect(await idsOf(logs)).toEqual([
    'two7',
    'one7',
    'two6',
    'one6',
    'two5',
    'one5',
    'two4',
    'one4',
    'two3',
    'one3',
  ]);
});

it('lines of other services do not count, also in a file of a shared process', async () => {
  const logs = await logFolder();
  await logs.write('gateway+chat.log', line('edge', 1, ROUTE), line('chat', 2, { ...ROUTE, name: 'chat' }));
  await logs.write('console.log', line('console', 3, { ...ROUTE, name: 'console' }));
  expect(await idsOf(logs)).toEqual(['edge']);
});

it('a long line among them is skipped, and only the end of a big file is read', async () => {
  const logs = await logFolder();
  await logs.write('gateway.log', line('early', 1, ROUTE));
  await logs.write('gateway.log', line('long', 2, { ...ROUTE, err: 'x'.repeat(2 * 1024 * 1024) }));
  await logs.write('gateway.log', line('late', 3, ROUTE));
  expect(await idsOf(logs)).toEqual(['late']);
});

it('a folder that is away has none, and pages that look meanwhile share an answer', async () => {
  const logs = await logFolder();
  await logs.write('gateway.log', line('a', 1, ROUTE));
  const find = recentRequests(logs.dir, silentLogger);
  const [first, second] = [find(), find()];
  expect((await first).size).toBe(1);
  await rm(logs.dir, { recursive: true });
  expect(await second).toBe(await first);
  expect(await find()).toBe(await first);
  expect((await recentRequests(logs.dir, silentLogger)()).size).toBe(0);
});
