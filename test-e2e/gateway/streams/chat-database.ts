import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { anonymous, connect } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition, type GetGuildStatesResponse } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';

/** Direct access to chat's database, and to its current state by RPC. */
export interface ChatDatabase {
  /** @throws what `work` throws, after a rollback */
  transaction<T>(work: (tx: PoolClient) => Promise<T>): Promise<T>;
  /** The events after an ID, ordered by ID. */
  eventsAfter(id: string): Promise<readonly LogRow[]>;
  /** The highest event ID. */
  lastEvent(): Promise<string>;
  /** The guilds and private channels of these accounts, with their members among them. */
  states(account_ids: readonly string[]): Promise<GetGuildStatesResponse>;
  close(): Promise<void>;
}

/** A row of `events`. */
export interface LogRow {
  readonly id: string;
  readonly xact_id: string;
  readonly type: string;
  readonly account_ids: readonly string[] | null;
  readonly channel_id: string | null;
  readonly guild_id: string | null;
  readonly payload: unknown;
}

const PAGE = 5_000;

/** @param writers number of concurrent writers */
export function openChatDatabase(server_url: string, chat_address: string, writers: number): ChatDatabase {
  const database_url = databaseUrl(server_url, 'chat');
  const pool = openPool({
    database_url,
    application_name: 'test',
    max: writers + 1,
    statement_timeout_ms: 60_000,
  });
  const { client: chat, close } = connect(ChatServiceDefinition, { address: chat_address });

  async function page(after: string): Promise<LogRow[]> {
    const { rows } = await pool.query<LogRow>(
      `SELECT id, xact_id::text, type, account_ids, channel_id, guild_id, payload
       FROM events WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    );
    return rows;
  }

  return {
    transaction: (work) => inTransaction(pool, work),
    eventsAfter: async (id) => {
      const all: LogRow[] = [];
      for (let last = id; ; ) {
        const rows = await page(last);
        all.push(...rows);
        last = rows.at(-1)?.id ?? last;
        if (rows.length < PAGE) return all;
      }
    },
    lastEvent: async () => {
      const { rows } = await pool.query<{ id: string }>('SELECT COALESCE(max(id), 0) AS id FROM events');
      return rows[0]?.id ?? '0';
    },
    states: async (account_ids) => {
      for (let guild_ids: string[] = []; ; ) {
        const request = { guild_ids, account_ids: [...account_ids] };
        const states = await chat.getGuildStates(request, { timeoutMs: 30_000, caller: anonymous });
        const theirs = new Set(states.accounts.flatMap((account) => account.guild_ids));
        if (theirs.isSubsetOf(new Set(guild_ids))) return states;
        guild_ids = [...theirs];
      }
    },
    close: async () => {
      close();
      await pool.end();
    },
  };
}
