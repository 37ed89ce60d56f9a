import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { CLOSE } from '../support/codes.ts';
import type { Random } from './random.ts';

/** A reader's connection, for faults. */
export interface FaultyConnection {
  readonly socket: WebSocket;
  /** Makes the reader ignore this connection and open another. */
  leave(why: string): void;
  /** Makes the reader drop its session. */
  endSession(): void;
}

/** The faults, one of which is picked at random. */
const FAULTS: readonly ((connection: FaultyConnection, random: Random) => void)[] = [
  function breaks({ socket, leave }) {
    leave('broken');
    socket.terminate();
  },
  function isClosed({ socket, leave }) {
    leave('closed');
    socket.close(CLOSE.UNKNOWN_ERROR);
  },
  function isReadNoMore({ socket, leave }, random) {
    socket.pause();
    void pause(random.below(2_500)).then(() => {
      leave('not read');
      socket.terminate();
    });
  },
  function isReadLate({ socket }, random) {
    socket.pause();
    void pause(random.below(2_000)).then(() => socket.resume());
  },
  /** The session moves to another connection while this one hangs. */
  function hangs({ socket, leave }, random) {
    leave('abandoned');
    void pause(random.below(3_000)).then(() => socket.terminate());
  },
  function endsForGood({ socket, leave, endSession }, random) {
    if (random.chance(0.7)) return;
    leave('ended');
    socket.close(1000);
    endSession();
  },
];

export function causeFault(connection: FaultyConnection, random: Random): void {
  random.pick(FAULTS)(connection, random);
}
