import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';
import { expect, test } from 'vitest';
import type { Life, Sighting } from '../sessions/sighting.ts';
import { isWhole, type Sights, sightsOfKills } from '../sessions/sights-of-kills.ts';

const CHANNEL = '1';
const KILLED_AT = [10_000, 20_000];

/** An ID that was drawn then, by performance.now(). */
const idAt = (at: number): string =>
  String(BigInt(Math.round(at + performance.timeOrigin - SNOWFLAKE_EPOCH_MS)) << 22n);
const posted = (...times: number[]) => times.map((at) => ({ id: idAt(at), channel_id: CHANNEL }));
/** What was posted then and told 10 ms later. */
const told = (...times: number[]) => times.map((at) => ({ id: idAt(at), channel_id: CHANNEL, at: at + 10 }));

function life(began: number, times: readonly number[]): Life {
  return { after: new Map([[CHANNEL, idAt(began)]]), told: told(...times) };
}

function sighting(...lives: Life[]): Sighting {
  return { channels: [CHANNEL], lives, ends: [], returns: [], failed_attempts: [], out_of_turn: [] };
}

function sights(sightings: readonly Sighting[], times: readonly number[]): Sights[] {
  return sightsOfKills(sightings, posted(...times), KILLED_AT);
}

const untoldIn = (all: readonly Sights[]) =>
  all.map(({ missed, between, doubled }) => ({ missed, between, doubled }));
const NONE = { missed: 0, between: 0, doubled: 0 };

test('a session that was told of all once misses nothing, and of other channels it is told nothing', () => {
  const other = { id: idAt(12_000), channel_id: '2' };
  const one = sighting(life(9_000, [9_500, 11_000, 21_000]));
  const all = sightsOfKills([one], [...posted(8_000, 9_500, 11_000, 21_000), other], KILLED_AT);
  expect(untoldIn(all)).toEqual([NONE, NONE]);
  expect(all.every(isWhole)).toBe(true);
});

test('what a session was not told of it missed, at the kill before, also when it is the last', () => {
  const all = sights([sighting(life(9_000, [11_000, 13_000]))], [11_000, 12_000, 13_000, 25_000]);
  expect(untoldIn(all)).toEqual([
    { ...NONE, missed: 1 },
    { ...NONE, missed: 1 },
  ]);
  expect(all.map(isWhole)).toEqual([false, false]);
});

test('what was posted between two sessions was not told; what was posted before the last event of one was missed', () => {
  const client = sighting(life(9_000, [10_500, 11_000]), life(13_000, [14_000]));
  const steady = sighting(life(9_000, [10_500, 10_800, 11_000, 12_000, 13_000, 14_000]));
  const all = sights([client, steady], [10_500, 10_800, 11_000, 12_000, 13_000, 14_000]);
  expect(untoldIn(all)).toEqual([{ ...NONE, missed: 1, between: 2 }, NONE]);
});

test('what a session missed is not excused by the end of a later one', () => {
  const client = sighting(life(9_000, [11_000]), life(12_000, [13_000]), life(15_000, []));
  const all = sights([client], [10_500, 11_000, 13_000, 14_000]);
  expect(untoldIn(all)).toEqual([{ ...NONE, missed: 1, between: 1 }, NONE]);
});

test('messages may be committed in another order than they got their IDs', () => {
  const client = sighting(
    { after: new Map(), told: told(11_000).map((one) => ({ ...one, at: 11_050 })) },
    life(12_000, []),
  );
  const steady = sighting({
    after: new Map(),
    told: [...told(11_000), ...told(10_900).map((one) => ({ ...one, at: 11_100 }))],
  });
  expect(untoldIn(sights([client, steady], [10_900, 11_000]))).toEqual([{ ...NONE, between: 1 }, NONE]);
});

test('what a session is told twice is doubled; a new session may be told again', () => {
  const twice = sighting(life(9_000, [11_000, 11_000]));
  const anew = sighting(life(9_000, [11_000]), life(10_000, [11_000]));
  expect(untoldIn(sights([twice, anew], [11_000]))).toEqual([{ ...NONE, doubled: 1 }, NONE]);
});

test('ends, returns and the longest waits are the kill’s that they came after', () => {
  const one: Sighting = {
    ...sighting(life(9_000, [9_500, 10_500, 13_500, 20_500])),
    ends: [
      { at: 10_100, how: '1006' },
      { at: 20_100, how: 'op 7' },
    ],
    returns: [
      { at: 9_000, how: 'identified' },
      { at: 12_000, how: 'identified' },
      { at: 20_300, how: 'resumed' },
    ],
    failed_attempts: [10_300, 10_700],
    out_of_turn: [20_400],
  };
  const [first, second] = sights([one], [9_500, 10_500, 13_500, 20_500]);
  expect(first).toMatchObject({
    closed: { '1006': 1 },
    failed_attempts: 2,
    identified: 1,
    resumed: 0,
    back_seconds: 2,
    silent_seconds: 3,
    out_of_turn: 0,
  });
  expect(second).toMatchObject({
    closed: { 'op 7': 1 },
    resumed: 1,
    back_seconds: 0.3,
    silent_seconds: 7,
    out_of_turn: 1,
  });
});
