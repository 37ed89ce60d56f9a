import {
  Authenticator,
  type CreateQuirks,
  type GetQuirks,
} from '@gatehouse/dev-env/second-factors/authenticator';
import type { RegisterRequest, WebauthnCredential } from '@gatehouse/proto/auth';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { type Auth, IN_TIME, newcomer, sessionCaller } from './auth.ts';

/** A person, their session, the device they hold and the passkey on it. */
export interface PasskeyOwner {
  readonly user_id: string;
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
  readonly device: Authenticator;
  readonly passkey: WebauthnCredential;
}

/** Registers a person whose session has a grant, and adds a passkey. */
export async function passkeyOwner(
  auth: Auth,
  device = new Authenticator(),
  changes: Partial<RegisterRequest> = {},
): Promise<PasskeyOwner> {
  const person = newcomer(changes);
  const { token, user_id } = await auth.register(person, IN_TIME);
  const caller = await sessionCaller(auth, token);
  await auth.createSudoGrant({ password: person.password }, { ...IN_TIME, caller });
  const passkey = await addPasskey(auth, caller, device);
  return { user_id, email: person.email, password: person.password, caller, device, passkey };
}

/** Adds a passkey to an account whose session holds a grant. */
export async function addPasskey(
  auth: Auth,
  caller: Caller,
  device: Authenticator,
  quirks?: CreateQuirks,
): Promise<WebauthnCredential> {
  const response = device.create(await creationOptions(auth, caller), quirks);
  const { credential } = await auth.createWebauthnCredential(
    { name: 'Key', response },
    { ...IN_TIME, caller },
  );
  if (credential == null) throw new Error('no passkey was added');
  return credential;
}

export async function creationOptions(auth: Auth, caller: Caller): Promise<string> {
  return (await auth.getWebauthnRegistrationOptions({}, { ...IN_TIME, caller })).options;
}

export async function sudoOptions(auth: Auth, caller: Caller): Promise<string> {
  return (await auth.getSudoWebauthnOptions({}, { ...IN_TIME, caller })).options;
}

export async function loginOptions(auth: Auth): Promise<string> {
  return (await auth.getPasskeyLoginOptions({}, IN_TIME)).options;
}

/** The response with another value at a path, or without the member if there is no value. */
export function tampered(response: string, path: string, value?: unknown): string {
  return JSON.stringify(changed(JSON.parse(response), path.split('.'), value));
}

function changed(json: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  if (typeof json !== 'object' || json === null) throw new Error(`there is no ${name}`);
  const members = new Map(Object.entries(json));
  members.set(name, rest.length === 0 ? value : changed(members.get(name), rest, value));
  return Object.fromEntries(members);
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Malformed responses, each derived from a valid one. */
export const MALFORMED: readonly [what: string, of: (good: string) => string][] = [
  ['nothing', () => ''],
  ['no JSON', (good) => good.slice(0, -1)],
  ['null', () => 'null'],
  ['an array', (good) => `[${good}]`],
  ['an empty object', () => '{}'],
  ['a NUL', (good) => `${good}\0`],
  ['half a surrogate pair', (good) => tampered(good, 'id', '\ud800')],
  ['very deep nesting', () => '['.repeat(60_000)],
  ['more than 64 KiB', (good) => tampered(good, 'padding', 'x'.repeat(70_000))],
  ['no ID', (good) => tampered(good, 'id')],
  ['a number as ID', (good) => tampered(good, 'id', 7)],
  ['an ID that is not base64url', (good) => tampered(tampered(good, 'id', 'a+/='), 'rawId', 'a+/=')],
  ['two IDs', (good) => tampered(good, 'rawId', 'AAAA')],
  [
    'an ID of more than 1,023 bytes',
    (good) => tampered(tampered(good, 'id', 'A'.repeat(1365)), 'rawId', 'A'.repeat(1365)),
  ],
  ['another type', (good) => tampered(good, 'type', 'password')],
  ['no inner response', (good) => tampered(good, 'response', null)],
  ['text as inner response', (good) => tampered(good, 'response', 'text')],
  ['no client data', (good) => tampered(good, 'response.clientDataJSON')],
  ['client data that is not base64url', (good) => tampered(good, 'response.clientDataJSON', '{}')],
  ['client data that is no JSON', (good) => tampered(good, 'response.clientDataJSON', base64url('{'))],
  ['client data that is null', (good) => tampered(good, 'response.clientDataJSON', base64url('null'))],
  [
    'a challenge that is an object',
    (good) => tampered(good, 'response.clientDataJSON', base64url('{"challenge":{}}')),
  ],
  [
    'a challenge that was never issued',
    (good) => tampered(good, 'response.clientDataJSON', base64url('{"challenge":"AAAA"}')),
  ],
];

/** Assertions that are refused for every purpose. */
export const REFUSED: readonly [what: string, quirks: GetQuirks][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another relying party', { rp_id: 'evil.example' }],
  ['the type of a registration', { type: 'webauthn.create' }],
  ["another site's page", { cross_origin: true }],
  ['nobody present', { user_present: false }],
  ["another account's user handle", { user_handle: Buffer.from('1').toString('base64url') }],
  ['another signature', { signature: Buffer.alloc(71) }],
  ['a counter that does not grow', { counter: 1 }],
];
