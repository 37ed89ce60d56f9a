import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect, implement, serve } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition, type Event, type GuildState } from '@gatehouse/proto/chat';
import { onTestFinished } from 'vitest';
import type { LogEvent } from '../../src/world/event.ts';
import type { PlainChat } from '../world/naive-world.ts';
import { after } from '../world/plain-log.ts';
import { accountState, guildState, logEvent } from '../world/rows.ts';
import { type ScriptedLog, scriptedLog } from './scripted-log.ts';

/** chat, in memory, on a real port. */
export interface ScriptedChat {
  readonly client: Client<typeof ChatServiceDefinition>;
  readonly log: ScriptedLog<Event>;
  /** The current data. */
  plain: PlainChat;
  /** Changes the data, and writes the events in one response. Returns their IDs. */
  write(...events: readonly Written[]): readonly string[];
  /** GetGuildStates waits for it after its read. */
  beforeStates: Promise<unknown>;
  /** The number of reads of states, including those stored with events. */
  states: number;
  /** Whether states are stored with events. */
  storesStates: boolean;
  /** The error that reads of states throw. */
  statesFail:
    | ((guild_ids: readonly string[], account_ids: readonly string[]) => Error | undefined)
    | undefined;
  /** The events read again, by call. */
  readonly fetchEvents: (readonly string[])[];
  /** Reading events again waits for it. */
  beforeEvents: Promise<unknown>;
}

export type Written = readonly [type: string, payload: unknown, place?: Partial<LogEvent>];

export async function scriptedChat(plain: PlainChat): Promise<ScriptedChat> {
  const log = scriptedLog<Event>();
  const fetchEvents: (readonly string[])[] = [];
  const stored = new Map<string, GuildState>();
  const handlers = someHandlers(ChatServiceDefinition, {
    readEvents: ({ cursor, silence_ms }, { signal }) => log.read(cursor, silence_ms ?? 10_000, signal),
    getEvents: async ({ ids, with_states }) => {
      const events = log.events.filter(({ id }) => ids.includes(id));
      if (with_states) {
        chat.states++;
        await chat.beforeStates;
        return { events: events.map((event) => ({ ...event, guild_state: stored.get(event.id) })) };
      }
      fetchEvents.push(ids);
      await chat.beforeEvents;
      return { events };
    },
    getGuildStates: async ({ guild_ids, account_ids }) => {
      chat.states++;
      const failure = chat.statesFail?.(guild_ids, account_ids);
      if (failure !== undefined) throw failure;
      const { guilds, private_channels } = chat.plain;
      const named = guilds.filter(({ row }) => guild_ids.includes(row.id));
      const states = {
        cursor: log.cursor(),
        guilds: named.map((guild) => guildState(guild, account_ids)),
        accounts: account_ids.map((id) => accountState(id, guilds, private_channels[id])),
      };
      await chat.beforeStates;
      return states;
    },
  });
  const implementations = [implement(ChatServiceDefinition, handlers)];
  const server = await serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
  onTestFinished(() => server.close());
  const connection = connect(ChatServiceDefinition, { address: server.address });
  onTestFinished(() => connection.close());
  const chat: ScriptedChat = {
    client: connection.client,
    log,
    plain,
    fetchEvents,
    write: (...events) => {
      const all = events.map(([type, payload, place], index) => {
        const number = String(log.next() + index);
        const event = logEvent(type, payload, { ...place, id: number, xact_id: number });
        chat.plain = after(chat.plain, event);
        const guild = chat.plain.guilds.find(({ row }) => row.id === event.guild_id);
        if (chat.storesStates && type === 'GUILD_CREATE' && guild !== undefined)
          stored.set(number, guildState(guild, event.account_ids));
        return written(event);
      });
      log.write(...all);
      return all.map(({ id }) => id);
    },
    beforeStates: Promise.resolve(),
    states: 0,
    storesStates: true,
    statesFail: undefined,
    beforeEvents: Promise.resolve(),
  };
  return chat;
}

function written({ payload, account_ids, channel_id, guild_id, ...event }: LogEvent): Event {
  return {
    ...event,
    account_ids: [...account_ids],
    channel_id: channel_id ?? null,
    guild_id: guild_id ?? null,
    payload: JSON.stringify(payload),
  };
}
