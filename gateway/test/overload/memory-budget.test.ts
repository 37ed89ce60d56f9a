import { silentLogger } from '@gatehouse/kit/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Holder, memoryBudget } from '../../src/overload/memory-budget.ts';
import { refusals } from '../../src/overload/refusals.ts';

interface Body extends Holder {
  arrived: number;
  evicted: boolean;
}

function body(address: string): Body {
  const one: Body = {
    address,
    arrived: 0,
    evicted: false,
    arrivedBytes: () => one.arrived,
    isComplete: () => false,
    evict: () => {
      one.evicted = true;
    },
  };
  return one;
}

const refused = () => refusals(silentLogger);
const budget = () => memoryBudget({ max_bytes: 100, refusals: refused(), reason: 'long_bodies' });

describe('room', () => {
  it('is taken to the byte, by one address a half of it', () => {
    const room = budget();
    const [one, two, three] = [body('a'), body('a'), body('b')];
    expect(room.reserve(one, 40)).toBe(true);
    expect(room.reserve(two, 11)).toBe(false);
    expect(room.reserve(two, 10)).toBe(true);
    expect(room.reserve(three, 51)).toBe(false);
    expect(room.reserve(three, 50)).toBe(true);
    expect(room.reservedBytes()).toBe(100);
  });

  it('is given back by a holder as a whole, and once', () => {
    const room = budget();
    const one = body('a');
    for (let count = 0; count < 5; count++) expect(room.reserve(one, 10)).toBe(true);
    room.release(one);
    room.release(one);
    room.release(body('a'));
    expect(room.reservedBytes()).toBe(0);
    expect(room.reserve(body('a'), 50)).toBe(true);
  });

  it('goes to those who wait, in their order, but for those whose address has its part', async () => {
    const room = budget();
    const [first, second] = [body('a'), body('b')];
    room.reserve(first, 50);
    room.reserve(second, 40);
    const admitted: string[] = [];
    const wait = async (name: string, address: string, bytes: number) => {
      await room.reserveWhenFree(body(address), bytes);
      admitted.push(name);
    };
    const waits = [wait('of a', 'a', 10), wait('large', 'c', 30), wait('small', 'd', 20)];
    expect(room.waiting()).toBe(3);
    room.release(second);
    await Promise.all(waits.slice(1));
    expect(admitted).toEqual(['large', 'small']);
    room.release(first);
    await Promise.all(waits);
    expect(room.waiting()).toBe(0);
  });
});

describe('a body that comes slowly', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const waitFor = (promise: Promise<void>) => void promise.catch(() => undefined);

  it('keeps its room while nobody waits', () => {
    const room = budget();
    const slow = body('a');
    room.reserve(slow, 50);
    vi.advanceTimersByTime(30_000);
    expect(slow.evicted).toBe(false);
  });

  it('has to make room for another address; one that comes quickly has not', () => {
    const room = budget();
    const [slow, quick] = [body('a'), body('b')];
    room.reserve(slow, 50);
    room.reserve(quick, 50);
    waitFor(room.reserveWhenFree(body('c'), 10));
    for (let count = 0; count < 8; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    expect([slow.evicted, quick.evicted]).toEqual([true, false]);
  });

  it('has not to make room for an address that has its part already', () => {
    const room = budget();
    const [slow, greedy] = [body('a'), body('b')];
    room.reserve(slow, 50);
    room.reserve(greedy, 50);
    waitFor(room.reserveWhenFree(body('b'), 10));
    vi.advanceTimersByTime(3_000);
    expect([slow.evicted, greedy.evicted]).toEqual([false, true]);
  });

  it('is refused, when it waits, after ten seconds', async () => {
    const room = budget();
    const quick = body('a');
    room.reserve(quick, 50);
    const waiting = expect(room.reserveWhenFree(body('a'), 10)).rejects.toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    for (let count = 0; count < 44; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    await waiting;
    expect([quick.evicted, room.waiting()]).toEqual([false, 0]);
  });
});
