import { Op } from '@gatehouse/cli/gateway-client/frames';
import { type TestClient, type TestGateway, testGateway } from '@gatehouse/cli/testing/test-gateway';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Watcher, watcher } from '../sessions/watcher.ts';

const TOKEN = 'gth_secret';
let gateway: TestGateway;
let watching: Watcher;
beforeEach(async () => {
  gateway = await testGateway();
  watching = watcher(gateway.url, TOKEN, ['1']);
});
afterEach(async () => {
  const stopped = watching.stop();
  await gateway.close();
  await stopped;
});

async function ready(client: TestClient, session_id: string, last_message_id: string | null): Promise<void> {
  expect(await client.take(Op.IDENTIFY)).toEqual({ token: TOKEN });
  client.dispatch('READY', { session_id, guilds: [{ id: '1', channels: [{ id: '1', last_message_id }] }] });
}

const tell = (client: TestClient, id: string) => client.dispatch('MESSAGE_CREATE', { id, channel_id: '1' });
const told = () => watching.sighting.lives.map((life) => life.told.map(({ id }) => id));

test('it resumes after op 7 and after a connection that broke, and its session goes on', async () => {
  const first = await gateway.accept();
  await ready(first, 'abc', '5');
  tell(first, '6');
  await expect.poll(told).toEqual([['6']]);
  first.send({ op: Op.RECONNECT, d: null, s: null, t: null });

  const second = await gateway.accept();
  expect(await second.take(Op.RESUME)).toEqual({ token: TOKEN, session_id: 'abc', seq: 2 });
  second.send({ op: Op.DISPATCH, d: { id: '7', channel_id: '1' }, s: 3, t: 'MESSAGE_CREATE' });
  second.send({ op: Op.DISPATCH, d: null, s: 4, t: 'RESUMED' });
  await expect.poll(() => watching.sighting.returns.map(({ how }) => how)).toEqual(['identified', 'resumed']);
  second.terminate();

  const third = await gateway.accept();
  expect(await third.take(Op.RESUME)).toEqual({ token: TOKEN, session_id: 'abc', seq: 4 });
  expect(told()).toEqual([['6', '7']]);
  const { lives, ends, out_of_turn } = watching.sighting;
  expect(lives.map(({ after }) => [...after])).toEqual([[['1', '5']]]);
  expect(ends.map(({ how }) => how)).toEqual(['op 7', '1006']);
  expect(out_of_turn).toEqual([]);
});

test('after op 9 false it identifies anew on the same connection, and another session begins', async () => {
  const first = await gateway.accept();
  await ready(first, 'abc', null);
  tell(first, '6');
  await expect.poll(told).toEqual([['6']]);
  first.terminate();
  const second = await gateway.accept();
  await second.take(Op.RESUME);
  second.send({ op: Op.INVALID_SESSION, d: false, s: null, t: null });
  await ready(second, 'def', '7');
  tell(second, '8');
  await expect.poll(told).toEqual([['6'], ['8']]);
  expect(watching.isConnected()).toBe(true);
  expect(watching.sighting.failed_attempts).toEqual([]);
});

test('it notes an event whose number is not the next, and attempts that come to nothing', async () => {
  const first = await gateway.acceptSilently();
  first.terminate();
  const second = await gateway.accept();
  await ready(second, 'abc', null);
  second.send({ op: Op.DISPATCH, d: { id: '8', channel_id: '1' }, s: 3, t: 'MESSAGE_CREATE' });
  await expect.poll(told).toEqual([['8']]);
  expect(watching.sighting.out_of_turn).toHaveLength(1);
  expect(watching.sighting.failed_attempts).toHaveLength(1);
  expect(watching.sighting.ends).toEqual([]);
});
