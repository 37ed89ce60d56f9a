import type { OpenAPI3 } from 'openapi-typescript';

/** Parts of keys that only the request's body names. */
const IN_BODY = ['email', 'login name'];

interface Bucket {
  readonly id: string;
  readonly key: readonly string[];
}

interface RateLimit {
  readonly buckets: readonly Bucket[];
  readonly by_member?: readonly { readonly buckets: readonly Bucket[] }[];
}

/** The text of src/generated/unshared-buckets.ts. */
export function unsharedBuckets(document: OpenAPI3): string {
  const limits = Object.values(document.paths ?? {}).flatMap((operations) =>
    Object.values(operations).flatMap((operation) => rateLimitOf(operation) ?? []),
  );
  const byKey = limits.flatMap(({ buckets }) => buckets.filter(({ key }) => key.some(isInBody)));
  const byMember = limits.flatMap(({ by_member = [] }) => by_member.flatMap(({ buckets }) => buckets));
  const ids = [...new Set([...byKey, ...byMember].map(({ id }) => id))].sort();
  return [
    "/** Identifiers of the buckets whose keys or charges depend on the request's body. */",
    'export const UNSHARED_BUCKETS: ReadonlySet<string> = new Set([',
    ...ids.map((id) => `  '${id}',`),
    ']);',
    '',
  ].join('\n');
}

function isInBody(part: string): boolean {
  return IN_BODY.includes(part);
}

function rateLimitOf(operation: unknown): RateLimit | undefined {
  if (typeof operation !== 'object' || operation === null) return undefined;
  return (operation as { readonly 'x-rate-limit'?: RateLimit })['x-rate-limit'];
}
