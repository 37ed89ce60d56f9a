import { type Concurrency, type ConcurrencyWatch, concurrency } from '@gatehouse/kit/queues/concurrency';
import { traced } from '@gatehouse/kit/trace/current-span';
import type { Decoded } from './decoded.ts';

/** Decodes an image completely. Returns the reason as text if it is refused. */
export type Decode = (bytes: Buffer, sender: Sender) => Promise<Decoded | string>;

/** The sender of an image. */
export interface Sender {
  /** Such as an account ID. */
  readonly id: string;
  /** An image of a cancelled request is not decoded. */
  readonly signal: AbortSignal;
}

/** Each waiting image holds up to 14 MB of base64. */
const MAX_WAITING = 32;
/** Limits of one sender: an expensive image takes seconds, so a sender delays others by one image at most. */
const SENDER_LIMITS = { at_once: 1, max_waiting: 32 };

/**
 * Decodes as many images at a time as there are decoders, in order of arrival, but only one per sender. An image over
 * the queue limits is UNAVAILABLE.
 */
export function limitDecoding(
  decode: (bytes: Buffer) => Promise<Decoded | string>,
  decoders: number,
  watch?: ConcurrencyWatch,
): Decode {
  const limit = concurrency({ at_once: decoders, max_waiting: MAX_WAITING, watch });
  const senders = new Map<string, { limit: Concurrency; open: number }>();
  return async (bytes, { id, signal }) => {
    const sender = senders.get(id) ?? { limit: concurrency(SENDER_LIMITS), open: 0 };
    senders.set(id, sender);
    sender.open++;
    try {
      return await traced('decode picture', 'internal', {}, () =>
        sender.limit(() => limit(() => decode(bytes), signal), signal),
      );
    } finally {
      if (--sender.open === 0) senders.delete(id);
    }
  };
}
