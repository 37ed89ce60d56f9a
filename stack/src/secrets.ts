import { hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readNonEmptyFile, writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Keys of stored secrets, and their files in DATA_DIR. */
const KEY_FILES = [
  ['AUTH_SECRET_KEY', 'auth-secret-key'],
  ['CONSOLE_SECRET_KEY', 'console-secret-key'],
] as const;

export interface SecretOptions {
  readonly data_dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Other stacks may use the same database. */
  readonly shared_database: boolean;
  readonly say: (line: string) => void;
}

/** Returns the keys for encryption in auth and console, and for ratelimit's hashes, that the environment does not set. */
export function secretsOf({ data_dir, env, shared_database, say }: SecretOptions): NodeJS.ProcessEnv {
  const secrets: NodeJS.ProcessEnv = {};
  for (const [variable, name] of KEY_FILES) {
    if (env[variable]) continue;
    const file = join(data_dir, name);
    secrets[variable] = readOrCreateKey(file);
    if (shared_database)
      say(`${variable} is not set: ${file} is used. Every stack on this database needs the same one.`);
  }
  if (env.REDIS_URL && !env.RATELIMIT_KEY_SECRET) {
    secrets.RATELIMIT_KEY_SECRET = deriveKey(env.REDIS_URL);
    say(
      'RATELIMIT_KEY_SECRET is not set: names in Redis are hashed with a key derived from REDIS_URL, which others may know.',
    );
  }
  return secrets;
}

/** Written at the first start, readable by this user alone. */
function readOrCreateKey(file: string): string {
  const there = readNonEmptyFile(file);
  if (there !== undefined) return there.trim();
  const made = randomBytes(32).toString('base64url');
  writeFilesAtomically([{ path: file, text: `${made}\n` }]);
  return made;
}

/** Equal for all stacks on one Redis, so that they share counters. */
function deriveKey(redis_url: string): string {
  return Buffer.from(hkdfSync('sha256', redis_url, '', 'gatehouse ratelimit keys', 32)).toString('base64url');
}
