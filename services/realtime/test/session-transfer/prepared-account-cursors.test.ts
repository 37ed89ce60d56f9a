import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { expect, test } from 'vitest';
import { dispatchOf } from '../../src/connections/dispatch.ts';
import type { ChatLog } from '../../src/following/chat-log.ts';
import type { EventReceiver, SessionEvent } from '../../src/following/event-receiver.ts';
import { prepareAccount } from '../../src/session-transfer/prepared-account.ts';
import { KeptDispatches } from '../../src/sessions/kept-dispatches.ts';
import { SessionRegistry } from '../../src/sessions/session-registry.ts';
import { World } from '../../src/world/world.ts';

const ACCOUNT = '1001';
const GIVEN = {
  id: 'abc',
  account_id: ACCOUNT,
  credential_id: '7',
  bot: false,
  seq: 3,
  sent: 3,
  positions: [{ event_id: '31' }],
  user_digest: '',
  left_ms: 60_000,
};
const CURSOR_OF_100 = '1/100:100:';

/** A replica whose log the test advances. */
function replica() {
  const world = new World<EventReceiver>();
  const known = new SessionRegistry(world);
  const waiting: { act: () => void; after: Snapshot }[] = [];
  let cursor = CURSOR_OF_100;
  const chatLog: Pick<ChatLog, 'betweenTransactions'> = {
    betweenTransactions: (_signal, act, after) =>
      new Promise((resolve) => {
        const run = () => resolve(act(cursor));
        if (after === undefined || isAtLeast(readCursor(cursor).seen, after)) run();
        else waiting.push({ act: run, after });
      }),
  };
  return {
    known,
    prepare: () =>
      prepareAccount(ACCOUNT, {
        registry: known,
        world,
        chatLog,
        loadAccount: async (account_id) => {
          world.addAccount({ account_id, guild_ids: [], private_channels: [], members: [] });
        },
        buffer: { max_positions: 100, kept: new KeptDispatches() },
      }),
    /** Delivers an event of this transaction, and moves the log past it. */
    read: (xact: number) => {
      const dispatch = dispatchOf('MESSAGE_CREATE', `{"id":"${xact}"}`);
      const received: SessionEvent = { entry: xact, dispatch, xact_id: String(xact) };
      for (const receiver of world.account(ACCOUNT)?.sessions ?? []) receiver.receive(received);
      cursor = `1/${xact + 1}:${xact + 1}:`;
      for (const { act, after } of waiting) if (isAtLeast(readCursor(cursor).seen, after)) act();
    },
    positions: () => {
      const session = known.get(GIVEN.id);
      if (session === undefined) throw new Error('the session has not arrived');
      const { buffer } = session;
      return Array.from({ length: buffer.last() - buffer.first() + 1 }, (_, n) =>
        buffer.get(buffer.first() + n),
      );
    },
  };
}

test('a transferred session receives the events since its cursor', async () => {
  const { prepare, read, positions } = replica();
  const coming = await prepare();
  for (const xact of [100, 101, 102, 103]) read(xact);
  await coming.accept(GIVEN, '1/102:102:');
  coming.end();
  read(104);
  expect(positions()).toEqual([31, 102, 103, 104]);
});

test('a session of a replica that was further ahead does not receive events again', async () => {
  const { known, prepare, read, positions } = replica();
  const coming = await prepare();
  read(100);
  const accepted = coming.accept(GIVEN, '1/102:104:102');
  for (const xact of [101, 102, 103, 104]) read(xact);
  await accepted;
  coming.end();
  expect(positions()).toEqual([31, 102, 104]);
  expect(known.count()).toBe(1);
});
