import { ABSENT, type ScopeId } from './event-keys.ts';

/** Every event that an account should receive for a guild or private channel. */
export interface ExpectedStream {
  readonly keys: readonly string[];
  /** The event ID of each key. */
  readonly event_ids: readonly string[];
  /** The positions at which the account saw this state, as numbers of events before them. */
  placesOf(digest: string): readonly number[];
  /** Whether this is the account's state at the end. */
  isAtEnd(digest: string | undefined): boolean;
}

export interface OpenStream extends ExpectedStream {
  deliver(key: string, event_id: string): void;
  /** Records the state between two transactions. */
  place(digest: string): void;
}

/** The expected streams of all accounts. */
export interface ExpectedStreams {
  of(account_id: string, scope: ScopeId): OpenStream;
  scopesOf(account_id: string): readonly ScopeId[];
}

export function expectedStreams(): ExpectedStreams {
  const streams = new Map<string, Map<ScopeId, OpenStream>>();
  return {
    of: (account_id, scope) => {
      const own = streams.get(account_id) ?? new Map<ScopeId, OpenStream>();
      streams.set(account_id, own);
      const stream = own.get(scope) ?? openStream();
      own.set(scope, stream);
      return stream;
    },
    scopesOf: (account_id) => [...(streams.get(account_id)?.keys() ?? [])],
  };
}

function openStream(): OpenStream {
  const keys: string[] = [];
  const event_ids: string[] = [];
  const places = new Map<string, number[]>([[ABSENT, []]]);
  return {
    keys,
    event_ids,
    placesOf: (digest) => places.get(digest) ?? [],
    isAtEnd: (digest = ABSENT) => places.get(digest)?.at(-1) === keys.length,
    deliver: (key, event_id) => {
      keys.push(key);
      event_ids.push(event_id);
    },
    place: (digest) => {
      const all = places.get(digest) ?? [];
      if (all.at(-1) !== keys.length) all.push(keys.length);
      places.set(digest, all);
    },
  };
}
