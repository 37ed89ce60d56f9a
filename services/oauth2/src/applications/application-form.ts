import { Form } from '@gatehouse/kit/form';
import { readTrustedName } from '@gatehouse/kit/trusted-name';
import type { CreateApplicationRequest, UpdateApplicationRequest } from '@gatehouse/proto/oauth2';
import type { ApplicationSettings } from '../store/applications.ts';
import { type RedirectUriViolation, redirectUriViolation } from './redirect-uri.ts';

const MAX_REDIRECT_URIS = 10;

const TEXTS: Readonly<Record<RedirectUriViolation, string>> = {
  INVALID_URL_FORMAT: 'Must be an https URL, or http to a loopback host, without fragment and user.',
  URL_LENGTH_INVALID: 'Must be at most 2048 characters long.',
};

/** Reads the settings of a new application and fills in defaults (docs/oauth2.md#application-settings). */
export function readApplication(request: CreateApplicationRequest): ApplicationSettings {
  const form = new Form();
  const name = readName(form, request.name);
  const redirect_uris = readRedirectUris(form, request.redirect_uris);
  form.check();
  return {
    name,
    redirect_uris,
    bot_public: request.bot_public ?? true,
    bot_require_code_grant: request.bot_require_code_grant ?? false,
    public: request.public ?? false,
  };
}

/** Reads the changes of an application by the same rules. Absent members stay unchanged. */
export function readApplicationChanges(
  request: Omit<UpdateApplicationRequest, 'application_id'>,
): Partial<ApplicationSettings> {
  const form = new Form();
  const name = request.name == null ? undefined : readName(form, request.name);
  const redirect_uris =
    request.redirect_uris == null ? undefined : readRedirectUris(form, request.redirect_uris.items);
  form.check();
  return {
    ...(name !== undefined && { name }),
    ...(redirect_uris !== undefined && { redirect_uris }),
    ...(request.bot_public != null && { bot_public: request.bot_public }),
    ...(request.bot_require_code_grant != null && {
      bot_require_code_grant: request.bot_require_code_grant,
    }),
    ...(request.public != null && { public: request.public }),
  };
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
