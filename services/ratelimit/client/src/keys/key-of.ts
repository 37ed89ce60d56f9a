import { bucketKey } from './bucket-key.ts';
import type { HashIdentity } from './identity-hash.ts';

/** The properties of a rule that determine its buckets' keys. */
export interface KeyRule {
  /** The parts of the key, one identity each. */
  readonly key: readonly string[];
  /** Whether an identity of the key may have to be hashed. */
  readonly mayNeedHash: boolean;
}

/** The key of the bucket with these identities. Secret ones are hashed. */
export function keyOf(
  { key, mayNeedHash }: KeyRule,
  identities: readonly string[],
  hash: HashIdentity,
): string {
  if (!mayNeedHash) return bucketKey(identities);
  return bucketKey(
    identities.map((identity, part) => (isSecret(key[part], identity) ? hash(identity) : identity)),
  );
}

/** Whether a part of a key may have secret identities. */
export function mayBeSecret(part: string): boolean {
  return isPersonal(part) || mayBeCredential(part);
}

/** Whether an identity of this part is hashed before it becomes part of a key. */
export function isSecret(part: string | undefined, identity: string): boolean {
  return part !== undefined && (isPersonal(part) || (mayBeCredential(part) && !HAS_KIND.test(identity)));
}

/** Key parts that identify a person. */
function isPersonal(part: string): boolean {
  return part === 'login_name' || part === 'email';
}

/** Key parts that a simple caller, such as Envoy, fills with the Authorization header. */
function mayBeCredential(part: string): boolean {
  return part === 'client' || part === 'account_or_client' || part === 'client_ip_or_account';
}

/** An identity with its kind, "credential:…", "account:…" or "ip:…"; an Authorization header has none. */
const HAS_KIND = /^[a-z_]+:/;
