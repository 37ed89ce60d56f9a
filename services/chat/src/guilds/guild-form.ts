import { Form } from '@gatehouse/kit/form';
import { readTrustedName } from '@gatehouse/kit/trusted-name';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import { storePicture } from '../form/store-picture.ts';

/** @throws INVALID_FORM_BODY */
export function readGuildName(name: string): string {
  const form = new Form();
  const text = readTrustedName(form, 'name', name, { max: 100 });
  form.check();
  return text;
}

/**
 * Stores an icon at media: undefined if it is absent, null to remove it.
 *
 * @throws INVALID_FORM_BODY; UNAVAILABLE during an outage of media
 */
export async function readIcon(
  uploads: Uploads,
  icon: NullableString | null | undefined,
): Promise<Upload | null | undefined> {
  const form = new Form();
  const stored = await storePicture(form, 'icon', icon, uploads);
  form.check();
  return stored;
}
