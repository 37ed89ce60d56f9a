import { Op } from '@gatehouse/cli/gateway-client/frames';
import { type TestClient, type TestGateway, testGateway } from '@gatehouse/cli/testing/test-gateway';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Watcher } from '../sessions/watcher.ts';

const TOKEN = 'gth_secret';
let gateway: TestGateway;
let watching: Watcher;
beforeEach(async () => {
  gateway = await testGateway();
  watching = new Watcher(gateway.url, TOKEN, ['1']);
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
const received = () => watching.log.sessions.map((session) => session.received.map(({ id }) => id));

test('it resumes its session after op 7 and after a broken connection', async () => {
  const first = await gateway.accept();
  await ready(first, 'abc', '5');
  tell(first, '6');
  await expect.poll(received).toEqual([['6']]);
  first.send({ op: Op.RECONNECT, d: null, s: null, t: null });

  const second = await gateway.accept();
  expect(await second.take(Op.RESUME)).toEqual({ token: TOKEN, session_id: 'abc', seq: 2 });
  second.send({ op: Op.DISPATCH, d: { id: '7', channel_id: '1' }, s: 3, t: 'MESSAGE_CREATE' });
  second.send({ op: Op.DISPATCH, d: null, s: 4, t: 'RESUMED' });
  await expect.poll(() => watching.log.returns.map(({ how }) => how)).toEqual(['identified', 'resumed']);
  second.terminate();

  const third = await gateway.accept();
  expect(await third.take(Op.RESUME)).toEqual({ token: TOKEN, session_id: 'abc', seq: 4 });
  expect(received()).toEqual([['6', '7']]);
  const { sessions, disconnects, out_of_order } = watching.log;
  expect(sessions.map(({ after }) => [...after])).toEqual([[['1', '5']]]);
  expect(disconnects.map(({ how }) => how)).toEqual(['op 7', '1006']);
  expect(out_of_order).toEqual([]);
});

test('after op 9 with false it identifies again on the same connection, which starts another session', async () => {
  const first = await gateway.accept();
  await ready(first, 'abc', null);
  tell(first, '6');
  await expect.poll(received).toEqual([['6']]);
  first.terminate();
  const second = await gateway.accept();
  await second.take(Op.RESUME);
  second.send({ op: Op.INVALID_SESSION, d: false, s: null, t: null });
  await ready(second, 'def', '7');
  tell(second, '8');
  await expect.poll(received).toEqual([['6'], ['8']]);
  expect(watching.isConnected).toBe(true);
  expect(watching.log.failed_attempts).toEqual([]);
});

test('it logs events whose number is not the next, and failed attempts to connect', async () => {
  const first = await gateway.acceptSilently();
  first.terminate();
  const second = await gateway.accept();
  await ready(second, 'abc', null);
  second.send({ op: Op.DISPATCH, d: { id: '8', channel_id: '1' }, s: 3, t: 'MESSAGE_CREATE' });
  await expect.poll(received).toEqual([['8']]);
  expect(watching.log.out_of_order).toHaveLength(1);
  expect(watching.log.failed_attempts).toHaveLength(1);
  expect(watching.log.disconnects).toEqual([]);
});
