import type { Pool, PoolClient } from 'pg';

/**
 * Raises the fence in the transaction that refuses a webhook, and returns its new value: a look-up that reads this value
 * sees the refusal, and chat refuses messages of earlier look-ups (docs/webhooks.md#disabled-webhooks).
 */
export async function advanceExecutionFence(tx: PoolClient): Promise<number> {
  const { rows } = await tx.query<{ value: string }>({
    name: 'advance_execution_fence',
    text: 'UPDATE execution_fence SET value = value + 1 RETURNING value',
  });
  return Number(rows[0]?.value);
}

/**
 * Raises the fence to that of a guild at chat. It is lower only in a database that was restored from an older backup than
 * chat's.
 */
export async function raiseExecutionFence(db: Pool, value: number): Promise<void> {
  await db.query({
    name: 'raise_execution_fence',
    text: 'UPDATE execution_fence SET value = $1 WHERE value < $1::bigint',
    values: [value],
  });
}
