import { describe, expect, it } from 'vitest';
import { CollectionPolicy } from '../../src/system/collection-policy.ts';
import { run } from '../support/child.ts';

const MIB = 1024 * 1024;

it('memory returns to the system after a load', async () => {
  const child = run('memory-load.ts', ['collect']);
  const samples = () => child.output().trim().split('\n').map(Number);
  const grownBytes = () => Math.max(...samples()) - Math.min(...samples());
  await expect.poll(grownBytes).toBeGreaterThan(64 * MIB);
  await expect
    .poll(() => Math.max(...samples()) - (samples().at(-1) ?? 0), { timeout: 10_000 })
    .toBeGreaterThan(48 * MIB);
});

describe('garbage is collected', () => {
  const quiet = 0.1;
  const busy = 0.9;

  /** A policy that has seen a quiet process of 100 MiB. */
  function policyAt100Mib(): CollectionPolicy {
    const policy = new CollectionPolicy();
    expect(policy.observe({ utilization: quiet, bytes: 100 * MIB, now_ms: 0 })).toBe(false);
    return policy;
  }

  it('once memory has grown by 48 MiB and the event loop is quiet', () => {
    const policy = policyAt100Mib();
    expect(policy.observe({ utilization: quiet, bytes: 147 * MIB, now_ms: 250 })).toBe(false);
    expect(policy.observe({ utilization: busy, bytes: 300 * MIB, now_ms: 500 })).toBe(false);
    expect(policy.observe({ utilization: quiet, bytes: 148 * MIB, now_ms: 750 })).toBe(true);
  });

  it('at most every 2 s', () => {
    const policy = policyAt100Mib();
    policy.collected(300 * MIB, 110 * MIB, 1_000);
    expect(policy.observe({ utilization: quiet, bytes: 300 * MIB, now_ms: 2_999 })).toBe(false);
    expect(policy.observe({ utilization: quiet, bytes: 300 * MIB, now_ms: 3_000 })).toBe(true);
  });

  it('again after one collection that freed little, but not after a second, unless memory grows further', () => {
    const policy = policyAt100Mib();
    policy.collected(300 * MIB, 290 * MIB, 1_000);
    expect(policy.observe({ utilization: quiet, bytes: 290 * MIB, now_ms: 10_000 })).toBe(true);
    policy.collected(290 * MIB, 280 * MIB, 10_000);
    expect(policy.observe({ utilization: quiet, bytes: 290 * MIB, now_ms: 20_000 })).toBe(false);
    expect(policy.observe({ utilization: quiet, bytes: 328 * MIB, now_ms: 20_250 })).toBe(true);
  });

  it('by the growth since the lowest memory that was seen', () => {
    const policy = policyAt100Mib();
    expect(policy.observe({ utilization: busy, bytes: 60 * MIB, now_ms: 250 })).toBe(false);
    expect(policy.observe({ utilization: quiet, bytes: 108 * MIB, now_ms: 500 })).toBe(true);
  });
});
