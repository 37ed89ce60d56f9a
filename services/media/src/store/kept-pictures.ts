import type { Pool, PoolClient } from 'pg';

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

/** The picture of an account that follows a cursor: its guild, then its slot. */
export interface ExportedPicture {
  readonly guild_id: string;
  readonly slot: Slot;
  readonly content_type: string;
  readonly base64: string;
}

/** The next picture of an account: its own (guild 0), and those that it has in guilds. */
export async function findNextPicture(
  db: Pool,
  owner_id: string,
  after: { readonly guild_id: string; readonly slot: string },
): Promise<ExportedPicture | undefined> {
  const { rows } = await db.query<ExportedPicture>({
    name: 'find_next_picture',
    text: `SELECT guild_id, slot, content_type, encode(bytes, 'base64') AS base64
             FROM kept_pictures JOIN pictures USING (hash)
            WHERE owner_id = $1 AND (guild_id, slot) > ($2::bigint, $3)
            ORDER BY guild_id, slot LIMIT 1`,
    values: [owner_id, after.guild_id, after.slot],
  });
  return rows[0];
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
