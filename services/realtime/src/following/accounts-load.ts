import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isOutage, unavailable } from '@gatehouse/kit/fault';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { AccountState, ChatServiceDefinition, GuildState } from '@gatehouse/proto/chat';
import { isExhausted, stateIsFull } from '../errors.ts';
import { guildStatesBytes, privateChannelsBytes } from '../world/state-bytes.ts';
import type { World } from '../world/world.ts';
import type { ChatLog } from './chat-log.ts';
import type { EventReceiver } from './event-receiver.ts';
import type { EventRecording } from './event-recording.ts';
import type { StateBudget, StateReservation } from './state-budget.ts';

export interface AccountsLoadOptions {
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly world: World<EventReceiver>;
  readonly chatLog: Pick<ChatLog, 'record' | 'stopRecording' | 'betweenTransactions'>;
  readonly budget: Pick<StateBudget, 'reserve'>;
}

const LOAD_TIMEOUT_MS = 10_000;
/** Limited, since the response has all channels of the guilds. */
const GUILDS_PER_CALL = 50;
/** A requested guild that does not exist. */
const NO_GUILD: GuildState = { guild: null, channels: [], members: [] };

/**
 * Loads accounts with their guilds into the world. It reads their state, waits until the log has reached the state's cursor,
 * and applies the events that came meanwhile again, in order: events carry whole objects, so the result is the same.
 */
export class AccountsLoad {
  readonly #options: AccountsLoadOptions;
  readonly #account_ids: readonly string[];
  readonly #recording: EventRecording;
  readonly #reservation: StateReservation;
  readonly #guilds = new Map<string, GuildState>();
  #accounts: readonly AccountState[] = [];
  #cursor = '';

  constructor(options: AccountsLoadOptions, account_ids: readonly string[]) {
    this.#options = options;
    this.#account_ids = account_ids;
    this.#recording = options.chatLog.record();
    this.#reservation = options.budget.reserve();
  }

  /** @throws RESOURCE_EXHAUSTED if the state does not fit; UNAVAILABLE */
  async run(): Promise<void> {
    try {
      const timeout = AbortSignal.timeout(LOAD_TIMEOUT_MS);
      await this.#readAccounts();
      do await this.#readMissingGuilds();
      while (!(await this.#addAtCursor(timeout)));
    } finally {
      this.#options.chatLog.stopRecording(this.#recording);
      this.#reservation.end();
    }
  }

  async #readAccounts(): Promise<void> {
    const { accounts, cursor } = await this.#readStates([]);
    this.#accounts = accounts;
    this.#cursor = cursor;
    const channels = accounts.flatMap(({ private_channels }) => private_channels);
    this.#count(privateChannelsBytes(channels.length));
  }

  async #readMissingGuilds(): Promise<void> {
    for (let ids = this.#missingGuilds(); ids.length > 0; ids = this.#missingGuilds())
      this.#cursor = await this.#readGuilds(ids.slice(0, GUILDS_PER_CALL));
  }

  /** Reads the first of the guilds, as many as fit into a response. */
  async #readGuilds(ids: readonly string[]): Promise<string> {
    try {
      const { guilds, cursor } = await this.#readStates(ids);
      for (const id of ids) this.#guilds.set(id, NO_GUILD);
      for (const state of guilds) this.#guilds.set(state.guild?.id ?? '', state);
      this.#count(guildStatesBytes(guilds));
      return cursor;
    } catch (error) {
      if (ids.length === 1 || isOutage(error) || isExhausted(error)) throw error;
      return await this.#readGuilds(ids.slice(0, Math.ceil(ids.length / 2)));
    }
  }

  #readStates(guild_ids: readonly string[]) {
    const request = { guild_ids: [...guild_ids], account_ids: [...this.#account_ids] };
    return this.#options.chat.getGuildStates(request, { timeoutMs: LOAD_TIMEOUT_MS, caller: anonymous });
  }

  #count(bytes: number): void {
    const fits = this.#reservation.add(bytes);
    if (!fits && !(this.#account_ids.length === 1 && this.#reservation.makeRoom())) throw stateIsFull();
  }

  /** The accounts' guilds, including those joined meanwhile, that are neither read nor in the world. */
  #missingGuilds(): string[] {
    const ids = new Set(this.#accounts.flatMap(({ guild_ids }) => guild_ids));
    const wanted = new Set(this.#accounts.map(({ account_id }) => account_id));
    for (const { type, guild_id, account_ids } of this.#recording.events)
      if (type === 'GUILD_CREATE' && guild_id !== undefined && account_ids.some((id) => wanted.has(id)))
        ids.add(guild_id);
    return [...ids].filter((id) => !this.#guilds.has(id) && this.#options.world.guild(id) === undefined);
  }

  /** False if guilds are missing: one has left the world meanwhile, or an account has joined one. */
  async #addAtCursor(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#options.chatLog.betweenTransactions(
        signal,
        () => this.#addIfComplete(),
        readCursor(this.#cursor).seen,
      );
    } catch (error) {
      throw unavailable(error);
    }
  }

  #addIfComplete(): boolean {
    if (!this.#recording.isComplete()) throw new Error('events were lost');
    if (this.#missingGuilds().length > 0) return false;
    this.#addToWorld();
    this.#reservation.keep();
    return true;
  }

  /** Synchronous, so that the world stays at one position of the log. */
  #addToWorld(): void {
    const { world } = this.#options;
    const states = [...this.#guilds.values()].filter((state) => state !== NO_GUILD);
    for (const state of states) world.addGuild(state);
    for (const account of this.#accounts)
      if (world.account(account.account_id) === undefined) world.addAccount(account);
    // Again, for members of guilds that an account joined after its own state was read.
    for (const state of states) world.addGuild(state);
    world.catchUp(this.#recording.events, this.#guilds.keys());
  }
}
