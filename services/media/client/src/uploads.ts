import type { Call, Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition, Upload } from '@gatehouse/proto/media';

/** The deadline of a request: a picture may wait in media's queue all that time. */
const STORE_TIMEOUT_MS = 10_000;
const DROP_TIMEOUT_MS = 5_000;

/** The sender and the guild of uploads, for media's limits. */
export interface Origin {
  /** The pictures of a sender are decoded one by one and share a daily limit. The caller by default. */
  readonly sender?: string | undefined;
  /** The guild whose daily limit also counts the pictures. */
  readonly guild_id?: string;
}

/** The pictures of a request, stored at media while the request is checked. */
export class Uploads {
  readonly #media: Client<typeof MediaServiceDefinition>;
  readonly #call: Call;
  readonly #origin: Origin;
  readonly #stored: Upload[] = [];

  constructor(media: Client<typeof MediaServiceDefinition>, call: Call, origin: Origin = {}) {
    this.#media = media;
    this.#call = call;
    this.#origin = origin;
  }

  /** Stores a picture. Returns the reason as text if it is refused. @throws UNAVAILABLE while media is unavailable */
  async store(text: string): Promise<Upload | string> {
    const { sender = this.#call.caller.account_id, guild_id } = this.#origin;
    const { upload, refusal } = await this.#media.storePicture(
      { text, sender, guild_id },
      { timeoutMs: STORE_TIMEOUT_MS, parent: this.#call },
    );
    if (refusal != null) return refusal;
    if (upload == null) throw new Error('media neither stored nor refused a picture');
    this.#stored.push(upload);
    return upload;
  }

  /** Drops the other uploads. Uploads that are never dropped expire after a day. */
  dropAllBut(kept: readonly (Upload | null | undefined)[]): void {
    const ids = this.#stored.filter((upload) => !kept.includes(upload)).map(({ id }) => id);
    if (ids.length === 0) return;
    this.#media.dropUploads({ ids }, { timeoutMs: DROP_TIMEOUT_MS }).catch((error: unknown) => {
      this.#call.log.info({ err: error }, 'uploads were not dropped; they will expire');
    });
  }
}
