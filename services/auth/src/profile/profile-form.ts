import { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateCurrentUserRequest } from '@gatehouse/proto/auth';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import { checkPassword, failNul, readEmail, readGlobalName, readUsername } from '../accounts/registration.ts';

/** The requested values of an account. An undefined one stays as it is, null removes it. */
export interface RequestedProfile {
  readonly username: string | undefined;
  readonly email: string | undefined;
  readonly new_password: string | undefined;
  readonly global_name: string | null | undefined;
  readonly bio: string | null | undefined;
  readonly pronouns: string | null | undefined;
  /** 0xRRGGBB. */
  readonly accent_color: number | null | undefined;
  /** A BCP 47 tag in canonical form. */
  readonly locale: string | null | undefined;
  readonly avatar: Upload | null | undefined;
  readonly banner: Upload | null | undefined;
}

const BIO_MAX = 320;
const PRONOUNS_MAX = 40;
const COLOR_MAX = 0xffffff;

/**
 * Reads the changes of the caller's account.
 *
 * @throws INVALID_FORM_BODY with all violations that do not depend on other accounts
 */
export async function readProfileForm(
  uploads: Uploads,
  request: UpdateCurrentUserRequest,
): Promise<RequestedProfile> {
  const form = new Form();
  const username = request.username ?? undefined;
  if (username !== undefined) readUsername(form, username);
  const email = request.email == null ? undefined : readEmail(form, request.email).email;
  const new_password = request.new_password ?? undefined;
  if (new_password !== undefined) checkPassword(form, 'new_password', new_password);

  const plain = {
    username,
    email,
    new_password,
    global_name: readText(form, 'global_name', request.global_name, readGlobalName),
    bio: readText(form, 'bio', request.bio, (_, text) => form.text('bio', text, { max: BIO_MAX })),
    pronouns: readText(form, 'pronouns', request.pronouns, (_, text) =>
      form.text('pronouns', text, { max: PRONOUNS_MAX }),
    ),
    accent_color: request.accent_color == null ? undefined : (request.accent_color.value ?? null),
    locale: readText(form, 'locale', request.locale, readLocale),
  };
  const color = plain.accent_color ?? 0;
  if (color < 0) form.fail('accent_color', 'COLOR_VALUE_TOO_LOW', 'Must be at least 0.');
  if (color > COLOR_MAX) form.fail('accent_color', 'COLOR_VALUE_TOO_HIGH', `Must be at most ${COLOR_MAX}.`);

  // One after the other, because decoded pictures are large.
  const avatar = await readPictureMember(form, 'avatar', request.avatar, uploads);
  const banner = await readPictureMember(form, 'banner', request.banner, uploads);
  form.check();
  return { ...plain, avatar, banner };
}

function readText(
  form: Form,
  path: string,
  member: NullableString | null,
  read: (form: Form, text: string) => string | undefined,
): string | null | undefined {
  if (member === null) return undefined;
  if (member.value == null) return null;
  return failNul(form, path, member.value) ? undefined : read(form, member.value);
}

const LOCALE_MAX = 35; // RFC 5646 §4.4.1

/** A well-formed tag (ECMA-402 §6.2.1) in its canonical form: `DE-ch` becomes `de-CH`. */
function readLocale(form: Form, text: string): string | undefined {
  const [tag] = text.length <= LOCALE_MAX ? canonicalLocales(text) : [];
  if (tag !== undefined && tag.length <= LOCALE_MAX) return tag;
  form.fail('locale', 'INVALID_FORMAT', `Must be a BCP 47 language tag of at most ${LOCALE_MAX} characters.`);
  return undefined;
}

function canonicalLocales(text: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(text);
  } catch {
    return [];
  }
}

/** Undefined if the member is absent, or invalid: the form then has a violation. */
export async function readPictureMember(
  form: Form,
  path: string,
  member: NullableString | null,
  uploads: Uploads,
): Promise<Upload | null | undefined> {
  if (member === null) return undefined;
  if (member.value == null) return null;
  const read = await uploads.store(member.value);
  if (typeof read !== 'string') return read;
  form.fail(path, 'INVALID_FORMAT', read);
  return undefined;
}
