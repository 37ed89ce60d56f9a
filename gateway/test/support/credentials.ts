import type { Handlers } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { Services } from '../../src/service-definitions.ts';
import { currentUser, options, session, user } from './samples.ts';

/** The credentials that the peers know. */
export const SESSION = `gth_${'Ses5'.repeat(9)}`;
export const SECOND_SESSION = `gth_${'Sec0'.repeat(9)}`;
export const BOT = '2001.bot-secret';
/** With every scope. It begins like a session token. */
export const ACCESS_TOKEN = `gth_${'aC-_'.repeat(9)}all`;
export const WITHOUT_SCOPES = `${'nO-_'.repeat(10)}non`;

const SESSIONS: Readonly<Record<string, { kind: CallerKind; account_id: string; credential_id: string }>> = {
  [SESSION]: { kind: CallerKind.CALLER_KIND_SESSION, account_id: '1001', credential_id: '9001' },
  [SECOND_SESSION]: { kind: CallerKind.CALLER_KIND_SESSION, account_id: '1001', credential_id: '9002' },
  [BOT]: { kind: CallerKind.CALLER_KIND_BOT, account_id: '2001', credential_id: '9003' },
};

const ACCESS_TOKENS: Readonly<Record<string, string[]>> = {
  [ACCESS_TOKEN]: ['connections', 'guilds', 'identify'],
  [WITHOUT_SCOPES]: [],
};

/** Auth's answers in tests. */
export const authAnswers: Partial<Handlers<Services['auth']>> = {
  identify: ({ kind, token }) => {
    const known = SESSIONS[token];
    if (known?.kind !== kind) return { identity: null };
    const { account_id, credential_id } = known;
    return { identity: { account_id, credential_id } };
  },
  login: () => ({ ...session, mfa: null, ticket: null, allowed_methods: [] }),
  getPasskeyLoginOptions: () => ({ options }),
  getCurrentUser: () => ({ user: currentUser }),
  updateCurrentUser: () => ({ user: currentUser }),
  getUser: () => ({ user }),
};

/** Oauth2's answers in tests. */
export const oauth2Answers: Partial<Handlers<Services['oauth2']>> = {
  identify: ({ token }) => {
    const scopes = ACCESS_TOKENS[token];
    if (scopes === undefined) return { identity: null };
    return { identity: { account_id: '1001', credential_id: '9004', application_id: '51', scopes } };
  },
};
