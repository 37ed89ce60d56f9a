import { lockWaiters } from '@gatehouse/dev-env/lock-waiters';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { expect, it } from 'vitest';
import type { Api } from './support/api.ts';
import { useDatabase } from './support/database.ts';
import type { Message } from './support/objects.ts';
import { type Hook, newHook } from './support/people.ts';
import { PROXIED, useSuite } from './support/suite.ts';

/** Two suites on one database: two replicas of each service. */
const database = useDatabase();
const one = useSuite(PROXIED, database);
const two = useSuite(PROXIED, database);

const repository = { full_name: 'acme/rocket', name: 'rocket', html_url: 'https://code.example/acme/rocket' };
const star = { action: 'started', repository };

function deliver(api: Api, hook: Hook, delivery: string, event = 'watch', payload: unknown = star) {
  const headers = { 'x-codehost-event': event, 'x-codehost-delivery': delivery };
  return api.post(`${hook.path}/codehost`, payload, headers);
}

it('32 identical deliveries at once, over two replicas, make one message', async () => {
  const hook = await newHook(one.api);
  for (const delivery of ['first', 'second']) {
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) => deliver(index % 2 === 0 ? one.api : two.api, hook, delivery)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(32).fill(204));
  }
  expect(await hook.messages()).toHaveLength(2);
});

it('a delivery whose connection to the database dies between claim and commit is rendered when it comes again', async () => {
  const hook = await newHook(one.api);
  await haltedAtCommit(async ({ chat, halted }) => {
    const first = deliver(one.api, hook, 'halted');
    await halted();
    const { rowCount } = await chat.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
    );
    expect(rowCount).toBe(1);
    expect((await first).status).toBe(503);
  });
  expect(await hook.messages()).toHaveLength(0);
  expect((await deliver(two.api, hook, 'halted')).status).toBe(204);
  expect((await deliver(one.api, hook, 'halted')).status).toBe(204);
  expect(await hook.messages()).toHaveLength(1);
});

it('a delivery whose chat is killed between claim and commit makes one message, however often it comes again', async () => {
  const hook = await newHook(one.api);
  await haltedAtCommit(async ({ halted }) => {
    const first = deliver(one.api, hook, 'halted');
    await halted();
    const pid = one.running.pids().chat;
    if (pid === undefined) throw new Error('chat is not running');
    process.kill(pid, 'SIGKILL');
    expect((await first).status).toBe(503);
  });
  expect((await deliver(two.api, hook, 'halted')).status).toBe(204);
  await one.running.ready();
  // webhook-delivery connects to the new chat after the edge has.
  await expect.poll(async () => (await deliver(one.api, hook, 'halted')).status).toBe(204);
  expect(await hook.messages()).toHaveLength(1);
});

it('a push of 25 MiB with 2,048 commits is 204 and one message, while others are served', async () => {
  const hook = await newHook(one.api);
  const other = await newHook(one.api);
  const body = largestPush(25 * 1024 * 1024);
  const replies = await Promise.all([
    deliver(one.api, hook, 'large', 'push', body),
    ...Array.from({ length: 16 }, (_, index) => deliver(one.api, other, `${index}`)),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(Array(17).fill(204));
  expect(titles(await hook.messages())).toEqual(['[rocket:main] 2048 new commits']);
  expect(await other.messages()).toHaveLength(16);
});

function titles(messages: readonly Message[]) {
  return messages.map(({ embeds }) => embeds[0]?.title);
}

/** A push of that many bytes in all. */
function largestPush(bytes: number): Buffer {
  const commits = Array.from({ length: 2048 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    url: `${repository.html_url}/commit/${index}`,
    message: 'x'.repeat(6000),
    author: { name: 'Ada' },
    modified: Array.from({ length: 200 }, (_, file) => `src/parts/${index}/file-${file}.ts`),
  }));
  const push = { ref: 'refs/heads/main', compare: `${repository.html_url}/compare`, repository, commits };
  const text = JSON.stringify(push);
  return Buffer.from(text.padEnd(bytes));
}

/** Chat's database, in which transactions that post wait before they commit. */
interface Halted {
  readonly chat: ReturnType<typeof openPool>;
  /** Resolves once a delivery is claimed and its message stored, but not committed. */
  halted(): Promise<void>;
}

async function haltedAtCommit(run: (world: Halted) => Promise<void>): Promise<void> {
  const database_url = databaseUrl(database.url, 'chat');
  const chat = openPool({ database_url, application_name: 'test', max: 2 });
  const holder = await chat.connect();
  try {
    await chat.query(HALT);
    await holder.query('SELECT pg_advisory_lock(88)');
    await run({ chat, halted: () => lockWaiters(chat, 1) });
  } finally {
    await holder.query('SELECT pg_advisory_unlock(88)');
    holder.release();
    await chat.query('DROP TRIGGER halt ON messages; DROP FUNCTION halt()');
    await chat.end();
  }
}

/** A message that is being stored waits for who holds the advisory lock 88. Its delivery is claimed by then. */
const HALT = `
  CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM deduplication_claims WHERE message_id = NEW.id) THEN RAISE 'not claimed'; END IF;
    PERFORM pg_advisory_xact_lock_shared(88);
    RETURN NEW;
  END $$;
  CREATE TRIGGER halt AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION halt()`;
