import type { Call, Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition, Upload } from '@gatehouse/proto/media';

/** The pictures that a request brings, stored at media before it is known what comes of the request. */
export interface Uploads {
  /** Stores a picture; a text says what is wrong with it. @throws UNAVAILABLE while media is away */
  store(text: string): Promise<Upload | string>;
  /** Gives up those that came to nothing; without it they are gone in a day. */
  dropAllBut(kept: readonly (Upload | null | undefined)[]): void;
}

/** A picture may wait for others, as long as its request does. */
const STORE_TIMEOUT_MS = 10_000;
const DROP_TIMEOUT_MS = 5_000;

/** Whose pictures they are. */
export interface Origin {
  /** Whose pictures wait for each other, and count against one day; the caller unless given. */
  readonly sender?: string | undefined;
  /** Whose day they count against too. */
  readonly guild_id?: string;
}

export function openUploads(
  media: Client<typeof MediaServiceDefinition>,
  call: Call,
  { sender = call.caller.account_id, guild_id }: Origin = {},
): Uploads {
  const stored: Upload[] = [];
  return {
    store: async (text) => {
      const { upload, refusal } = await media.storePicture(
        { text, sender, guild_id },
        { timeoutMs: STORE_TIMEOUT_MS, parent: call },
      );
      if (refusal != null) return refusal;
      if (upload == null) throw new Error('media neither stored nor refused a picture');
      stored.push(upload);
      return upload;
    },
    dropAllBut: (kept) => {
      const ids = stored.filter((upload) => !kept.includes(upload)).map(({ id }) => id);
      if (ids.length === 0) return;
      media.dropUploads({ ids }, { timeoutMs: DROP_TIMEOUT_MS }).catch((error: unknown) => {
        call.log.info({ err: error }, 'uploads were not dropped; they end by themselves');
      });
    },
  };
}
