import { hash } from 'node:crypto';
import { firstIdentity, identitiesOfKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import { isSecret } from '@gatehouse/ratelimit-client/keys/key-of';
import type { Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Rule } from '../reference/reference.ts';
import type { DeniedBucket, Mark } from './denied-bucket.ts';

/** An identity that a bucket denied: the first value of its key. Times are microseconds since the Unix epoch. */
export interface DeniedIdentity {
  readonly bucket: string;
  /** The value in the key, which may be a hash. */
  readonly value: string;
  readonly mark: Mark | undefined;
  readonly denials: number;
  readonly last_denied_us: number;
  readonly denied_until_us: number;
}

/** The first 16 hexadecimal digits of the identity's SHA-256. */
export function fingerprintOf(identity: string): string {
  return hash('sha256', identity).slice(0, 16);
}

/** The mark of a charge's first identity, if its key has a hash of it. */
export function markOf({ key: [part] }: Rule, { identities }: Charge): Mark | undefined {
  const [identity] = identities ?? [];
  if (part === undefined || identity === undefined || !isSecret(part, identity)) return undefined;
  return { kind: part, fingerprint: fingerprintOf(identity) };
}

export function toIdentity({ name }: Rule, denied: DeniedBucket): DeniedIdentity {
  const { bucket, mark, denials, last_denied_us, denied_until_us } = denied;
  const [value = ''] = identitiesOfKey(firstIdentity(bucket.key));
  return { bucket: name, value, mark, denials, last_denied_us, denied_until_us };
}

/** Kinds whose identities are IDs, which operators may see. */
const SHOWN = new Set(['account', 'application', 'webhook', 'guild', 'channel']);

/** What an operator may see of an identity: itself if it is an ID, otherwise its fingerprint. */
export function shown({ value, mark }: DeniedIdentity): Mark & { readonly identity: string | null } {
  if (mark !== undefined) return { ...mark, identity: null };
  const kind = value.slice(0, Math.max(0, value.indexOf(':')));
  return { kind, fingerprint: fingerprintOf(value), identity: SHOWN.has(kind) ? value : null };
}
