import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { ConsentRequest } from './consent-rules.ts';
import { type ClientForm, isPublic } from './grant-rules.ts';
import type { Model, SeenToken } from './model.ts';
import { ALL_SCOPES, GARBAGE, OTHER_VERIFIER, REDIRECT_URIS, UNKNOWN_ID, VERIFIER } from './values.ts';

/** The distance to the end of the list of what was issued; mostly short. */
const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(12) });

export const person = fc.nat(1);

/** Mostly the first, which is the subject of the command. */
export function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

/** An application that exists or existed, or an unknown ID. */
export const application = fc.oneof(
  { weight: 12, arbitrary: back },
  { weight: 1, arbitrary: fc.constantFrom('unknown' as const, 'malformed' as const) },
);
export type ApplicationChoice = number | 'unknown' | 'malformed';

export function applicationId({ seen }: Model, choice: ApplicationChoice): string {
  if (choice === 'malformed') return '0x1f';
  return (choice === 'unknown' ? undefined : backFrom(seen.application, choice))?.id ?? UNKNOWN_ID;
}

/** A code or token, live or dead, or an unknown one. */
export const credential = fc.record({
  kind: fc.constantFrom('code', 'access', 'refresh', 'garbage'),
  back,
});
export const ofKind = (kind: 'code' | 'access' | 'refresh') =>
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ kind: fc.constant(kind), back }) },
    { weight: 1, arbitrary: credential },
  );
export interface CredentialChoice {
  readonly kind: 'code' | 'access' | 'refresh' | 'garbage';
  readonly back: number;
}

const UNKNOWN_CREDENTIAL: SeenToken = { value: GARBAGE, application_id: UNKNOWN_ID };

export function pick({ seen }: Model, choice: CredentialChoice): SeenToken {
  return (
    (choice.kind === 'garbage' ? undefined : backFrom(seen[choice.kind], choice.back)) ?? UNKNOWN_CREDENTIAL
  );
}

type Secret = 'right' | 'wrong' | 'old' | 'none';

/** The client of a request: the one that a credential was issued to, or any. */
export const client = fc.record({
  of: fc.oneof({ weight: 5, arbitrary: fc.constant('its' as const) }, { weight: 1, arbitrary: application }),
  secret: mostly<Secret>('right', 'wrong', 'old', 'none'),
  by: fc.constantFrom('form', 'basic', 'both'),
});
export interface ClientChoice {
  readonly of: ApplicationChoice | 'its';
  readonly secret: Secret;
  readonly by: string;
}

export function clientForm(model: Model, choice: ClientChoice, its: SeenToken): ClientForm {
  const client_id = choice.of === 'its' ? its.application_id : applicationId(model, choice.of);
  const secrets = model.seen.application.find(({ id }) => id === client_id)?.client_secrets ?? [];
  const client_secret = {
    right: isPublic(model, client_id) ? undefined : (secrets.at(-1) ?? GARBAGE),
    wrong: 'wrong',
    old: secrets[0],
    none: undefined,
  }[choice.secret];
  const form = { client_id, ...(client_secret !== undefined && { client_secret }) };
  if (choice.by === 'both') return { ...form, basic: { client_id: UNKNOWN_ID, client_secret: 'of Basic' } };
  if (choice.by === 'basic' && client_secret !== undefined) return { basic: { client_id, client_secret } };
  return form;
}

/** The parameters of a consent; `code_verifier` is for its exchange. */
export const consent = fc.record({
  of: application,
  scope: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('identify', 'identify email', 'email+guilds', 'bot') },
    { weight: 3, arbitrary: fc.subarray([...ALL_SCOPES]).map((scopes) => scopes.join(' ')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('openid', 'identify admin', ' + ', 'bot\tbot', 'identify+identify'),
    },
  ),
  redirect_uri: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...REDIRECT_URIS) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, 'https://evil.test/', `${REDIRECT_URIS[1]}/`) },
  ),
  pkce: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('none', 'S256', 'plain', 'default') },
    { weight: 1, arbitrary: fc.constantFrom('short', 'unknown method', 'method alone', 'empty') },
  ),
  more: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Partial<ConsentRequest>>({}, { state: 'a b&c=+%' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Partial<ConsentRequest>>(
        { response_type: 'token' },
        { response_type: 'code' },
        { permissions: '8' },
        { permissions: '-1' },
        { permissions: '1.5' },
        { guild_id: '1', channel_id: '2' },
      ),
    },
  ),
});
export type ConsentChoice = typeof consent extends fc.Arbitrary<infer T> ? T : never;

const PKCE: Readonly<Record<string, Partial<ConsentRequest>>> = {
  none: {},
  S256: { code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256' },
  plain: { code_challenge: VERIFIER, code_challenge_method: 'plain' },
  default: { code_challenge: VERIFIER },
  short: { code_challenge: 'short', code_challenge_method: 'S256' },
  'unknown method': { code_challenge: VERIFIER, code_challenge_method: 'S512' },
  'method alone': { code_challenge_method: 'plain' },
  empty: { code_challenge: '' },
};

export function consentRequest(
  model: Model,
  { of, scope, redirect_uri, pkce, more }: ConsentChoice,
): { request: ConsentRequest; code_verifier: string | undefined } {
  const request = {
    client_id: applicationId(model, of),
    scope,
    ...(redirect_uri !== undefined && { redirect_uri }),
    ...PKCE[pkce],
    ...more,
  };
  const { code_challenge = '' } = request;
  return { request, code_verifier: code_challenge === '' ? undefined : VERIFIER };
}

export const verifier = mostly('its', 'wrong', 'none', 'given');

export function verifierOf(choice: string, its: string | undefined): string | undefined {
  if (choice === 'its') return its;
  if (choice === 'wrong') return OTHER_VERIFIER;
  return choice === 'given' ? VERIFIER : undefined;
}

function backFrom<T>(list: readonly T[], steps: number): T | undefined {
  return list.length === 0 ? undefined : list[list.length - 1 - (steps % list.length)];
}
