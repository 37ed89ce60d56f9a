import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A clock for a program of a test's own, which the test can step. */
export interface SteppedClock {
  /** For the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on the program's time of day is this far from the machine's. */
  step(offset_ms: number): void;
  close(): void;
}

/** Undefined where there is no C compiler to make it with (Linux alone has the means). */
export function steppedClock(): SteppedClock | undefined {
  if (process.platform !== 'linux') return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-clock-'));
  const library = join(dir, 'stepped-clock.so');
  const source = fileURLToPath(new URL('stepped-clock.c', import.meta.url));
  if (spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source]).status !== 0) {
    rmSync(dir, { recursive: true });
    return undefined;
  }
  const file = join(dir, 'step');
  writeFileSync(file, Buffer.alloc(8));
  const opened = openSync(file, 'r+');
  return {
    env: { LD_PRELOAD: library, CLOCK_STEP_FILE: file },
    step: (offset_ms) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(offset_ms) * 1000n);
      writeSync(opened, bytes, 0, 8, 0); // the program has mapped this very file
    },
    close: () => {
      closeSync(opened);
      rmSync(dir, { recursive: true });
    },
  };
}
