import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { atEnd } from '../support/echo-service.ts';

/** 1 KB each: together they exceed the heap. */
const LINES = 60_000;
const HEAP = '--max-old-space-size=24';

function logging(stdout: 'pipe' | number, lines = LINES) {
  const fixture = fileURLToPath(new URL('../fixtures/log-lines.ts', import.meta.url));
  const stdio: StdioOptions = ['pipe', stdout, 'pipe'];
  const child = spawn(process.execPath, [HEAP, fixture, String(lines)], { stdio });
  atEnd(() => child.kill('SIGKILL'));
  const logged = once(child.stderr ?? child, 'data');
  const exit = once(child, 'exit');
  return {
    child,
    logged,
    end: () => {
      child.stdin?.end();
      return exit;
    },
  };
}

it('a full disk neither ends a logging process nor makes it keep the lines', async () => {
  const { end } = logging(openSync('/dev/full', 'w'));
  expect(await end()).toEqual([0, null]);
});

it('a reader that is gone does not end a logging process', async () => {
  const { child, end } = logging('pipe');
  child.stdout?.destroy();
  expect(await end()).toEqual([0, null]);
});

it('a reader that pauses blocks nothing, and gets whole lines when it continues', async () => {
  const { child, logged, end } = logging('pipe');
  await logged; // more than all buffers hold
  const lines = read(child.stdout);
  await expect.poll(() => lines.length).toBeGreaterThan(2_000);
  expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  expect(await end()).toEqual([0, null]);
});

it('a slow reader gets every buffered line', async () => {
  const { child, logged, end } = logging('pipe', 1_000);
  await logged; // more than a pipe holds
  const lines = read(child.stdout);
  await expect.poll(() => lines.length).toBeGreaterThan(990); // the last lines come with the next flush, or at exit
  expect(await end()).toEqual([0, null]);
  await expect.poll(() => lines).toEqual(Array.from({ length: 1_000 }, (_, line) => line));
});

/** The numbers of the lines that are read from now on. */
function read(output: Readable | null): number[] {
  const lines: number[] = [];
  createInterface({ input: output ?? Readable.from([]) }).on('line', (line) =>
    lines.push(JSON.parse(line).line),
  );
  return lines;
}
