import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSnowflake, SNOWFLAKE_EPOCH_MS, snowflakes, snowflakeTime } from '../../src/snowflake.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('snowflakes', () => {
  it('contain their time, worker and sequence', () => {
    const next = snowflakes({ worker: 1023, clock: () => NOW });
    const [first, second] = [next(), next()].map(BigInt);
    const bits = (BigInt(NOW - SNOWFLAKE_EPOCH_MS) << 22n) | (1023n << 12n);
    expect([first, second]).toEqual([bits, bits + 1n]);
    expect(snowflakeTime(String(first))).toBe(NOW);
  });

  it('are unique and only grow when more than 4,096 are made in a millisecond', () => {
    const next = snowflakes({ worker: 5, clock: () => NOW });
    const ids = Array.from({ length: 10_000 }, () => BigInt(next()));
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))).toBe(true);
    expect(ids.every((id) => ((id >> 12n) & 0x3ffn) === 5n)).toBe(true);
    expect(snowflakeTime(String(ids[4095]))).toBe(NOW);
    expect(snowflakeTime(String(ids[4096]))).toBe(NOW + 1);
    expect(snowflakeTime(String(ids[9_999]))).toBe(NOW + 2);
  });

  it('are unique and only grow whatever the clock does, and follow it as soon as they can', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: -5_000, max: 5_000 }), count: fc.nat(200) }));
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1023 }), (moves, worker) => {
        let now = NOW;
        let latest = 0;
        const next = snowflakes({ worker, clock: () => now });
        let last = -1n;
        for (const { ms, count } of moves) {
          now += ms;
          for (let made = 0; made < count; made++) {
            const id = BigInt(next());
            expect(id > last).toBe(true);
            last = id;
            if (now > latest) expect(snowflakeTime(String(id))).toBe(now);
            latest = Math.max(latest, snowflakeTime(String(id)));
          }
        }
      }),
    );
  });

  it('of two workers never collide', () => {
    const makers = [0, 1].map((worker) => snowflakes({ worker, clock: () => NOW }));
    const ids = makers.flatMap((next) => Array.from({ length: 5_000 }, next));
    expect(new Set(ids).size).toBe(10_000);
  });

  it('refuse a worker out of range', () => {
    for (const worker of [-1, 1024, 1.5, Number.NaN])
      expect(() => snowflakes({ worker })).toThrow(RangeError);
  });

  it.each(['0', '1', '9', '10', '9223372036854775807', '999999999999999999'])('%s is an ID', (text) => {
    expect(isSnowflake(text)).toBe(true);
  });

  it.each([
    ...['', ' 1', '1 ', '-1', '+1', '01', '00', '1.0', '1e3', '0x1', '١', '1\n', 'abc', '1_000'],
    ...['9223372036854775808', '9999999999999999999', '10000000000000000000', '1'.repeat(1000)],
  ])('"%s" is not an ID', (text) => {
    expect(isSnowflake(text)).toBe(false);
  });

  it('generated values and all integers up to 2^63-1 are IDs', () => {
    const next = snowflakes({ worker: 1 });
    expect(isSnowflake(next())).toBe(true);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (number) => {
        expect(isSnowflake(String(number))).toBe(number < 2n ** 63n);
      }),
    );
  });
});
