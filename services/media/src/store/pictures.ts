import type { Pool, PoolClient } from 'pg';
import type { KeptPicture } from './kept-pictures.ts';

/** The first part of a picture. */
export interface FirstPart {
  readonly content_type: string;
  /** The size of the whole picture. */
  readonly size: number;
  readonly bytes: Buffer;
}

/** The first part of a picture that is in this slot, or published. */
export async function findPicture(
  db: Pool,
  { owner_id, guild_id, slot, hash }: Omit<KeptPicture, 'version'>,
  length: number,
): Promise<FirstPart | undefined> {
  const { rows } = await db.query<{ content_type: string; size: number; base64: string }>({
    name: 'find_picture',
    // Base64 is shorter by a third than the driver's text form of bytea, and much faster to decode.
    text: `SELECT content_type, octet_length(bytes) AS size,
                  encode(substring(bytes FROM 1 FOR $4), 'base64') AS base64
             FROM pictures
            WHERE hash = $3
              AND (published AND $2 = 'avatar' AND $5 = 0::bigint
                   OR EXISTS (SELECT FROM kept_pictures AS kept
                               WHERE kept.owner_id = $1 AND kept.guild_id = $5 AND kept.slot = $2 AND kept.hash = $3))`,
    values: [owner_id, slot, hash, length, guild_id],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  return { content_type: row.content_type, size: row.size, bytes: Buffer.from(row.base64, 'base64') };
}

/** A part of a picture, whether or not a slot has it. Empty past its end. */
export async function findPicturePart(
  db: Pool,
  hash: string,
  offset: number,
  length: number,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ base64: string }>({
    name: 'find_picture_part',
    text: `SELECT encode(substring(bytes FROM $2 FOR $3), 'base64') AS base64 FROM pictures WHERE hash = $1`,
    values: [hash, offset + 1, length],
  });
  const [row] = rows;
  return row && Buffer.from(row.base64, 'base64');
}

/** Marks a picture as published. Returns false if it is not stored. */
export async function markPublished(tx: PoolClient, hash: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'mark_published',
    text: `UPDATE pictures SET published = true, unreferenced_since = NULL, publications = publications + 1,
                  check_at = now() + interval '1 minute', unnamed_since = NULL
            WHERE hash = $1`,
    values: [hash],
  });
  return rowCount === 1;
}
