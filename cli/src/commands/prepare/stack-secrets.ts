import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { writePrivate } from './write-private.ts';

const FILE = 'authority/secrets.json';
const SERVERS_AND_KEYS = ['postgres', 'redis', 'auth_key', 'ratelimit_key'] as const;
/** The services with a database. */
export const DATABASES = SERVICE_NAMES.filter((name) => serviceNamed(name).database !== undefined);
const SECRET_NAMES = [...SERVERS_AND_KEYS, ...DATABASES];

/** Passwords of the servers and of each service's database role, and the keys of auth and ratelimit. */
export type Secrets = Readonly<Record<(typeof SECRET_NAMES)[number], string>>;

/** Returns the kept secrets, and creates missing ones: all of them at first, later those that a new version adds. */
export function keepSecrets(folder: string): { secrets: Secrets; isNew: boolean } {
  const text = readNonEmptyFile(join(folder, FILE));
  const isNew = text === undefined;
  const kept: Partial<Secrets> = isNew ? {} : JSON.parse(text);
  const entries = SECRET_NAMES.map((name) => [name, kept[name] || randomBytes(32).toString('base64url')]);
  const secrets: Secrets = Object.fromEntries(entries);
  writePrivate(folder, FILE, `${JSON.stringify(secrets)}\n`);
  return { secrets, isNew };
}
