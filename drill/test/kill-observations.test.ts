import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';
import { expect, test } from 'vitest';
import type { ClientLog, SessionLog } from '../sessions/client-log.ts';
import { isComplete, type KillObservation, killObservations } from '../sessions/kill-observations.ts';

const CHANNEL = '1';
const KILLED_AT = [10_000, 20_000];

/** An ID that was drawn then, by performance.now(). */
const idAt = (at: number): string =>
  String(BigInt(Math.round(at + performance.timeOrigin - SNOWFLAKE_EPOCH_MS)) << 22n);
const stored = (...times: number[]) => times.map((at) => ({ id: idAt(at), channel_id: CHANNEL }));
/** Messages posted at these times and received 10 ms later. */
const received = (...times: number[]) =>
  times.map((at) => ({ id: idAt(at), channel_id: CHANNEL, at: at + 10 }));

function session(began: number, times: readonly number[]): SessionLog {
  return { after: new Map([[CHANNEL, idAt(began)]]), received: received(...times) };
}

function log(...sessions: SessionLog[]): ClientLog {
  return {
    channels: [CHANNEL],
    sessions,
    disconnects: [],
    returns: [],
    failed_attempts: [],
    out_of_order: [],
  };
}

function observe(logs: readonly ClientLog[], times: readonly number[]): KillObservation[] {
  return killObservations(logs, stored(...times), KILLED_AT);
}

const missedIn = (all: readonly KillObservation[]) =>
  all.map(({ missed, between, duplicates }) => ({ missed, between, duplicates }));
const NONE = { missed: 0, between: 0, duplicates: 0 };

test('a session that received every event once missed nothing, and events of other channels do not count', () => {
  const other = { id: idAt(12_000), channel_id: '2' };
  const one = log(session(9_000, [9_500, 11_000, 21_000]));
  const all = killObservations([one], [...stored(8_000, 9_500, 11_000, 21_000), other], KILLED_AT);
  expect(missedIn(all)).toEqual([NONE, NONE]);
  expect(all.every(isComplete)).toBe(true);
});

test('an event that a session did not receive was missed, at the kill before it, even if it is the last event', () => {
  const all = observe([log(session(9_000, [11_000, 13_000]))], [11_000, 12_000, 13_000, 25_000]);
  expect(missedIn(all)).toEqual([
    { ...NONE, missed: 1 },
    { ...NONE, missed: 1 },
  ]);
  expect(all.map(isComplete)).toEqual([false, false]);
});

test('a message posted between two sessions is no miss; one posted before the last event of a session is', () => {
  const client = log(session(9_000, [10_500, 11_000]), session(13_000, [14_000]));
  const steady = log(session(9_000, [10_500, 10_800, 11_000, 12_000, 13_000, 14_000]));
  const all = observe([client, steady], [10_500, 10_800, 11_000, 12_000, 13_000, 14_000]);
  expect(missedIn(all)).toEqual([{ ...NONE, missed: 1, between: 2 }, NONE]);
});

test('the end of a later session does not excuse an event that an earlier one missed', () => {
  const client = log(session(9_000, [11_000]), session(12_000, [13_000]), session(15_000, []));
  const all = observe([client], [10_500, 11_000, 13_000, 14_000]);
  expect(missedIn(all)).toEqual([{ ...NONE, missed: 1, between: 1 }, NONE]);
});

test('the order of commits counts, which may differ from the order of IDs', () => {
  const client = log(
    { after: new Map(), received: received(11_000).map((one) => ({ ...one, at: 11_050 })) },
    session(12_000, []),
  );
  const steady = log({
    after: new Map(),
    received: [...received(11_000), ...received(10_900).map((one) => ({ ...one, at: 11_100 }))],
  });
  expect(missedIn(observe([client, steady], [10_900, 11_000]))).toEqual([{ ...NONE, between: 1 }, NONE]);
});

test('an event received twice in one session is a duplicate; a new session may receive it again', () => {
  const twice = log(session(9_000, [11_000, 11_000]));
  const anew = log(session(9_000, [11_000]), session(10_000, [11_000]));
  expect(missedIn(observe([twice, anew], [11_000]))).toEqual([{ ...NONE, duplicates: 1 }, NONE]);
});

test('disconnects, returns and the longest waits belong to the kill before them', () => {
  const one: ClientLog = {
    ...log(session(9_000, [9_500, 10_500, 13_500, 20_500])),
    disconnects: [
      { at: 10_100, how: '1006' },
      { at: 20_100, how: 'op 7' },
    ],
    returns: [
      { at: 9_000, how: 'identified' },
      { at: 12_000, how: 'identified' },
      { at: 20_300, how: 'resumed' },
    ],
    failed_attempts: [10_300, 10_700],
    out_of_order: [20_400],
  };
  const [first, second] = observe([one], [9_500, 10_500, 13_500, 20_500]);
  expect(first).toMatchObject({
    closed: { '1006': 1 },
    failed_attempts: 2,
    identified: 1,
    resumed: 0,
    back_seconds: 2,
    silent_seconds: 3,
    out_of_order: 0,
  });
  expect(second).toMatchObject({
    closed: { 'op 7': 1 },
    resumed: 1,
    back_seconds: 0.3,
    silent_seconds: 7,
    out_of_order: 1,
  });
});
