import {
  type ClientGuild,
  type ClientPrivateChannel,
  clientEventKey,
  clientGuildDigest,
  clientPrivateDigest,
} from './client-event-keys.ts';
import type { ScopeId } from './event-keys.ts';

/** The events that a reader received, one segment per Identify. */
export interface ReceivedStream {
  readonly segments: readonly Segment[];
  /** @throws Error for an unexpected event type */
  take(t: string, d: unknown, s: number): void;
}

export interface Segment {
  readonly session_id: string;
  /** Connection history of the session, as readable text. */
  readonly history: string[];
  /** The initial state of each scope. Absent for scopes that the account is not in. */
  readonly starts: ReadonlyMap<ScopeId, string>;
  /** Guilds announced as unavailable whose GUILD_CREATE has not arrived. */
  readonly promised: ReadonlySet<ScopeId>;
  readonly receivedEvents: ReadonlyMap<ScopeId, readonly KeyedEvent[]>;
}

export interface KeyedEvent {
  readonly s: number;
  readonly key: string;
}

interface OpenSegment extends Segment {
  readonly starts: Map<ScopeId, string>;
  readonly promised: Set<ScopeId>;
  readonly receivedEvents: Map<ScopeId, KeyedEvent[]>;
}

interface ClientReady {
  readonly session_id: string;
  readonly guilds: readonly (ClientGuild & { readonly unavailable?: boolean })[];
  readonly private_channels: readonly ClientPrivateChannel[];
}

export function receivedStream(account_id: string): ReceivedStream {
  const segments: OpenSegment[] = [];
  const begin = ({ session_id, guilds, private_channels }: ClientReady): OpenSegment => {
    const whole = guilds.filter(({ unavailable }) => unavailable !== true);
    const shown = [
      ...whole.map((guild) => [guild.id, clientGuildDigest(guild, account_id)] as const),
      ...private_channels.map((channel) => [channel.id, clientPrivateDigest(channel)] as const),
    ];
    const promised = guilds.filter(({ unavailable }) => unavailable === true).map(({ id }) => id);
    return {
      session_id,
      history: [],
      starts: new Map(shown),
      promised: new Set(promised),
      receivedEvents: new Map(),
    };
  };
  return {
    segments,
    take: (t, d, s) => {
      if (t === 'READY') {
        segments.push(begin(d as ClientReady)); // other tests assert its shape
        return;
      }
      const segment = segments.at(-1);
      if (segment === undefined) throw new Error(`${t} before READY`);
      if (t === 'RESUMED') return;
      const guild = d as ClientGuild; // if it is one
      if (t === 'GUILD_CREATE' && segment.promised.delete(guild.id)) {
        segment.starts.set(guild.id, clientGuildDigest(guild, account_id));
        return;
      }
      const receivedEvents = clientEventKey(t, d, account_id);
      if (receivedEvents === undefined) throw new Error(`${t} is not of these streams`);
      const all = segment.receivedEvents.get(receivedEvents.scope) ?? [];
      segment.receivedEvents.set(receivedEvents.scope, all);
      all.push({ s, key: receivedEvents.key });
    },
  };
}
