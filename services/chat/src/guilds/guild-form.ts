import { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import { readText } from '../messages/text.ts';

/** Undefined where it is left out. @throws INVALID_FORM_BODY */
export function readGuildName(name: string | null | undefined): string | undefined {
  if (name == null) return undefined;
  const form = new Form();
  const text = readText(form, 'name', name, { min: 1, max: 100, trim: true });
  form.check();
  return text;
}

/** Has an icon stored: undefined is left out, null is none. @throws INVALID_FORM_BODY; UNAVAILABLE while media is away */
export async function readIcon(
  uploads: Uploads,
  icon: NullableString | null | undefined,
): Promise<Upload | null | undefined> {
  if (icon == null) return undefined;
  if (icon.value == null) return null;
  const stored = await uploads.store(icon.value);
  if (typeof stored !== 'string') return stored;
  const form = new Form();
  form.fail('icon', 'INVALID_FORMAT', stored);
  form.check();
  return undefined;
}
