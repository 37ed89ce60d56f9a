import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { maintenanceUrl } from '@gatehouse/kit/db/create-database';
import pg from 'pg';

/** Suites that may share a database: worker IDs are 0-1023, and each suite takes as many as it has processes. */
const SLOT_SIZE = 8;
const SLOTS = 1024 / SLOT_SIZE;
/** The first half of the advisory locks' key; the second is the slot. */
const LOCK_CLASS = 0x67_61_74_65;
const CONNECT_WITHIN_MS = 5_000;
const RETRY_MS = 1_000;

/** A range of worker IDs that no other suite on this server has. */
export interface WorkerSlot {
  /** The first of eight. */
  readonly first_worker: number;
  close(): Promise<void>;
}

/**
 * Takes the first free slot, by an advisory lock in the server's maintenance database, which lasts as
 * long as its connection. When the connection is lost, it connects again and takes the same slot.
 */
export async function holdWorkerSlot(database_url: string, say: (line: string) => void): Promise<WorkerSlot> {
  const closing = new AbortController();
  let client = await connect(database_url);
  const slot = await firstFree(client);
  const held = keep();

  /** Until it is closed. */
  async function keep(): Promise<void> {
    for (;;) {
      await once(client, 'end').catch(() => undefined);
      if (closing.signal.aborted) return;
      say(`lost the connection that holds worker slot ${slot}; connecting again`);
      await retaken();
    }
  }

  async function retaken(): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(RETRY_MS, undefined, closing).catch(() => undefined);
      const next = await connect(database_url).catch(() => undefined);
      const taken = next !== undefined && (await take(next, slot).catch(() => false));
      if (taken && !closing.signal.aborted) {
        client = next;
        return;
      }
      await next?.end();
    }
  }

  return {
    first_worker: slot * SLOT_SIZE,
    close: async () => {
      closing.abort();
      await client.end();
      await held;
    },
  };
}

async function firstFree(client: pg.Client): Promise<number> {
  try {
    for (let slot = 0; slot < SLOTS; slot++) if (await take(client, slot)) return slot;
    throw new Error(`${SLOTS} suites use this database server already, and no more can`);
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function take(client: pg.Client, slot: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
    LOCK_CLASS,
    slot,
  ]);
  return rows[0]?.taken === true;
}

async function connect(database_url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: maintenanceUrl(database_url),
    application_name: 'gatehouse suite',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined); // its 'end' follows
  await client.connect();
  return client;
}
