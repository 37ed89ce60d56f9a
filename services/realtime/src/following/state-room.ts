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
  /** It is in the world now. */
  keep(): void;
  /** Of what is not kept nothing counts any more. */
  end(): void;
}

const MEASURED_FOR_MS = 1_000;

/**
 * Bounds the state. A load may take half of the room that is left: however much a few accounts bring, others with little
 * still find room. What events add to guilds that are kept is counted and never refused, as chat bounds it.
 */
export function stateRoom(world: Pick<World<unknown>, 'bytes'>, max_bytes: number): StateRoom {
  let measured = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let loading = 0;

  /** All of it is gone through, so it is not measured for every load. */
  function kept(): number {
    const now = performance.now();
    if (now - measuredAt > MEASURED_FOR_MS) {
      measured = world.bytes();
      measuredAt = now;
    }
    return measured;
  }

  return {
    bytes: () => kept() + loading,
    load: () => {
      let own = 0;
      return {
        add: (bytes) => {
          own += bytes;
          loading += bytes;
          return own <= (max_bytes - kept() - (loading - own)) / 2;
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
    },
  };
}
