import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_GROWTH_MB, MAX_SERVICE_GROWTH_MB, RECOVERED_WITHIN_MS } from '../../hostile/support/bounds.ts';
import { markLogs } from '../../hostile/support/logs.ts';
import { memoryOf } from '../../hostile/support/memory.ts';
import { newcomer } from '../../support/people.ts';
import { UNLIMITED, useStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { hostileConnections } from './hostile-connections.ts';
import { hostileFrames } from './hostile-frames.ts';
import { largeReadies } from './large-readies.ts';

const stack = useStack(UNLIMITED);
const gateway = useGateway(stack);

let before: Record<string, number | undefined>;
let memory: { realtime: number; edge: number };
let failures: () => string[];

const residentOf = (name: string) => memoryOf(stack.running.pids()[name] ?? 0)?.resident_mb ?? 0;

beforeAll(async () => {
  // The first session warms up the processes.
  await gateway.identify((await newcomer(stack.api)).token);
  before = stack.running.pids();
  memory = { realtime: residentOf('realtime'), edge: residentOf('gateway') };
  failures = markLogs(stack.data_dir);
});

hostileFrames(stack, gateway);
hostileConnections(stack, gateway);
largeReadies(stack, gateway);

describe('afterwards', () => {
  it('no process has restarted, no log has a failure, and memory is released', async () => {
    expect(stack.running.pids()).toEqual(before);
    expect(failures()).toEqual([]);
    const { ready } = await gateway.identify((await newcomer(stack.api)).token);
    expect(ready.v).toBe(1);
    const within = { timeout: RECOVERED_WITHIN_MS };
    await expect
      .poll(() => residentOf('realtime'), within)
      .toBeLessThan(memory.realtime + MAX_SERVICE_GROWTH_MB);
    await expect.poll(() => residentOf('gateway'), within).toBeLessThan(memory.edge + MAX_GROWTH_MB);
  });
});
