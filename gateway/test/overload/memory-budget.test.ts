import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/overload/memory-budget.ts';
import { bodyHolder } from '../support/body-holder.ts';

describe('a memory budget', () => {
  it('is reserved to the byte, by one address up to half of it', () => {
    const budget = new MemoryBudget(100);
    const [one, two, three] = [bodyHolder('a'), bodyHolder('a'), bodyHolder('b')];
    expect(budget.reserve(one, 40)).toBe(true);
    expect(budget.reserve(two, 11)).toBe(false);
    expect(budget.reserve(two, 10)).toBe(true);
    expect(budget.reserve(three, 51)).toBe(false);
    expect(budget.reserve(three, 50)).toBe(true);
    expect(budget.reservedBytes()).toBe(100);
  });

  it('is freed by a holder completely, and once', () => {
    const budget = new MemoryBudget(100);
    const holder = bodyHolder('a');
    for (let count = 0; count < 5; count++) expect(budget.reserve(holder, 10)).toBe(true);
    budget.release(holder);
    budget.release(holder);
    budget.release(bodyHolder('a'));
    expect(budget.reservedBytes()).toBe(0);
    expect(budget.reserve(bodyHolder('a'), 50)).toBe(true);
  });
});
