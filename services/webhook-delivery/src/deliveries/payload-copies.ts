import type { Payload } from '../store/delivery.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { eventName } from './event-name.ts';

/** The longest payload that is kept. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;

const MAX_CONTENT_TYPE = 256;

interface Sent {
  readonly webhook: Pick<WebhookRow, 'token'>;
  readonly content_type?: string | null | undefined;
  readonly event?: string | null | undefined;
  readonly body: Uint8Array;
}

/** Copies of payloads that wait for the database. They have a bounded size in all; above it, further ones are not kept. */
export class PayloadCopies {
  readonly #max_bytes: number;
  readonly #onLost: () => void;
  #bytes = 0;

  constructor(max_bytes: number, onLost: () => void) {
    this.#max_bytes = max_bytes;
    this.#onLost = onLost;
  }

  /** Undefined for a payload that is too long, or that contains the webhook's token. */
  copy({ webhook, content_type, event, body }: Sent): Payload | undefined {
    const { length } = body;
    if (length > MAX_PAYLOAD_BYTES || (content_type ?? '').length > MAX_CONTENT_TYPE) return undefined;
    const bytes = Buffer.from(body); // a copy: the original may be a part of a longer frame
    if (bytes.includes(webhook.token)) return undefined;
    if (this.#bytes + length > this.#max_bytes) {
      this.#onLost();
      return undefined;
    }
    this.#bytes += length;
    return { content_type: content_type ?? null, event: eventName(event), body: bytes };
  }

  /** Call it once for each copy, when it is stored or lost. */
  release(copy: Payload | undefined): void {
    this.#bytes -= copy?.body.length ?? 0;
  }
}
