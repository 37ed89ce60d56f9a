import type { Call, Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition, Upload } from '@gatehouse/proto/media';

type Media = Client<typeof MediaServiceDefinition>;

/** A picture may wait for others, as long as its request does. */
const STORE_TIMEOUT_MS = 10_000;
const SHORT_TIMEOUT_MS = 5_000;

/** Stores a picture at media; a text says what is wrong with it. */
export async function storeAvatar(media: Media, text: string, call: Call): Promise<Upload | string> {
  const { upload, refusal } = await media.storePicture(
    { text, sender: call.caller.account_id },
    { timeoutMs: STORE_TIMEOUT_MS, within: call },
  );
  if (refusal != null) return refusal;
  if (upload == null) throw new Error('media neither stored nor refused a picture');
  return upload;
}

/**
 * Makes a stored picture readable, for good: before its webhook is made, so that no webhook shows a picture that is
 * not there. One whose webhook is refused after that stays.
 */
export async function publishAvatar(media: Media, upload: Upload, call: Call): Promise<void> {
  await media.publishPicture({ upload }, { timeoutMs: SHORT_TIMEOUT_MS, within: call });
}

/** Gives up a picture that came to nothing; without it, it is gone in a day. */
export function dropAvatar(media: Media, { id }: Upload, call: Call): void {
  media.dropUploads({ ids: [id] }, { timeoutMs: SHORT_TIMEOUT_MS }).catch((error: unknown) => {
    call.log.info({ err: error }, 'an upload was not dropped; it ends by itself');
  });
}
