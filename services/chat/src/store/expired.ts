import type { Litter } from '@gatehouse/kit/db/janitor';

/** What the janitor removes. A deduplication key is free after 24 hours with or without it. */
export const EXPIRED: readonly Litter[] = [
  { table: 'deduplication_claims', where: "claimed_at <= now() - interval '24 hours'" },
];
