import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A clock that a test can step, for a program that it starts. */
export interface SteppedClock {
  /** Variables for the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the offset of the program's system clock. */
  step(offset_ms: number): void;
  close(): void;
}

/** Undefined without a C compiler; only Linux is supported. */
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
      writeSync(opened, bytes, 0, 8, 0); // the program has mapped this file
    },
    close: () => {
      closeSync(opened);
      rmSync(dir, { recursive: true });
    },
  };
}
