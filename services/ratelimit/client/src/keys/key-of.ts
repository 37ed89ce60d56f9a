import { bucketKey } from './bucket-key.ts';
import type { HashIdentity } from './identity-hash.ts';

/** What a rule says of its buckets' keys. */
export interface KeyRule {
  /** The parts of the key, one identity each. */
  readonly key: readonly string[];
  /** Whether an identity of one of them may have to be hashed. */
  readonly secret: boolean;
}

/** The key of the bucket with these identities; those that nobody may read from it are hashed. */
export function keyOf({ key, secret }: KeyRule, identities: readonly string[], hash: HashIdentity): string {
  if (!secret) return bucketKey(identities);
  return bucketKey(
    identities.map((identity, part) => (isSecret(key[part], identity) ? hash(identity) : identity)),
  );
}

/** Whether a part of a key may have secret identities. */
export function mayBeSecret(part: string): boolean {
  return isPersonal(part) || isClient(part);
}

function isSecret(part: string | undefined, identity: string): boolean {
  return part !== undefined && (isPersonal(part) || (isClient(part) && !OF_A_KIND.test(identity)));
}

/** Key parts that say who somebody is outside. */
function isPersonal(part: string): boolean {
  return part === 'login_name' || part === 'email';
}

/** Key parts that a caller who knows no better, such as Envoy, fills with the Authorization header. */
function isClient(part: string): boolean {
  return part === 'client' || part === 'account_or_client' || part === 'client_ip_or_account';
}

/** "credential:…", "account:…", "ip:…": it says what it is, and is no header. */
const OF_A_KIND = /^[a-z_]+:/;
