import { readExportPage } from '@gatehouse/kit/db/export-page';
import type { Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Pool } from 'pg';
import { EXPORTS } from '../store/data-export/account-export.ts';

/** Where the data of an account is. */
export interface ExportSources {
  readonly db: Pool;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly oauth2: Client<typeof Oauth2ServiceDefinition>;
  readonly webhookDelivery: Client<typeof WebhookDeliveryServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
}

/** A page of an account's data: JSON objects, separated by commas. */
interface Page {
  readonly rows: string;
  readonly next?: string | null | undefined;
}
type ReadPage = (account_id: string, after: string | undefined) => Promise<Page>;

/** A JSON file of the archive. */
export interface ExportFile {
  readonly path: string;
  /** For the README of the archive. */
  readonly about: string;
  readonly readPage: ReadPage;
}

const TIMEOUT_MS = 10_000;

/** The JSON files of the archive, in order. Each is a list. */
export function exportFiles({ db, chat, oauth2, webhookDelivery }: ExportSources): readonly ExportFile[] {
  const own =
    (file: string): ReadPage =>
    (account_id, after) =>
      readExportPage(db, EXPORTS, { account_id, file, after });
  const of =
    (client: typeof chat | typeof oauth2 | typeof webhookDelivery, file: string): ReadPage =>
    (account_id, after) =>
      client.exportAccount(
        { account_id, file, ...(after !== undefined && { after }) },
        { timeoutMs: TIMEOUT_MS },
      );
  return [
    { path: 'account.json', about: 'your account and profile', readPage: own('account') },
    { path: 'sessions.json', about: 'where you are signed in now', readPage: own('sessions') },
    { path: 'second-factors.json', about: 'your second factors', readPage: own('second_factors') },
    { path: 'sign-in-places.json', about: 'networks you signed in from', readPage: own('login_locations') },
    {
      path: 'security-events.json',
      about: 'what happened to your account',
      readPage: own('security_events'),
    },
    { path: 'applications.json', about: 'applications of yours', readPage: of(oauth2, 'applications') },
    {
      path: 'application-usage.json',
      about: 'requests of your applications, by hour and rate limit',
      readPage: of(oauth2, 'application_usage'),
    },
    {
      path: 'application-errors.json',
      about: 'the last failed requests of your applications',
      readPage: of(oauth2, 'application_errors'),
    },
    {
      path: 'authorizations.json',
      about: 'applications that may use your account',
      readPage: of(oauth2, 'authorizations'),
    },
    { path: 'guilds.json', about: 'guilds you are in, with your roles', readPage: of(chat, 'guilds') },
    { path: 'private-channels.json', about: 'your private channels', readPage: of(chat, 'private_channels') },
    { path: 'audit-log.json', about: 'what you changed in guilds', readPage: of(chat, 'audit_log') },
    { path: 'webhooks.json', about: 'webhooks you created', readPage: of(webhookDelivery, 'webhooks') },
    { path: 'messages.json', about: 'messages you wrote', readPage: of(chat, 'messages') },
  ];
}

/** The pictures of an account: its own, and those that it has in guilds. */
export async function* exportPictures(
  { media }: Pick<ExportSources, 'media'>,
  account_id: string,
): AsyncGenerator<{ readonly path: string; readonly bytes: Uint8Array }> {
  let after: string | undefined;
  for (;;) {
    const { name, content_type, bytes } = await media.exportPicture(
      { account_id, ...(after !== undefined && { after }) },
      { timeoutMs: TIMEOUT_MS },
    );
    if (name == null) return;
    const [slot, guild_id] = name.split('-');
    const where = guild_id === '0' ? '' : `-in-guild-${guild_id}`;
    yield { path: `pictures/${slot}${where}.${content_type.split('/')[1]}`, bytes };
    after = name;
  }
}
