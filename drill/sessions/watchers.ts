import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { idOf, sessionOf, sharedChannelOf } from '../traffic/population.ts';
import type { Posted } from './sighting.ts';
import { type Sights, sightsOfKills } from './sights-of-kills.ts';
import { type Watcher, watcher } from './watcher.ts';

/** Clients of the Gateway, each of an account of its own. */
export interface Watchers {
  /** What they saw of each kill, so far. @param killedAt by performance.now() */
  sights(killedAt: readonly number[]): Promise<Sights[]>;
  /** Waits until all are connected and have been told of all; not for ever. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const SESSIONS = 240;
const APART_MS = 5;
const READY_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 250;

/** @throws where not all are ready in time */
export async function startWatchers(url: string, database_url: string, sessions: number): Promise<Watchers> {
  const all: Watcher[] = [];
  const areConnected = () => all.every((one) => one.isConnected());
  const stop = async () => {
    await Promise.all(all.map((one) => one.stop()));
  };
  const sights = async (killedAt: readonly number[]) =>
    sightsOfKills(
      all.map(({ sighting }) => sighting),
      await postedMessages(database_url),
      killedAt,
    );

  try {
    for (let n = 0; n < sessions; n++) {
      all.push(watcher(gatewayUrl(url), sessionOf(n), [idOf(n), sharedChannelOf(n)]));
      await sleep(APART_MS);
    }
    if (!(await within(READY_WITHIN_MS, areConnected)))
      throw new Error('not all sessions of the Gateway are ready');
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    sights,
    settle: async () => {
      await within(SETTLED_WITHIN_MS, async () => {
        if (!areConnected()) return false;
        const [whole] = await sights([Number.NEGATIVE_INFINITY]);
        return whole?.missed === 0;
      });
    },
    stop,
  };
}

function gatewayUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/gateway`;
}

/** Whether it came true in time. */
async function within(time_ms: number, isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  const until = performance.now() + time_ms;
  while (!(await isTrue())) {
    if (performance.now() > until) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

async function postedMessages(server_url: string): Promise<Posted[]> {
  const pool = openPool({ database_url: databaseUrl(server_url, 'chat'), application_name: 'drill', max: 1 });
  try {
    const { rows } = await pool.query<Posted>('SELECT id::text, channel_id::text FROM messages ORDER BY id');
    return rows;
  } finally {
    await pool.end();
  }
}
