import { isOutage } from '@gatehouse/kit/fault';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous } from '@gatehouse/kit/rpc';
import type { GuildState } from '@gatehouse/proto/chat';
import type { LogEvent } from '../world/event.ts';
import { guildStatesBytes } from '../world/state-bytes.ts';
import { AccountsLoad, type AccountsLoadOptions } from './accounts-load.ts';

export interface StateLoaderOptions extends AccountsLoadOptions {
  /** Ends the sessions of an account whose guilds do not fit into the budget. */
  readonly endSessions: (account_id: string) => void;
}

const CALL_OPTIONS = { timeoutMs: 10_000, caller: anonymous };
/** Accounts that share a call. */
const ACCOUNTS_PER_CALL = 32;

/** Loads accounts and guilds into the world (docs/events.md#starting-a-reader). */
export class StateLoader {
  readonly #options: StateLoaderOptions;
  readonly #loadBatched: (account_id: string) => Promise<undefined>;

  constructor(options: StateLoaderOptions) {
    this.#options = options;
    this.#loadBatched = batcher<string, undefined>({
      maxBatch: ACCOUNTS_PER_CALL,
      maxInFlight: 2,
      maxQueue: 100_000,
      run: (account_ids) => this.#loadAccounts(account_ids),
    });
  }

  /** Loads an account at the log's current position. An account that is in the world stays as it is. */
  async account(account_id: string): Promise<void> {
    if (this.#options.world.account(account_id) === undefined) await this.#loadBatched(account_id);
  }

  /** Loads the guild of a GUILD_CREATE for the world's accounts that joined it; false if none of them is in it. */
  async guild(guild_id: string, created: LogEvent): Promise<boolean> {
    const state = (await this.#stateAt(created)) ?? (await this.#stateNow(guild_id, created.account_ids));
    if (state === undefined || !this.#hasFollowedMember(state)) return false; // their sessions have ended meanwhile
    const reservation = this.#options.budget.reserve();
    try {
      if (reservation.add(guildStatesBytes([state])) || reservation.makeRoom()) {
        if (!this.#hasFollowedMember(state)) return false; // their sessions made room
        this.#options.world.addGuild(state);
        reservation.keep();
        return true;
      }
      // Their clients can identify again and get the free budget.
      for (const id of created.account_ids) this.#options.endSessions(id);
      return false;
    } finally {
      reservation.end();
    }
  }

  /** If a batch fails, each account is loaded alone, so that one cannot keep out the others or take their budget. */
  async #loadAccounts(account_ids: readonly string[]): Promise<(undefined | Error)[]> {
    try {
      await this.#load(account_ids);
      return account_ids.map(() => undefined);
    } catch (error) {
      if (account_ids.length === 1 || isOutage(error)) throw error;
      const outcomes: (undefined | Error)[] = [];
      for (const id of account_ids) outcomes.push(await this.#load([id]).catch((failure: Error) => failure));
      return outcomes;
    }
  }

  async #load(account_ids: readonly string[]): Promise<undefined> {
    const missing = [...new Set(account_ids)].filter((id) => this.#options.world.account(id) === undefined);
    if (missing.length > 0) await new AccountsLoad(this.#options, missing).run();
  }

  /** The guild's state at the event's position in the log. */
  async #stateAt({ id }: LogEvent): Promise<GuildState | undefined> {
    const { events } = await this.#options.chat.getEvents({ ids: [id], with_states: true }, CALL_OPTIONS);
    return events[0]?.guild_state ?? undefined;
  }

  /** For an event without a stored state: an older version of chat wrote it, or it has left the log. */
  async #stateNow(guild_id: string, account_ids: readonly string[]): Promise<GuildState | undefined> {
    const request = { guild_ids: [guild_id], account_ids: [...account_ids] };
    const { guilds } = await this.#options.chat.getGuildStates(request, CALL_OPTIONS);
    return guilds[0];
  }

  #hasFollowedMember({ members }: GuildState): boolean {
    return members.some(({ account_id }) => this.#options.world.account(account_id) !== undefined);
  }
}
