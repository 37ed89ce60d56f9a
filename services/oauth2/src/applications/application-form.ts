import { Form } from '@gatehouse/kit/form';
import type { CreateApplicationRequest } from '@gatehouse/proto/oauth2';
import { type RedirectUriViolation, redirectUriViolation } from './redirect-uri.ts';

/** The settings of an application that its owner chooses. */
export interface ApplicationSettings {
  readonly name: string;
  readonly redirect_uris: string[];
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
}

const MAX_REDIRECT_URIS = 10;

const TEXTS: Readonly<Record<RedirectUriViolation, string>> = {
  INVALID_URL_FORMAT: 'Must be an https URL, or http to a loopback host, without fragment and user.',
  URL_LENGTH_INVALID: 'Must be at most 2048 characters long.',
};

/** Reads the settings of a new application and fills in defaults (docs/oauth2.md#application-settings). */
export function readApplication(request: CreateApplicationRequest): ApplicationSettings {
  const form = new Form();
  // The edge refuses NUL. Another caller may send it, and PostgreSQL cannot store it.
  if (request.name.includes('\0')) form.fail('name', 'INVALID_FORMAT', 'Must be text without NUL.');
  const name = form.text('name', request.name, { min: 1, max: 100, trim: true });
  if (request.redirect_uris.length > MAX_REDIRECT_URIS) {
    form.fail('redirect_uris', 'INVALID_FORMAT', `Must be at most ${MAX_REDIRECT_URIS} URLs.`);
  }
  for (const [index, uri] of request.redirect_uris.slice(0, MAX_REDIRECT_URIS).entries()) {
    const code = redirectUriViolation(uri);
    if (code !== undefined) form.fail(`redirect_uris.${index}`, code, TEXTS[code]);
  }
  form.check();
  return {
    name,
    redirect_uris: request.redirect_uris,
    bot_public: request.bot_public ?? true,
    bot_require_code_grant: request.bot_require_code_grant ?? false,
  };
}
