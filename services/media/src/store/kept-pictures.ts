import type { PoolClient } from 'pg';

/** A slot for a picture. */
export type Slot = 'avatar' | 'banner' | 'icon';

export interface KeptPicture {
  readonly owner_id: string;
  /** The guild in which the owner has the picture; 0 for the owner's own. */
  readonly guild_id: string;
  readonly slot: Slot;
  /** Null if the slot is empty. */
  readonly hash: string | null;
  readonly version: number;
}

/**
 * Sets the picture of a slot, unless the slot has this version or a later one.
 *
 * @throws a foreign key violation if the picture is not stored
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
