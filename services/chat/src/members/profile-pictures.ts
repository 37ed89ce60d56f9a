import { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateOwnMemberRequest } from '@gatehouse/proto/chat';
import type { Upload } from '@gatehouse/proto/media';
import { storePicture } from '../form/store-picture.ts';

/** Stored pictures of a member: undefined leaves one unchanged, null removes it. */
export interface ProfilePictures {
  readonly avatar: Upload | null | undefined;
  readonly banner: Upload | null | undefined;
}

/**
 * Stores the pictures of a member's new profile at media.
 *
 * @throws INVALID_FORM_BODY; UNAVAILABLE during an outage of media
 */
export async function storePictures(
  uploads: Uploads,
  request: Pick<UpdateOwnMemberRequest, 'avatar' | 'banner'>,
): Promise<ProfilePictures> {
  const form = new Form();
  // One after the other, since decoded pictures are large.
  const avatar = await storePicture(form, 'avatar', request.avatar, uploads);
  const banner = await storePicture(form, 'banner', request.banner, uploads);
  form.check();
  return { avatar, banner };
}

/** The hash of a picture, as profiles have it. */
export function hashOf(picture: Upload | null | undefined): string | null | undefined {
  return picture === undefined ? undefined : (picture?.hash ?? null);
}
