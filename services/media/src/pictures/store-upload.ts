import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';
import { addStoredBytes } from '../store/stored-bytes.ts';
import type { Picture } from '../store/uploads.ts';
import { insertUpload } from '../store/uploads.ts';

const MiB = 1024 * 1024;
/** Daily limits, by UTC (docs/conventions.md#pictures). */
const DAILY_BYTES = { sender: 16 * MiB, guild: 64 * MiB };

/** The sender and guild whose daily limits a picture counts against. */
export interface Origin {
  readonly sender: string;
  /** Absent for the sender's own picture. */
  readonly guild_id: string | null | undefined;
}

/** Stores a picture as an upload and returns its ID. Returns a text if a daily limit is reached. */
export async function storeUpload(
  db: Pool,
  picture: Picture,
  origin: Origin,
): Promise<{ readonly id: string } | string> {
  const quotas = quotasOf(origin);
  try {
    return await inTransaction(db, async (tx) => {
      // The guild first: concurrent uploads lock the rows in this order.
      for (const { owner_id, max, whose } of quotas) {
        const fits = await addStoredBytes(tx, owner_id, picture.bytes.length, max);
        if (!fits)
          throw new QuotaExceeded(`Too many pictures today: at most ${max / MiB} MiB a day of ${whose}.`);
      }
      return { id: await insertUpload(tx, picture) };
    });
  } catch (error) {
    if (error instanceof QuotaExceeded) return error.message;
    throw error;
  }
}

/** Thrown to roll back the counts. */
class QuotaExceeded extends Error {}

function quotasOf({ sender, guild_id }: Origin) {
  const ofSender = { owner_id: sender, max: DAILY_BYTES.sender, whose: 'one sender' };
  if (guild_id == null) return [ofSender];
  return [{ owner_id: guild_id, max: DAILY_BYTES.guild, whose: 'a guild' }, ofSender];
}
