/**
 * Joins the identities of a bucket by "|". Their own "|" and "~" become "~1" and "~0", so that no two lists of identities
 * have the same key.
 */
export function bucketKey(identities: readonly string[]): string {
  const [first = '', second] = identities;
  if (second === undefined) return escaped(first);
  return identities.map(escaped).join('|');
}

/** The first identity, in the form of the key. */
export function firstIdentity(key: string): string {
  const end = key.indexOf('|');
  return end < 0 ? key : key.slice(0, end);
}

/** The identities of a key, as `bucketKey` was given them: those that were hashed before stay hashed. */
export function identitiesOfKey(key: string): string[] {
  const parts = key.split('|');
  if (!key.includes('~')) return parts;
  return parts.map((part) => part.replaceAll('~1', '|').replaceAll('~0', '~'));
}

function escaped(identity: string): string {
  if (!identity.includes('|') && !identity.includes('~')) return identity;
  return identity.replaceAll('~', '~0').replaceAll('|', '~1');
}
