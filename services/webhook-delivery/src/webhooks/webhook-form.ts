import { Form } from '@gatehouse/kit/form';
import type { Call } from '@gatehouse/kit/rpc';
import { type Origin, Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { invalidWebhook } from '../errors.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { NAME_LIMIT } from './webhook.ts';

/**
 * The name and avatar from the request. Null or absent members stay unchanged; an avatar without a value removes it.
 */
export interface WebhookForm {
  readonly name?: string | null | undefined;
  readonly avatar: NullableString | null;
}

/** The name and avatar to set. Absent members stay unchanged. */
export type WebhookChanges = Partial<Pick<WebhookRow, 'name' | 'avatar'>>;

const PUBLISH_TIMEOUT_MS = 5_000;

/**
 * Reads name and avatar (docs/webhooks.md#name-and-avatar). A picture is published, irrevocably, before a webhook
 * refers to it, so that no webhook shows a missing picture. A refused request leaves no picture.
 *
 * @param checkAgain repeats the checks of the request after the picture is read, which may take seconds
 * @param origin the guild of the webhook, and the sender of the picture if that is not the caller
 * @throws BAD_REQUEST with a violation for each invalid member; SERVICE_UNAVAILABLE for a picture while media is
 * unavailable
 */
export async function readWebhookForm(
  { media }: Pick<Deps, 'media'>,
  { name, avatar }: WebhookForm,
  call: Call,
  checkAgain: () => Promise<unknown>,
  origin: Origin,
): Promise<WebhookChanges> {
  const uploads = new Uploads(media, call, origin);
  let published: Upload | undefined;
  try {
    const form = new Form();
    const changes: { name?: string; avatar?: string | null } = {};
    if (name != null) changes.name = readName(form, name);
    const picture = avatar?.value == null ? undefined : await uploads.store(avatar.value);
    if (typeof picture === 'string') form.fail('avatar', 'INVALID_FORMAT', picture);
    if (form.violations.length > 0) throw invalidWebhook(form.violations);
    if (typeof picture === 'object') {
      await checkAgain();
      await media.publishPicture({ upload: picture }, { timeoutMs: PUBLISH_TIMEOUT_MS, parent: call });
      published = picture;
    }
    if (avatar !== null) changes.avatar = published?.hash ?? null;
    return changes;
  } finally {
    uploads.dropAllBut([published]);
  }
}

function readName(form: Form, name: string): string {
  // The edge rejects it, but other callers may not, and PostgreSQL cannot store NUL.
  if (name.includes('\0')) form.fail('name', 'INVALID_FORMAT', 'Must not contain a NUL character.');
  return form.text('name', name, {
    min: 1,
    max: NAME_LIMIT,
    trim: true,
    code: 'WEBHOOK_NAME_LENGTH_INVALID',
  });
}
