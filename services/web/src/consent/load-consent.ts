import type { Channel } from '@gatehouse/proto/chat';
import type { PublicApplication } from '@gatehouse/proto/oauth2';
import { ApiError, call } from '../shared/api/api.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { plainName } from '../shared/plain-name.ts';
import { installable, type ListedGuild } from './guilds.ts';
import { type LinkError, linkErrors } from './link-error.ts';
import { type ConsentRequest, isForBot, refusalBody } from './request.ts';

/** The data of the consent page, for a valid request. */
export interface LoadedConsent {
  /** The signed-in account. */
  readonly account_id: string;
  readonly application: PublicApplication;
  /** Undefined without the scope `bot`. */
  readonly target: InstallTarget | undefined;
}

/** The possible targets of a bot. */
export type InstallTarget =
  | { readonly kind: 'guild'; readonly guilds: readonly ListedGuild[] }
  | { readonly kind: 'group'; readonly channel_id: string; readonly name: string };

/** Checks the request at the server. @throws ApiError for errors that are not about the link */
export async function loadConsent(
  request: ConsentRequest,
  account_id: string,
): Promise<LoadedConsent | LinkError> {
  try {
    const path = `/oauth2/applications/${request.parameters.client_id}`;
    // The server checks a refusal like a consent, so a wrong redirect URI is found before the user can allow it.
    const [found] = await Promise.all([call<PublicApplication>('GET', `${path}/public`), refuse(request)]);
    const application = { ...found, name: plainName(found.name) };
    if (!isForBot(request)) return { account_id, application, target: undefined };
    if (!application.bot_public) await call('GET', path); // FORBIDDEN to all but the owner
    return { account_id, application, target: await loadInstallTarget(request, account_id) };
  } catch (error) {
    const linkError = error instanceof ApiError ? errorsByCode()[error.code] : undefined;
    if (linkError === undefined) throw error;
    return linkError;
  }
}

/** Returns the redirect URL of a refusal. Changes nothing at the server. @throws ApiError */
export async function refuse(request: ConsentRequest): Promise<string> {
  const body = refusalBody(request);
  return (await call<{ redirect_to: string }>('POST', '/oauth2/authorize/refuse', body)).redirect_to;
}

async function loadInstallTarget(
  { parameters: { channel_id } }: ConsentRequest,
  account_id: string,
): Promise<InstallTarget> {
  if (channel_id === undefined) return { kind: 'guild', guilds: installable(await allGuilds(), account_id) };
  const { type, name, recipients } = await call<Channel>('GET', `/channels/${channel_id}`);
  if (type !== GROUP_DM) throw new ApiError(404, { code: 'NOT_FOUND' });
  const people = recipients.map(({ global_name, username }) => global_name ?? username);
  return { kind: 'group', channel_id, name: plainName(name || people.join(', ')) };
}

const GROUP_DM = 3;
const PAGE = 200;

async function allGuilds(): Promise<ListedGuild[]> {
  const guilds: ListedGuild[] = [];
  for (;;) {
    const after = guilds.at(-1)?.id ?? '0';
    const page = await call<ListedGuild[]>('GET', `/users/@me/guilds?limit=${PAGE}&after=${after}`);
    guilds.push(...page.map((guild) => ({ ...guild, name: plainName(guild.name) })));
    if (page.length < PAGE) return guilds;
  }
}

function errorsByCode(): Readonly<Record<string, LinkError>> {
  const errors = linkErrors();
  const notInGroup = {
    text: i18n._('It is about a group conversation that you are not in.'),
    advice: i18n._('channel_id must be a group DM of whoever follows the link.'),
  };
  return {
    ...errors,
    UNKNOWN_APPLICATION: errors.INVALID_CLIENT,
    NOT_FOUND: notInGroup,
    MISSING_ACCESS: notInGroup,
  };
}
