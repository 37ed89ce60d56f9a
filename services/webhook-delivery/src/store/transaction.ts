import type { ClientBase, Pool } from 'pg';

/** Runs statements in one transaction: all of them count, or, when `run` throws, none. */
export async function inTransaction<T>(db: Pool, run: (tx: ClientBase) => Promise<T>): Promise<T> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}
