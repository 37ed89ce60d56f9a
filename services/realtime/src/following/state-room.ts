import type { World } from '../world/world.ts';

/** How much state of guilds and accounts is kept, and whether there is room for more. */
export interface StateRoom {
  /** About the bytes that are kept, and that are being loaded. */
  bytes(): number;
  /** State that is being loaded. */
  load(): LoadingState;
}

export interface LoadingState {
  /** More was read. False: there is no room for all that this load has read. */
  add(bytes: number): boolean;
  /** Ends sessions of accounts that have twice as much of the state as this load, until there is room for it. False: there is none. */
  makeRoom(): boolean;
  /** It is in the world now. */
  keep(): void;
  /** Of what is not kept nothing counts any more. */
  end(): void;
}

export interface StateRoomOptions {
  readonly world: Pick<World<unknown>, 'bytes' | 'bytesByAccount'>;
  readonly max_bytes: number;
  readonly endSessions: (account_id: string) => void;
}

const MEASURED_FOR_MS = 1_000;
/** An account gives way to one with half as much: equals would take turns in ending each other's sessions. */
const TIMES_AS_MUCH = 2;
/** What is kept is measured again after each account whose sessions end. */
const MAX_ENDED = 32;

/**
 * Bounds the state. A load may take half of the room that is left, so that others with little still find room beside it.
 * Where there is no room, the accounts that have most of the state give way to those with far less. What events add to guilds
 * that are kept is counted and never refused, as chat bounds it.
 */
export function stateRoom({ world, max_bytes, endSessions }: StateRoomOptions): StateRoom {
  let measured = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let loading = 0;

  /** All of it is gone through, so it is not measured for every load. */
  function kept(): number {
    if (performance.now() - measuredAt > MEASURED_FOR_MS) measure();
    return measured;
  }

  function measure(): void {
    measured = world.bytes();
    measuredAt = performance.now();
  }

  function load(): LoadingState {
    let own = 0;
    const fits = (): boolean => own <= (max_bytes - kept() - (loading - own)) / 2;
    return {
      add: (bytes) => {
        own += bytes;
        loading += bytes;
        return fits();
      },
      makeRoom: () => {
        const larger = [...world.bytesByAccount()].filter(([, bytes]) => bytes > TIMES_AS_MUCH * own);
        larger.sort(([, one], [, other]) => other - one);
        for (const [account_id] of larger.slice(0, MAX_ENDED)) {
          if (fits()) return true;
          endSessions(account_id);
          measure();
        }
        return fits();
      },
      keep: () => {
        loading -= own;
        measured += own; // until it is measured: too much rather than too little
        own = 0;
      },
      end: () => {
        loading -= own;
        own = 0;
      },
    };
  }

  return { bytes: () => kept() + loading, load };
}
