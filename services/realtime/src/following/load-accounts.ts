import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isOutage, unavailable } from '@gatehouse/kit/fault';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { AccountState, ChatServiceDefinition, GuildState } from '@gatehouse/proto/chat';
import { isExhausted, stateIsFull } from '../errors.ts';
import type { LogEvent } from '../world/event.ts';
import { guildBytes, privateChannelsBytes } from '../world/state-bytes.ts';
import type { World } from '../world/world.ts';
import type { ChatLog } from './chat-log.ts';
import type { EventReceiver } from './event-receiver.ts';
import type { StateRoom } from './state-room.ts';

export interface LoadOptions {
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly world: World<EventReceiver>;
  readonly chatLog: () => Pick<ChatLog, 'record' | 'betweenTransactions'>;
  readonly room: StateRoom;
  /** Ends the sessions of an account whose guilds find no room. */
  readonly endSessions: (account_id: string) => void;
}

export interface Loads {
  /** Brings an account into the world, as it is at the log's place where this settles. One that is there stays as it is. */
  account(account_id: string): Promise<void>;
  /** Brings in the guild that accounts of the world have come into by an event. False: none of them is in it. */
  guild(guild_id: string, created: LogEvent): Promise<boolean>;
}

const TIMEOUT_MS = 10_000;
const CALL = { timeoutMs: TIMEOUT_MS, caller: anonymous };
/** So many accounts share a call. */
const ACCOUNTS = 32;
/** So many guilds are asked for by one call: a response has all their channels. */
const GUILDS = 50;

