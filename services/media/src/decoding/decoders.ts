import type { Logger } from '@gatehouse/kit/log';
import type { Decoded } from './decoded.ts';
import { Decoder, type DecoderBounds } from './decoder.ts';

/** Idle time after which a decoder is killed, to free its memory. */
const IDLE_MS = 60_000;

/** Decoder processes, started on demand. The caller limits how many images are decoded at once. */
export class Decoders {
  readonly #bounds: DecoderBounds;
  readonly #log: Logger;
  readonly #all = new Set<Decoder>();
  readonly #idle: { readonly decoder: Decoder; readonly timer: NodeJS.Timeout }[] = [];
  #closed = false;

  constructor(bounds: DecoderBounds, log: Logger) {
    this.#bounds = bounds;
    this.#log = log;
  }

  /** Decodes an image. Returns the reason as text if it is refused. @throws UNAVAILABLE if the process ends by itself */
  async decode(bytes: Buffer): Promise<Decoded | string> {
    const decoder = await this.#take();
    try {
      return await decoder.decode(bytes);
    } finally {
      this.#giveBack(decoder);
    }
  }

  /** Kills all processes, busy ones too. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const decoder of this.#all) decoder.kill();
  }

  async #take(): Promise<Decoder> {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      clearTimeout(last.timer);
      if (last.decoder.alive) return last.decoder;
      this.#all.delete(last.decoder);
    }
    const decoder = await Decoder.start(this.#bounds);
    this.#log.info({ decoder: decoder.pid }, 'decoder started');
    this.#all.add(decoder);
    if (this.#closed) decoder.kill();
    return decoder;
  }

  #giveBack(decoder: Decoder): void {
    if (decoder.alive) {
      const timer = setTimeout(() => this.#endIdle(decoder), IDLE_MS).unref();
      this.#idle.push({ decoder, timer });
    } else {
      this.#all.delete(decoder);
      this.#log.warn({ decoder: decoder.pid }, 'decoder ended in the middle of a picture');
    }
  }

  #endIdle(decoder: Decoder): void {
    const index = this.#idle.findIndex((one) => one.decoder === decoder);
    this.#idle.splice(index, 1);
    this.#all.delete(decoder);
    decoder.kill();
  }
}
