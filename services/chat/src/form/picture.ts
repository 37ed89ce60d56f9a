import type { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';

/** Has a picture of a form stored: undefined is left out, null is none. @throws UNAVAILABLE while media is away */
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
