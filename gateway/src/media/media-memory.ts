import { unavailable } from '@gatehouse/kit/fault';

/** What one client's picture takes of the memory. */
export interface Room {
  /** Once its client has gone, nothing is taken. @throws UNAVAILABLE when there is not as much left */
  take(bytes: number): void;
  /** Gives it back. */
  leave(): void;
}

/**
 * The memory for pictures on their way to clients. Each client takes a part's when it begins and keeps it to the end:
 * what is refused is a further client, never a picture's next part.
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