/** Brings accounts and guilds into the world (docs/events.md#where-a-reader-begins). */
export function loads({ chat, world, chatLog, room, endSessions }: LoadOptions): Loads {
  const load = batcher<string, undefined>({
    maxBatch: ACCOUNTS,
    maxInFlight: 2,
    maxQueue: 100_000,
    run: async (account_ids) => {
      try {
        await loadAccounts(account_ids);
        return account_ids.map(() => undefined);
      } catch (error) {
        if (account_ids.length === 1 || isOutage(error)) throw error;
        // One must not keep the others out, nor take their room.
        const outcomes: (undefined | Error)[] = [];
        for (const id of account_ids)
          outcomes.push(await loadAccounts([id]).catch((failure: Error) => failure));
        return outcomes;
      }
    },
  });

  /**
   * The state is read, and then events are, until all that the state has is behind the log's place. What came meanwhile is
   * applied again, in order: what an event says is whole, so it all ends as it is.
   */
  async function loadAccounts(wanted: readonly string[]): Promise<undefined> {
    const account_ids = [...new Set(wanted)].filter((id) => world.account(id) === undefined);
    if (account_ids.length === 0) return;
    const recording = chatLog().record();
    const loading = room.load();
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const { accounts, cursor } = await states([], account_ids);
      count(privateChannelsBytes(accounts.flatMap(({ private_channels }) => private_channels).length));
      const guilds = new Map<string, GuildState>();
      const missing = () => guildsToLoad(accounts, guilds, recording.events);
      for (let last = cursor, isDone = false; !isDone; ) {
        for (let ids = missing(); ids.length > 0; ids = missing())
          last = await loadGuilds(ids.slice(0, GUILDS));
        isDone = await reach(last, timeout, () => {
          if (!recording.isWhole()) throw new Error('events were missed');
          // One may have left the world meanwhile, or an account have come into another.
          if (missing().length > 0) return false;
          add(accounts, guilds, recording.events);
          loading.keep();
          return true;
        });
      }

      function count(bytes: number): void {
        if (!loading.add(bytes) && !(account_ids.length === 1 && loading.makeRoom())) throw stateIsFull();
      }

      /** Those of which the first so many fit into a response. */
      async function loadGuilds(ids: readonly string[]): Promise<string> {
        try {
          const found = await states(ids, account_ids);
          for (const id of ids) guilds.set(id, NONE);
          for (const state of found.guilds) guilds.set(state.guild?.id ?? '', state);
          count(bytesOf(found.guilds));
          return found.cursor;
        } catch (error) {
          if (ids.length === 1 || isOutage(error) || isExhausted(error)) throw error;
          return await loadGuilds(ids.slice(0, Math.ceil(ids.length / 2)));
        }
      }
    } finally {
      recording.stop();
      loading.end();
    }
  }

  /** Without a pause: the world is at one place of the log. */
  function add(
    accounts: readonly AccountState[],
    guilds: ReadonlyMap<string, GuildState>,
    since: readonly LogEvent[],
  ): void {
    const loaded = [...guilds.values()].filter((state) => state !== NONE);
    for (const state of loaded) world.addGuild(state);
    for (const account of accounts)
      if (world.account(account.account_id) === undefined) world.addAccount(account);
    // Guilds that an account came into after its own state was read have its member.
    for (const state of loaded) world.addGuild(state);
    world.catchUp(since, guilds.keys());
  }

  function guildsToLoad(
    accounts: readonly AccountState[],
    loaded: ReadonlyMap<string, GuildState>,
    since: readonly LogEvent[],
  ): string[] {
    const ids = new Set(accounts.flatMap(({ guild_ids }) => guild_ids));
    const wanted = new Set(accounts.map(({ account_id }) => account_id));
    for (const { type, guild_id, account_ids } of since)
      if (type === 'GUILD_CREATE' && guild_id !== undefined && account_ids.some((id) => wanted.has(id)))
        ids.add(guild_id);
    return [...ids].filter((id) => !loaded.has(id) && world.guild(id) === undefined);
  }

  function states(guild_ids: readonly string[], account_ids: readonly string[]) {
    return chat.getGuildStates({ guild_ids: [...guild_ids], account_ids: [...account_ids] }, CALL);
  }

  /** The guild at the event's own place. */
  async function stateAt({ id }: LogEvent): Promise<GuildState | undefined> {
    const { events } = await chat.getEvents({ ids: [id], with_states: true }, CALL);
    return events[0]?.guild_state ?? undefined;
  }

  /** Where no state is stored: a former version of chat wrote the event, or it has left the log. */
  async function stateNow(guild_id: string, account_ids: readonly string[]): Promise<GuildState | undefined> {
    const { guilds } = await states([guild_id], account_ids);
    return guilds[0];
  }

  function isTheirs({ members }: GuildState): boolean {
    return members.some(({ account_id }) => world.account(account_id) !== undefined);
  }

  async function reach(cursor: string, signal: AbortSignal, act: () => boolean): Promise<boolean> {
    try {
      return await chatLog().betweenTransactions(signal, act, readCursor(cursor).seen);
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    account: (account_id) =>
      (world.account(account_id) === undefined ? load(account_id) : Promise.resolve(undefined)).then(
        () => undefined,
      ),
    guild: async (guild_id, created) => {
      const state = (await stateAt(created)) ?? (await stateNow(guild_id, created.account_ids));
      if (state === undefined || !isTheirs(state)) return false; // their sessions may have ended meanwhile
      const loading = room.load();
      try {
        if (loading.add(bytesOf([state])) || loading.makeRoom()) {
          if (!isTheirs(state)) return false; // their sessions may have made room
          world.addGuild(state);
          loading.keep();
          return true;
        }
        // Their clients identify anew, as far as there is room then.
        for (const id of created.account_ids) endSessions(id);
        return false;
      } finally {
        loading.end();
      }
    },
  };
}

function bytesOf(states: readonly GuildState[]): number {
  return states.reduce(
    (sum, { guild, channels }) => sum + guildBytes({ roles: guild?.roles ?? [], channels }),
    0,
  );
}

/** A guild that was asked for and is gone. */
const NONE: GuildState = { guild: null, channels: [], members: [] };
