import { codePoints, Form } from '@gatehouse/kit/form';
import { readTrustedName } from '@gatehouse/kit/trusted-name';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { NullableString } from '@gatehouse/proto/kit/json';
import type { Upload } from '@gatehouse/proto/media';
import type { CreateApplicationRequest, UpdateApplicationRequest } from '@gatehouse/proto/oauth2';
import type { ApplicationChanges, RequestedApplication } from '../store/application.ts';
import { type RedirectUriViolation, redirectUriViolation } from './redirect-uri.ts';

const MAX_REDIRECT_URIS = 10;

const TEXTS: Readonly<Record<RedirectUriViolation, string>> = {
  INVALID_URL_FORMAT: 'Must be an https URL, or http to a loopback host, without fragment and user.',
  URL_LENGTH_INVALID: 'Must be at most 2048 characters long.',
};

const DESCRIPTION_MAX = 400;
const URL_MAX = 2048;

/**
 * Reads the settings of a new application and fills in defaults (docs/oauth2.md#application-settings).
 *
 * @throws INVALID_FORM_BODY; UNAVAILABLE during an outage of media
 */
export async function readApplication(
  request: CreateApplicationRequest,
  uploads: Uploads,
): Promise<RequestedApplication> {
  const form = new Form();
  const name = readName(form, request.name);
  const redirect_uris = readRedirectUris(form, request.redirect_uris);
  const details = await readDetails(form, request, uploads);
  form.check();
  return {
    name,
    redirect_uris,
    bot_public: request.bot_public ?? true,
    bot_require_code_grant: request.bot_require_code_grant ?? false,
    public: request.public ?? false,
    icon: details.icon ?? null,
    description: details.description ?? null,
    terms_url: details.terms_url ?? null,
    privacy_url: details.privacy_url ?? null,
  };
}

/** Reads the changes of an application by the same rules. Absent members stay unchanged. @throws the same */
export async function readApplicationChanges(
  request: Omit<UpdateApplicationRequest, 'application_id'>,
  uploads: Uploads,
): Promise<ApplicationChanges> {
  const form = new Form();
  const name = request.name == null ? undefined : readName(form, request.name);
  const redirect_uris =
    request.redirect_uris == null ? undefined : readRedirectUris(form, request.redirect_uris.items);
  const details = await readDetails(form, request, uploads);
  form.check();
  return {
    ...details,
    ...(name !== undefined && { name }),
    ...(redirect_uris !== undefined && { redirect_uris }),
    ...(request.bot_public != null && { bot_public: request.bot_public }),
    ...(request.bot_require_code_grant != null && {
      bot_require_code_grant: request.bot_require_code_grant,
    }),
    ...(request.public != null && { public: request.public }),
  };
}

type Details = Pick<CreateApplicationRequest, 'icon' | 'description' | 'terms_url' | 'privacy_url'>;

/** The members that may be null. The icon is stored last, and only if the rest is valid. */
async function readDetails(form: Form, request: Details, uploads: Uploads): Promise<ApplicationChanges> {
  const description = readNullable(request.description, (text) => readDescription(form, text));
  const terms_url = readNullable(request.terms_url, (text) => readUrl(form, 'terms_url', text));
  const privacy_url = readNullable(request.privacy_url, (text) => readUrl(form, 'privacy_url', text));
  const icon = form.violations.length > 0 ? undefined : await readIcon(form, request.icon, uploads);
  return {
    ...(description !== undefined && { description }),
    ...(terms_url !== undefined && { terms_url }),
    ...(privacy_url !== undefined && { privacy_url }),
    ...(icon !== undefined && { icon }),
  };
}

function readNullable(
  member: NullableString | null | undefined,
  read: (text: string) => string | null,
): string | null | undefined {
  if (member == null) return undefined;
  return member.value == null ? null : read(member.value);
}

function readDescription(form: Form, text: string): string | null {
  if (text.includes('\0')) form.fail('description', 'INVALID_FORMAT', 'Must be text without NUL.');
  return form.text('description', text, { max: DESCRIPTION_MAX, trim: true }) || null;
}

function readUrl(form: Form, path: string, text: string): string {
  if (codePoints(text) > URL_MAX) {
    form.fail(path, 'URL_LENGTH_INVALID', `Must be at most ${URL_MAX} characters long.`);
  } else if (!/^https:\/\/[^\s\0]+$/i.test(text) || !URL.canParse(text)) {
    form.fail(path, 'INVALID_URL_FORMAT', 'Must be an https URL.');
  }
  return text;
}

async function readIcon(
  form: Form,
  member: NullableString | null | undefined,
  uploads: Uploads,
): Promise<Upload | null | undefined> {
  if (member == null) return undefined;
  if (member.value == null) return null;
  const stored = await uploads.store(member.value);
  if (typeof stored !== 'string') return stored;
  form.fail('icon', 'INVALID_FORMAT', stored);
  return undefined;
}

function readName(form: Form, text: string): string {
  return readTrustedName(form, 'name', text, { max: 100 });
}

function readRedirectUris(form: Form, uris: readonly string[]): string[] {
  if (uris.length > MAX_REDIRECT_URIS) {
    form.fail('redirect_uris', 'INVALID_FORMAT', `Must be at most ${MAX_REDIRECT_URIS} URLs.`);
  }
  for (const [index, uri] of uris.slice(0, MAX_REDIRECT_URIS).entries()) {
    const code = redirectUriViolation(uri);
    if (code !== undefined) form.fail(`redirect_uris.${index}`, code, TEXTS[code]);
  }
  return [...uris];
}
