import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';

/** A picture that was stored here before media had them. */
export interface OldPicture {
  readonly account_id: string;
  readonly slot: 'avatar' | 'banner';
  readonly hash: string;
  readonly bytes: Buffer;
  /** Of a change that is made now. */
  readonly version: number;
}

/** Where a walk through them is. */
export type OldPicturePlace = Pick<OldPicture, 'account_id' | 'slot'>;

/**
 * Hands the picture after `after` over and removes it, or leaves it when that throws. Pictures that another replica
 * is handing over are passed by; a change of the account's picture waits.
 *
 * @returns which it was; undefined: there is none
 */
export function moveOldPicture(
  db: Pool,
  after: OldPicturePlace,
  move: (picture: OldPicture) => Promise<void>,
): Promise<OldPicturePlace | undefined> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<Omit<OldPicture, 'bytes'> & { base64: string }>({
      name: 'find_old_picture',
      text: `WITH old AS MATERIALIZED (
               SELECT account_id, kind, hash, bytes FROM pictures
                WHERE (account_id, kind) > ($1, $2)
                ORDER BY account_id, kind LIMIT 1 FOR UPDATE SKIP LOCKED)
             SELECT account_id, kind AS slot, hash, encode(bytes, 'base64') AS base64,
                    next_picture_version()::double precision AS version
               FROM old`,
      values: [after.account_id, after.slot],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    const { base64, ...picture } = row;
    await move({ ...picture, bytes: Buffer.from(base64, 'base64') });
    await tx.query({
      name: 'delete_old_picture',
      text: 'DELETE FROM pictures WHERE account_id = $1 AND kind = $2',
      values: [row.account_id, row.slot],
    });
    return { account_id: row.account_id, slot: row.slot };
  });
}
