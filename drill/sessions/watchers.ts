import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { idOf, sessionOf, sharedChannelOf } from '../traffic/population.ts';
import type { StoredMessage } from './client-log.ts';
import { type KillObservation, killObservations } from './kill-observations.ts';
import { Watcher } from './watcher.ts';

export const SESSIONS = 240;
const APART_MS = 5;
const SESSIONS_READY_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 20_000;
const POLL_MS = 250;

/** Clients of the Gateway, each with a different account. */
export class Watchers {
  readonly #database_url: string;
  readonly #all: readonly Watcher[];

  private constructor(database_url: string, all: readonly Watcher[]) {
    this.#database_url = database_url;
    this.#all = all;
  }

  /** @throws Error if not all are ready in time */
  static async start(url: string, database_url: string, sessions: number): Promise<Watchers> {
    const all: Watcher[] = [];
    const watchers = new Watchers(database_url, all);
    try {
      for (let n = 0; n < sessions; n++) {
        all.push(new Watcher(gatewayUrl(url), sessionOf(n), [idOf(n), sharedChannelOf(n)]));
        await sleep(APART_MS);
      }
      if (!(await becomesTrue(SESSIONS_READY_WITHIN_MS, () => watchers.#areConnected())))
        throw new Error('not all sessions of the Gateway are ready');
      return watchers;
    } catch (error) {
      await watchers.stop();
      throw error;
    }
  }

  /**
   * Their observations of each kill so far.
   * @param killedAt by performance.now()
   */
  async observations(killedAt: readonly number[]): Promise<KillObservation[]> {
    const logs = this.#all.map(({ log }) => log);
    return killObservations(logs, await storedMessages(this.#database_url), killedAt);
  }

  /** Waits until all are connected and have received every event, or until a time limit. */
  async settle(): Promise<void> {
    await becomesTrue(SETTLED_WITHIN_MS, async () => {
      if (!this.#areConnected()) return false;
      const [total] = await this.observations([Number.NEGATIVE_INFINITY]);
      return total?.missed === 0;
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.stop()));
  }

  #areConnected(): boolean {
    return this.#all.every(({ isConnected }) => isConnected);
  }
}

function gatewayUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/gateway`;
}

async function becomesTrue(time_ms: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const until = performance.now() + time_ms;
  while (!(await condition())) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

async function storedMessages(server_url: string): Promise<StoredMessage[]> {
  const pool = openPool({ database_url: databaseUrl(server_url, 'chat'), application_name: 'drill', max: 1 });
  try {
    const { rows } = await pool.query<StoredMessage>(
      'SELECT id::text, channel_id::text FROM messages ORDER BY id',
    );
    return rows;
  } finally {
    await pool.end();
  }
}
