import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { until } from '@gatehouse/dev-env/until';

export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** A program of examples/ that runs, unmodified and in its folder. */
export interface ExampleProgram {
  /** Waits until it has printed this, and returns everything that it has printed. */
  printed(text: string): Promise<string>;
  /** Waits for its end. Returns its exit code and everything that it has printed. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Sends SIGINT, as a terminal does. */
  interrupt(): void;
  stop(): Promise<void>;
}

/** Starts `examples/{folder}/{file}` with these variables and no others. */
export function startExample(
  folder: string,
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): ExampleProgram {
  const command = dieWithParent('KILL', process.execPath, [file, ...args]);
  const { PATH = '' } = process.env;
  const child = spawn(...command, { cwd: join(EXAMPLES, folder), env: { PATH, ...env }, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = endOf(child);
  return {
    printed: (text) =>
      until(`${folder} prints "${text}"`, 30_000, async () => {
        if (child.exitCode !== null)
          throw new Error(`${folder} ended with code ${child.exitCode}: ${output}`);
        return output.includes(text) ? output : undefined;
      }),
    interrupt: () => void child.kill('SIGINT'),
    ended: async () => ({ code: await closed, output }),
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}

/** A copy of an example's folder, for an example that needs further files. */
export function copyExample(folder: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `gatehouse-${folder}-`));
  cpSync(join(EXAMPLES, folder), path, { recursive: true });
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
