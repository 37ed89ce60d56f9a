import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AdminApplication } from '@gatehouse/proto/oauth2-admin';
import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { Clients } from '../clients.ts';
import { orNothing, READ_TIMEOUT } from './gather.ts';
import { credentialResult, result, type SearchResult } from './search-result.ts';

type Finder = () => Promise<SearchResult[]>;
type Finders = Readonly<Record<string, Finder>>;

const MAX_OF_KIND = 10;

/** An ID of any kind: all services are asked. */
export function byId({ auth, oauth2, webhooks, chat }: Clients, id: string): Finders {
  return {
    accounts: async () => {
      const found = await orNothing(auth.getAccount({ account_id: id }, READ_TIMEOUT));
      return found?.account == null ? [] : [ofAccount(found.account)];
    },
    applications: async () => {
      const found = await orNothing(oauth2.getAdminApplication({ application_id: id }, READ_TIMEOUT));
      return found?.application == null ? [] : [ofApplication(found.application)];
    },
    webhooks: async () => {
      // The ID may be that of a guild, a channel or a creator too.
      const found = await webhooks.findWebhooks(
        { query: id, limit: MAX_OF_KIND, creator_ids: [] },
        READ_TIMEOUT,
      );
      return found.webhooks.map(ofWebhook);
    },
    guilds: async () => {
      const found = await orNothing(chat.getAdminGuild({ guild_id: id }, READ_TIMEOUT));
      return found?.guild == null ? [] : [ofGuild(found.guild)];
    },
  };
}

/** The fingerprint of a session, a token or a client secret. */
export function byFingerprint({ auth, oauth2 }: Clients, text: string): Finders {
  const fingerprint = text.toLowerCase();
  return {
    sessions: async () => {
      const { credential } = await auth.findCredential({ fingerprint }, READ_TIMEOUT);
      if (credential == null) return [];
      const { kind, account_id, application_id } = credential;
      const owner =
        application_id == null
          ? (['account', account_id] as const)
          : (['application', application_id] as const);
      return [credentialResult(fingerprint, kind, owner)];
    },
    tokens: async () => {
      const { token } = await oauth2.findToken({ fingerprint }, READ_TIMEOUT);
      if (token == null) return [];
      const { kind, account_id, application_id } = token;
      const owner =
        account_id == null ? (['application', application_id] as const) : (['account', account_id] as const);
      return [credentialResult(fingerprint, kind, owner)];
    },
  };
}

/** An e-mail address, an IP address, or the start of a name. */
export function byText({ auth, oauth2, webhooks, chat }: Clients, query: string): Finders {
  const limit = MAX_OF_KIND;
  return {
    accounts: async () =>
      (await auth.findAccounts({ query, limit, ids: [] }, READ_TIMEOUT)).accounts.map(ofAccount),
    applications: async () =>
      (await oauth2.findApplications({ query, limit }, READ_TIMEOUT)).applications.map(ofApplication),
    webhooks: async () =>
      (await webhooks.findWebhooks({ query, limit, creator_ids: [] }, READ_TIMEOUT)).webhooks.map(ofWebhook),
    guilds: async () => (await chat.findGuilds({ query, limit, ids: [] }, READ_TIMEOUT)).guilds.map(ofGuild),
  };
}

function ofAccount(account: AdminAccount): SearchResult {
  const { id, username, email, bot, suspension, owner_username, owner_suspension } = account;
  const whose = owner_username == null ? 'bot' : `bot of ${owner_username}`;
  const state = suspension == null ? (owner_suspension == null ? '' : ', owner suspended') : ', suspended';
  return result('account', id, username, (bot ? whose : (email ?? 'account')) + state);
}

function ofApplication({ id, name, disablement, owner_suspended }: AdminApplication): SearchResult {
  const state = disablement == null ? (owner_suspended ? ', owner suspended' : '') : ', disabled';
  return result('application', id, name, `application${state}`);
}

function ofWebhook({ id, name, channel_id, disablement, creator_suspended }: AdminWebhook): SearchResult {
  const what = `webhook in channel ${channel_id}`;
  const state = disablement == null ? (creator_suspended ? ', creator suspended' : '') : ', disabled';
  return result('webhook', id, name ?? `Webhook ${id}`, what + state);
}

function ofGuild({ id, name, members, disablement }: AdminGuild): SearchResult {
  const what = members === 1 ? 'guild, 1 member' : `guild, ${members} members`;
  return result('guild', id, name, disablement == null ? what : `${what}, disabled`);
}
