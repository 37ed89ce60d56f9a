import { type Concurrency, concurrency, type TurnWatch } from '@gatehouse/kit/queues/concurrency';
import { traced } from '@gatehouse/kit/trace/current-span';
import type { Decoded } from './decoded.ts';

/** Decodes an image to its end; a text says why that failed. */
export type Decode = (bytes: Buffer, sender: Sender) => Promise<Decoded | string>;

/** Who sends an image. */
export interface Sender {
  /** Such as an account. */
  readonly id: string;
  /** Nothing is begun for one who has gone. */
  readonly signal: AbortSignal;
}

/** Of each picture up to 14 MB of base64 wait with it. */
const MAX_WAITING = 32;
/** Of one sender: the dearest images take seconds, and others are not to wait for more than one of them. */
const OF_ONE_SENDER = { at_once: 1, max_waiting: 32 };

/**
 * As many images at a time as there are decoders, in the order of their arrival; a sender's next one comes in when
 * its last is done. What would wait too long is UNAVAILABLE.
 */
export function decodeInTurn(
  decode: (bytes: Buffer) => Promise<Decoded | string>,
  decoders: number,
  watch?: TurnWatch,
): Decode {
  const inTurn = concurrency({ at_once: decoders, max_waiting: MAX_WAITING, watch });
  const senders = new Map<string, { inTurn: Concurrency; open: number }>();
  return async (bytes, { id, signal }) => {
    const sender = senders.get(id) ?? { inTurn: concurrency(OF_ONE_SENDER), open: 0 };
    senders.set(id, sender);
    sender.open++;
    try {
      return await traced('decode picture', 'internal', {}, () =>
        sender.inTurn(() => inTurn(() => decode(bytes), signal), signal),
      );
    } finally {
      if (--sender.open === 0) senders.delete(id);
    }
  };
}
