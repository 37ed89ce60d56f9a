import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';

/** Chat's database, whose posting transactions wait before their commit. */
export interface Halted {
  readonly chat: ReturnType<typeof openPool>;
  /** Resolves once a delivery is claimed and its message is inserted, but not committed. */
  halted(): Promise<void>;
}

/** Runs `run` while posting transactions wait before their commit. */
export async function haltedAtCommit(
  server_url: string,
  run: (world: Halted) => Promise<void>,
): Promise<void> {
  const database_url = databaseUrl(server_url, 'chat');
  const chat = openPool({ database_url, application_name: 'test', max: 2 });
  const holder = await chat.connect();
  try {
    await chat.query(HALT);
    await holder.query('SELECT pg_advisory_lock(88)');
    await run({ chat, halted: () => untilWaitingForLock(chat, 1) });
  } finally {
    await holder.query('SELECT pg_advisory_unlock(88)');
    holder.release();
    await chat.query('DROP TRIGGER halt ON messages; DROP FUNCTION halt()');
    await chat.end();
  }
}

/** Makes the insertion of a message wait for advisory lock 88, after its delivery is claimed. */
const HALT = `
  CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM deduplication_claims WHERE message_id = NEW.id) THEN RAISE 'not claimed'; END IF;
    PERFORM pg_advisory_xact_lock_shared(88);
    RETURN NEW;
  END $$;
  CREATE TRIGGER halt AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION halt()`;
