import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { writePrivate } from './write-private.ts';

const FILE = 'authority/secrets.json';
const NAMES = [
  'postgres',
  'redis',
  'auth_key',
  'ratelimit_key',
  'auth',
  'chat',
  'oauth2',
  'webhook-delivery',
  'media',
] as const;

/** Passwords of the servers and of each service's database role, and the keys of auth and ratelimit. */
export type Secrets = Readonly<Record<(typeof NAMES)[number], string>>;

/** Random ones, which stay: made at the first time, and those that a later version wants at its first. */
export function keepSecrets(folder: string): { secrets: Secrets; isNew: boolean } {
  const text = readNonEmptyFile(join(folder, FILE));
  const isNew = text === undefined;
  const kept: Partial<Secrets> = isNew ? {} : JSON.parse(text);
  const entries = NAMES.map((name) => [name, kept[name] || randomBytes(32).toString('base64url')]);
  const secrets: Secrets = Object.fromEntries(entries);
  writePrivate(folder, FILE, `${JSON.stringify(secrets)}\n`);
  return { secrets, isNew };
}
