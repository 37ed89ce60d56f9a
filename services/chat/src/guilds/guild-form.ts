import { Form } from '@gatehouse/kit/form';
import { readTrustedName } from '@gatehouse/kit/trusted-name';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import { storePicture } from '../form/picture.ts';

/** @throws INVALID_FORM_BODY */
export function readGuildName(name: string): string {
  const form = new Form();
  const text = readTrustedName(form, 'name', name, { max: 100 });
  form.check();
  return text;
}

/** Has an icon stored: undefined is left out, null is none. @throws INVALID_FORM_BODY; UNAVAILABLE while media is away */
export async function readIcon(
  uploads: Uploads,
  icon: NullableString | null | undefined,
): Promise<Upload | null | undefined> {
  const form = new Form();
  const stored = await storePicture(form, 'icon', icon, uploads);
  form.check();
  return stored;
}
