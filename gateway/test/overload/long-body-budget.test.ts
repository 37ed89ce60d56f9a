import { silentLogger } from '@gatehouse/kit/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LongBodyBudget } from '../../src/overload/long-body-budget.ts';
import { Refusals } from '../../src/overload/refusals.ts';
import { bodyHolder } from '../support/body-holder.ts';

const newBudget = () => new LongBodyBudget(100, new Refusals(silentLogger));

describe('the memory budget of long bodies', () => {
  it('goes to waiting bodies in order, but not to an address that holds its half', async () => {
    const budget = newBudget();
    const [first, second] = [bodyHolder('a'), bodyHolder('b')];
    void budget.reserve(first, 50);
    void budget.reserve(second, 40);
    const admitted: string[] = [];
    const wait = async (name: string, ipGroup: string, bytes: number) => {
      await budget.reserve(bodyHolder(ipGroup), bytes);
      admitted.push(name);
    };
    const waits = [wait('of a', 'a', 10), wait('large', 'c', 30), wait('small', 'd', 20)];
    expect(budget.waiting()).toBe(3);
    budget.release(second);
    await Promise.all(waits.slice(1));
    expect(admitted).toEqual(['large', 'small']);
    budget.release(first);
    await Promise.all(waits);
    expect(budget.waiting()).toBe(0);
  });
});

describe('a slow body', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const waitFor = (promise: Promise<void>) => void promise.catch(() => undefined);

  it('keeps its memory while no other waits', () => {
    const budget = newBudget();
    const slow = bodyHolder('a');
    void budget.reserve(slow, 50);
    vi.advanceTimersByTime(30_000);
    expect(slow.evicted).toBe(false);
  });

  it('is evicted for a waiting one of another address; a fast one is not', () => {
    const budget = newBudget();
    const [slow, quick] = [bodyHolder('a'), bodyHolder('b')];
    void budget.reserve(slow, 50);
    void budget.reserve(quick, 50);
    waitFor(budget.reserve(bodyHolder('c'), 10));
    for (let count = 0; count < 8; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    expect([slow.evicted, quick.evicted]).toEqual([true, false]);
  });

  it('is not evicted because the event loop was blocked: the edge read nothing then', () => {
    const budget = newBudget();
    const holder = bodyHolder('a');
    void budget.reserve(holder, 50);
    waitFor(budget.reserve(bodyHolder('a'), 10));
    const unblocked_ms = performance.now() + 5_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(unblocked_ms);
    vi.advanceTimersByTime(250);
    clock.mockRestore();
    expect(holder.evicted).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(holder.evicted).toBe(true);
  });

  it('is not evicted for an address that holds its half already', () => {
    const budget = newBudget();
    const [slow, greedy] = [bodyHolder('a'), bodyHolder('b')];
    void budget.reserve(slow, 50);
    void budget.reserve(greedy, 50);
    waitFor(budget.reserve(bodyHolder('b'), 10));
    vi.advanceTimersByTime(3_000);
    expect([slow.evicted, greedy.evicted]).toEqual([false, true]);
  });

  it('is refused after it has waited for ten seconds', async () => {
    const budget = newBudget();
    const quick = bodyHolder('a');
    void budget.reserve(quick, 50);
    const waiting = expect(budget.reserve(bodyHolder('a'), 10)).rejects.toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    for (let count = 0; count < 44; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    await waiting;
    expect([quick.evicted, budget.waiting()]).toEqual([false, 0]);
  });
});
