import type { Application } from '@gatehouse/proto/oauth2';
import { MAX_REDIRECT_URIS, redirectUriProblems } from './redirect-uri.ts';

/** The settings that an owner can change. */
export type Settings = Pick<Application, 'name' | 'redirect_uris' | 'bot_public' | 'bot_require_code_grant'>;

/** The key of an application's settings among the drafts. */
export function settingsDraftKey(application_id: string): string {
  return `${application_id}/settings`;
}

export const NEW_SETTINGS: Settings = {
  name: '',
  redirect_uris: [''],
  bot_public: true,
  bot_require_code_grant: false,
};

/** The settings to send, without empty redirect URIs. */
export function settingsToSend(settings: Settings): Settings {
  const { name, redirect_uris, bot_public, bot_require_code_grant } = settings;
  return {
    name: name.trim(),
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
  return length >= 1 && length <= 100 ? undefined : 'A name has 1 to 100 characters.';
}

/** Whether the server would accept the draft. */
export function isValid(draft: Settings): boolean {
  const { name, redirect_uris } = settingsToSend(draft);
  const areUrisValid = redirectUriProblems(redirect_uris).every((problem) => problem === undefined);
  return nameProblem(name) === undefined && areUrisValid && redirect_uris.length <= MAX_REDIRECT_URIS;
}
