import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node's compile cache. scripts/toolchain.mjs names the same folder. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
/** Compiling takes about 700 ms. Without it each process compiles for itself. */
const COMPILE_TIMEOUT_MS = 20_000;
const STAMP = `${COMPILE_CACHE}.stamp`;

/**
 * Compiles the sources of all processes if any of them changed. Otherwise every process would load the TypeScript
 * compiler and keep it in memory: 20 MB each.
 */
export async function compileAhead(): Promise<void> {
  const now = stateOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === now) return;
  const script = fileURLToPath(new URL('compile.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: 'ignore',
    timeout: COMPILE_TIMEOUT_MS,
  });
  const compiled = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  if (compiled) writeStampIfPossible(now);
}

/** Modification times and sizes: reading every file would take longer than most starts. */
function stateOfSources(): string {
  const services = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/src`);
  const hash = createHash('sha256').update(process.version);
  const folders = [
    'kit/src',
    'proto',
    'gateway/src',
    'runner/src',
    'services/ratelimit/client/src',
    'services/ratelimit/kit-client/src',
    ...services,
  ];
  for (const folder of folders) {
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith('.ts')) continue;
      const { mtimeMs, size } = statSync(join(ROOT, folder, path));
      hash.update(`${folder}/${path} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex');
}

/** A read-only node_modules costs memory and nothing else. */
function writeStampIfPossible(state: string): void {
  try {
    mkdirSync(COMPILE_CACHE, { recursive: true });
    writeFileSync(STAMP, state);
  } catch {}
}
