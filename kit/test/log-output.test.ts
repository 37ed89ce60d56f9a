import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { atEnd } from './support/echo-service.ts';

/** Of 1 KB each: together they are more than the heap. */
const LINES = 60_000;
const HEAP = '--max-old-space-size=24';

function logging(stdout: 'pipe' | number) {
  const fixture = fileURLToPath(new URL('fixtures/log-lines.ts', import.meta.url));
  const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
  const child = spawn(process.execPath, [HEAP, fixture, String(LINES)], { stdio });
  atEnd(() => child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') };
}

it('a full disk neither ends a process that logs, nor has it keep the lines', async () => {
  const { exit } = logging(openSync('/dev/full', 'w'));
  expect(await exit).toEqual([0, null]);
});

it('neither does a reader who has gone', async () => {
  const { child, exit } = logging('pipe');
  child.stdout?.destroy();
  expect(await exit).toEqual([0, null]);
});

it('a reader who stalls gets every line once he reads on', async () => {
  const { child, exit } = logging('pipe');
  await once(child.stderr ?? child, 'data'); // it has begun to log
  const { stdout } = child;
  if (stdout === null) throw new Error('there is no pipe');
  let next = 0;
  for await (const line of createInterface({ input: stdout })) {
    expect(JSON.parse(line)).toMatchObject({ line: next });
    next++;
  }
  expect(next).toBe(LINES);
  expect(await exit).toEqual([0, null]);
});
