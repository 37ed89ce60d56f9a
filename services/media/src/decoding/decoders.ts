import type { Logger } from '@gatehouse/kit/log';
import type { Decoded } from './decoded.ts';
import { type Decoder, type DecoderBounds, startDecoder } from './decoder.ts';

export interface Decoders {
  /**
   * Decodes an image in a process of its own. Whoever calls it bounds how many are decoded at once.
   * @throws UNAVAILABLE when the process ends by itself
   */
  decode(bytes: Buffer): Promise<Decoded | string>;
  /** Ends all of them, whatever they do. */
  close(): void;
}

/** One that has had nothing to do for so long is ended: a service that sees no pictures does without its memory. */
const IDLE_MS = 60_000;

/** Processes that decode, started with the first pictures. */
export function openDecoders(bounds: DecoderBounds, log: Logger): Decoders {
  const all = new Set<Decoder>();
  let closed = false;
  const idle: { decoder: Decoder; timer: NodeJS.Timeout }[] = [];

  async function take(): Promise<Decoder> {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.decoder.alive) return last.decoder;
      all.delete(last.decoder);
    }
    const decoder = await startDecoder(bounds);
    log.info({ decoder: decoder.pid }, 'decoder started');
    all.add(decoder);
    if (closed) decoder.kill();
    return decoder;
  }

  function giveBack(decoder: Decoder): void {
    if (!decoder.alive) {
      all.delete(decoder);
      log.warn({ decoder: decoder.pid }, 'decoder ended in the middle of a picture');
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.decoder === decoder),
        1,
      );
      all.delete(decoder);
      decoder.kill();
    }, IDLE_MS).unref();
    idle.push({ decoder, timer });
  }

  return {
    decode: async (bytes) => {
      const decoder = await take();
      try {
        return await decoder.decode(bytes);
      } finally {
        giveBack(decoder);
      }
    },
    close: () => {
      closed = true;
      for (const { timer } of idle) clearTimeout(timer);
      for (const decoder of all) decoder.kill();
    },
  };
}
