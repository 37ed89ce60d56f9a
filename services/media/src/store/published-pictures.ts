import type { Pool } from 'pg';

/** A published picture. */
export interface PublishedPicture {
  readonly hash: string;
  /** The number of times it was published. */
  readonly publications: number;
}

/** Claims pictures that are due for a check. A claim lasts a minute. */
export async function claimPublishedPictures(db: Pool, limit: number): Promise<PublishedPicture[]> {
  const { rows } = await db.query<PublishedPicture>({
    name: 'claim_published_pictures',
    text: `WITH due AS MATERIALIZED (
             SELECT hash FROM pictures WHERE published AND check_at <= now()
              ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE pictures SET check_at = now() + interval '1 minute'
             FROM due WHERE pictures.hash = due.hash
        RETURNING pictures.hash, publications`,
    values: [limit],
  });
  return rows;
}

/** Keeps pictures that are in use. They are due again in an hour. */
export async function keepPublishedPictures(db: Pool, hashes: readonly string[]): Promise<void> {
  await db.query({
    name: 'keep_published_pictures',
    text: `UPDATE pictures SET check_at = now() + interval '1 hour', unnamed_since = NULL,
             unreferenced_since = NULL
            WHERE hash = ANY ($1) AND published`,
    values: [hashes],
  });
}

/**
 * Reports pictures that are not in use. The second report, at least a minute later, unpublishes them: messages that were
 * being posted during the first check are stored by then. A picture that was published again meanwhile is skipped.
 */
export async function reportUnusedPictures(db: Pool, pictures: readonly PublishedPicture[]): Promise<void> {
  await db.query({
    name: 'report_unused_pictures',
    text: `UPDATE pictures SET
             published = unnamed_since IS NULL OR unnamed_since > now() - interval '1 minute',
             was_kept = true,
             unreferenced_since = now(),
             unnamed_since = coalesce(unnamed_since, now())
             FROM unnest($1::text[], $2::integer[]) AS reported (hash, publications)
            WHERE pictures.hash = reported.hash AND pictures.publications = reported.publications AND published`,
    values: [pictures.map(({ hash }) => hash), pictures.map(({ publications }) => publications)],
  });
}
