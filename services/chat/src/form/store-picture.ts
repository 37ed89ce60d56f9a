import type { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';

/**
 * Stores a form's picture at media: undefined if it is absent, null to remove it.
 *
 * @throws UNAVAILABLE during an outage of media
 */
export async function storePicture(
  form: Form,
  path: string,
  picture: NullableString | null | undefined,
  uploads: Uploads,
): Promise<Upload | null | undefined> {
  if (picture == null) return undefined;
  if (picture.value == null) return null;
  const stored = await uploads.store(picture.value);
  if (typeof stored !== 'string') return stored;
  form.fail(path, 'INVALID_FORMAT', stored);
  return undefined;
}
