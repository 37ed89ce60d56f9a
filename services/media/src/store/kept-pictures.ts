import type { PoolClient } from 'pg';

/** What a picture is to its owner. */
export type Slot = 'avatar' | 'banner' | 'icon';

export interface KeptPicture {
  readonly owner_id: string;
  /** The guild in which the owner has it; 0: the owner's own. */
  readonly guild_id: string;
  readonly slot: Slot;
  /** Null: there is none. */
  readonly hash: string | null;
  readonly version: number;
}

/**
 * Says which picture is in a slot, unless a version as new is known.
 * @throws a foreign key violation when the picture is not stored
 */
export async function upsertKeptPicture(
  tx: PoolClient,
  { owner_id, guild_id, slot, hash, version }: KeptPicture,
): Promise<void> {
  await tx.query({
    name: 'upsert_kept_picture',
    text: `INSERT INTO kept_pictures (owner_id, guild_id, slot, hash, version) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (owner_id, guild_id, slot) DO UPDATE
             SET hash = excluded.hash, version = excluded.version, changed_at = now()
             WHERE kept_pictures.version < excluded.version`,
    values: [owner_id, guild_id, slot, hash, version],
  });
}
