import { describe, expect, it } from 'vitest';
import { HeldBytes } from '../../src/overload/held-bytes.ts';

const MAX = 1_000;

/** Connections that hold bytes within a bound of 1,000. */
function setUp() {
  const closed: string[] = [];
  const all = new Map<string, { held: Map<string | undefined, number>; close(): void }>();
  const budget = new HeldBytes({
    max_bytes: MAX,
    holders: () => [...all.values()].map(({ held, close }) => ({ heldBytes: () => held, close })),
    onClosed: () => undefined,
  });
  function hold(name: string, ipGroup: string | undefined, bytes: number): void {
    const held = all.get(name)?.held ?? new Map<string | undefined, number>();
    const close = (): void => {
      closed.push(name);
      all.delete(name);
      for (const [of, count] of held) budget.change(-count, of);
    };
    all.set(name, { held: held.set(ipGroup, (held.get(ipGroup) ?? 0) + bytes), close });
    budget.change(bytes, ipGroup);
  }
  return { budget, closed, hold };
}

describe('held bytes', () => {
  it('are freed at the address with the most, even if each of its connections holds less than another', () => {
    const { budget, closed, hold } = setUp();
    hold('good', 'a', 80);
    for (let count = 0; count < 49; count++) hold(`many ${count}`, 'b', 10);
    for (let count = 0; count < 44; count++) hold(`more ${count}`, 'c', 10);
    expect(budget.total()).toBeLessThanOrEqual((MAX * 7) / 8);
    expect(closed).not.toContain('good');
    expect(new Set(closed.map((name) => name.split(' ')[0]))).toEqual(new Set(['many']));
  });

  it('of one address are bounded by half, its largest connections first', () => {
    const { budget, closed, hold } = setUp();
    hold('other', 'b', 300);
    hold('short', 'a', 50);
    hold('long', 'a', 250);
    hold('next', 'a', 210);
    expect([closed, budget.total()]).toEqual([['long'], 560]);
  });

  it('of a connection that many clients share are freed once', () => {
    const { budget, closed, hold } = setUp();
    for (const client of ['a', 'b', 'c']) hold('proxy', client, 200);
    hold('proxy', undefined, 100);
    hold('direct', 'd', 290);
    hold('last', 'e', 100);
    expect([closed, budget.total()]).toEqual([['direct'], 800]);
    hold('last', 'f', 300);
    expect(closed).toEqual(['direct', 'last']);
  });

  it('without a known client are freed like those of an address, without its share', () => {
    const { budget, closed, hold } = setUp();
    hold('proxy', undefined, 900);
    expect(closed).toEqual([]);
    hold('direct', 'a', 150);
    expect([closed, budget.total()]).toEqual([['proxy'], 150]);
  });
});
