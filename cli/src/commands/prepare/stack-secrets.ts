import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import { writePrivate } from './write-private.ts';

const FILE = 'authority/secrets.json';
const SERVERS_AND_KEYS = ['postgres', 'redis', 'auth_key', 'console_key', 'ratelimit_key'] as const;
const SECRET_NAMES = [...SERVERS_AND_KEYS, ...DATABASE_SERVICES];

/** Passwords of the servers and of each service's database role, and the keys of auth, console and ratelimit. */
export type Secrets = Readonly<Record<(typeof SECRET_NAMES)[number], string>>;

/** Reads the folder's secrets, and creates missing ones: all of them at first, later those that a new version adds. */
export function readOrCreateSecrets(folder: string): { secrets: Secrets; isNew: boolean } {
  const text = readNonEmptyFile(join(folder, FILE));
  const isNew = text === undefined;
  const existing: Partial<Secrets> = isNew ? {} : JSON.parse(text);
  const entries = SECRET_NAMES.map((name) => [name, existing[name] || randomBytes(32).toString('base64url')]);
  const secrets: Secrets = Object.fromEntries(entries);
  writePrivate(folder, FILE, `${JSON.stringify(secrets)}\n`);
  return { secrets, isNew };
}
