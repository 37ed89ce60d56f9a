import type { Application } from '@gatehouse/proto/oauth2';
import { i18n } from '../../shared/i18n/i18n.ts';
import { MAX_REDIRECT_URIS, redirectUriProblems } from './redirect-uri.ts';

/** The settings that an owner can change. */
export type Settings = Pick<
  Application,
  | 'name'
  | 'description'
  | 'terms_url'
  | 'privacy_url'
  | 'redirect_uris'
  | 'bot_public'
  | 'bot_require_code_grant'
>;

export const DESCRIPTION_MAX = 400;
const URL_MAX = 2048;

/** The key of an application's settings among the drafts. */
export function settingsDraftKey(application_id: string): string {
  return `${application_id}/settings`;
}

export const NEW_SETTINGS: Settings = {
  name: '',
  description: null,
  terms_url: null,
  privacy_url: null,
  redirect_uris: [''],
  bot_public: true,
  bot_require_code_grant: false,
};

/** The settings of an application, without its other members. */
export function settingsOf(application: Application): Settings {
  const { name, description, terms_url, privacy_url, redirect_uris, bot_public, bot_require_code_grant } =
    application;
  return { name, description, terms_url, privacy_url, redirect_uris, bot_public, bot_require_code_grant };
}

/** The settings to send, without empty redirect URIs. An empty text is null. */
export function settingsToSend(settings: Settings): Settings {
  const { name, description, terms_url, privacy_url, redirect_uris, bot_public, bot_require_code_grant } =
    settings;
  return {
    name: name.trim(),
    description: description?.trim() || null,
    terms_url: terms_url?.trim() || null,
    privacy_url: privacy_url?.trim() || null,
    redirect_uris: redirect_uris.filter((uri) => uri !== ''),
    bot_public,
    bot_require_code_grant,
  };
}

/** The body of the PATCH: the changed members. Empty if nothing has changed. */
export function changesOf(saved: Settings, draft: Settings): Partial<Settings> {
  const sent = settingsToSend(draft);
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(saved[member as keyof Settings]),
    ),
  );
}

/** The error of a name, as text. */
export function nameProblem(name: string): string | undefined {
  const { length } = [...name.trim()];
  return length >= 1 && length <= 100 ? undefined : i18n._('A name has 1 to 100 characters.');
}

/** The error of a description. */
export function descriptionProblem(description: string | null | undefined): string | undefined {
  const { length } = [...(description ?? '').trim()];
  return length <= DESCRIPTION_MAX
    ? undefined
    : i18n._('It has {length} characters. At most {max} fit.', { length, max: DESCRIPTION_MAX });
}

/** The error of a link to terms or to a privacy policy. */
export function legalUrlProblem(text: string | null | undefined): string | undefined {
  const url = (text ?? '').trim();
  if (url === '') return undefined;
  if ([...url].length > URL_MAX) return i18n._('At most {max} characters.', { max: URL_MAX });
  if (!/^https:\/\//i.test(url)) return i18n._('Start with https://.');
  return /\s/.test(url) || !URL.canParse(url) ? i18n._('Check the address.') : undefined;
}

/** Whether the server would accept the draft. */
export function isValid(draft: Settings): boolean {
  const { name, redirect_uris } = settingsToSend(draft);
  const areUrisValid = redirectUriProblems(redirect_uris).every((problem) => problem === undefined);
  const problems = [
    nameProblem(name),
    descriptionProblem(draft.description),
    legalUrlProblem(draft.terms_url),
    legalUrlProblem(draft.privacy_url),
  ];
  return (
    problems.every((problem) => problem === undefined) &&
    areUrisValid &&
    redirect_uris.length <= MAX_REDIRECT_URIS
  );
}
