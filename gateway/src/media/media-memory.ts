import { unavailable } from '@gatehouse/kit/fault';

/** The memory of one client's picture. */
export interface Room {
  /**
   * Takes nothing once the client has gone.
   *
   * @throws UNAVAILABLE if too little is left
   */
  take(bytes: number): void;
  /** Gives the memory back. */
  leave(): void;
}

/**
 * The memory for pictures on their way to clients. Each client takes the memory of one part at the beginning and
 * keeps it to the end: a further client may be refused, never a picture's next part.
 */
export function mediaMemory(max_bytes: number, onRefused: () => void): { room(): Room } {
  let total = 0;
  return {
    room: () => {
      let taken = 0;
      let left = false;
      return {
        take: (bytes) => {
          if (left) return;
          if (total + bytes > max_bytes) {
            onRefused();
            throw unavailable(new Error(`${total} of ${max_bytes} are held already`));
          }
          taken += bytes;
          total += bytes;
        },
        leave: () => {
          left = true;
          total -= taken;
          taken = 0;
        },
      };
    },
  };
}
