import {
  type ClientGuild,
  type ClientPrivateChannel,
  clientGuildDigest,
  clientPrivateDigest,
  clientTold,
} from './client-told.ts';
import type { ScopeId } from './told.ts';

/** What a reader heard, from each Identify to the next. */
export interface Heard {
  readonly segments: readonly Segment[];
  /** @throws Error when it is nothing that a reader should hear */
  take(t: string, d: unknown, s: number): void;
}

export interface Segment {
  readonly session_id: string;
  /** Where it began, and how it went on. */
  readonly history: string[];
  /** What the session was shown at its beginning; where it is not shown anything, it is in none. */
  readonly starts: ReadonlyMap<ScopeId, string>;
  /** Guilds that a bot was promised and has not been shown yet. */
  readonly promised: ReadonlySet<ScopeId>;
  readonly told: ReadonlyMap<ScopeId, readonly HeardEvent[]>;
}

export interface HeardEvent {
  readonly s: number;
  readonly key: string;
}

interface OpenSegment extends Segment {
  readonly starts: Map<ScopeId, string>;
  readonly promised: Set<ScopeId>;
  readonly told: Map<ScopeId, HeardEvent[]>;
}

interface ClientReady {
  readonly session_id: string;
  readonly guilds: readonly (ClientGuild & { readonly unavailable?: boolean })[];
  readonly private_channels: readonly ClientPrivateChannel[];
}

export function heard(account_id: string): Heard {
  const segments: OpenSegment[] = [];
  const begin = ({ session_id, guilds, private_channels }: ClientReady): OpenSegment => {
    const whole = guilds.filter(({ unavailable }) => unavailable !== true);
    const shown = [
      ...whole.map((guild) => [guild.id, clientGuildDigest(guild, account_id)] as const),
      ...private_channels.map((channel) => [channel.id, clientPrivateDigest(channel)] as const),
    ];
    const promised = guilds.filter(({ unavailable }) => unavailable === true).map(({ id }) => id);
    return { session_id, history: [], starts: new Map(shown), promised: new Set(promised), told: new Map() };
  };
  return {
    segments,
    take: (t, d, s) => {
      if (t === 'READY') {
        segments.push(begin(d as ClientReady)); // tests elsewhere hold its form
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
      const told = clientTold(t, d, account_id);
      if (told === undefined) throw new Error(`${t} is not of these streams`);
      const all = segment.told.get(told.scope) ?? [];
      segment.told.set(told.scope, all);
      all.push({ s, key: told.key });
    },
  };
}
