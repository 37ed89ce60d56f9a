import { testServer } from '@gatehouse/dev-env/postgres';
import { onServer } from '@gatehouse/kit/db/create-database';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { holdWorkerSlot, type WorkerSlot } from '../suite/worker-slot.ts';

let server: string;
beforeAll(async () => {
  server = await testServer();
});

const held: WorkerSlot[] = [];
afterEach(() => Promise.all(held.splice(0).map((slot) => slot.close())));

async function hold(): Promise<WorkerSlot> {
  const slot = await holdWorkerSlot(server, () => undefined);
  held.push(slot);
  return slot;
}

test('suites that share a server have worker IDs of their own', async () => {
  const slots = await Promise.all(Array.from({ length: 8 }, hold));
  const workers = slots.map(({ first_worker }) => first_worker);
  expect(new Set(workers).size).toBe(8);
  for (const worker of workers) {
    expect(worker % 8).toBe(0);
    expect(worker).toBeLessThan(1024 - 7);
  }
});

test('a slot lasts through a broken connection, and is free once its suite ends', async () => {
  const { first_worker } = await hold();
  const slot = first_worker / 8;
  const before = await holderOf(slot);
  expect(before).toBeDefined();
  await onServer(server, (client) => client.query('SELECT pg_terminate_backend($1)', [before]));
  await vi.waitFor(async () => expect([before, undefined]).not.toContain(await holderOf(slot)), 10_000);

  await Promise.all(held.splice(0).map((one) => one.close()));
  await vi.waitFor(async () => expect(await holderOf(slot)).toBeUndefined(), 10_000);
});

/** The connection's number at the server. */
function holderOf(slot: number): Promise<number | undefined> {
  return onServer(server, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2",
      [0x67_61_74_65, slot],
    );
    return rows[0]?.pid;
  });
}
