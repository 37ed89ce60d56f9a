import fc from 'fast-check';
import * as choose from './choices.ts';
import { command, personOf } from './commands.ts';
import * as consents from './consent-rules.ts';
import * as grants from './grant-rules.ts';
import * as service from './service.ts';
import * as tokens from './token-rules.ts';
import { REDIRECT_URIS } from './values.ts';

export const consent = command(
  'consent',
  fc.record({ person: choose.person, consent: choose.consent }),
  async (model, oauth2, { person, consent }) => {
    const { request, code_verifier } = choose.consentRequest(model, consent);
    const account_id = personOf(model, person);
    const { answer: actual, code } = await service.consent(oauth2, account_id, request);
    return { actual, expected: consents.consent(model, account_id, request, { code, code_verifier }) };
  },
);

export const silentConsent = command(
  'consent with prompt=none',
  fc.record({ person: fc.oneof(choose.person, fc.constant(undefined)), consent: choose.consent }),
  async (model, oauth2, { person, consent }) => {
    const { request, code_verifier } = choose.consentRequest(model, consent);
    const account_id = person === undefined ? undefined : personOf(model, person);
    const { answer: actual, code } = await service.silentConsent(oauth2, account_id, request);
    return { actual, expected: consents.silentConsent(model, account_id, request, { code, code_verifier }) };
  },
);

export const exchangeCode = command(
  'exchange a code',
  fc.record({
    code: choose.ofKind('code'),
    client: choose.client,
    redirect_uri: choose.mostly('its', ...REDIRECT_URIS, 'none'),
    verifier: choose.verifier,
  }),
  async (model, oauth2, { code, client, redirect_uri: place, verifier }) => {
    const given = choose.pick(model, code);
    const its = model.seen.code.find(({ value }) => value === given.value);
    const redirect_uri = place === 'its' ? (its?.redirect_uri ?? REDIRECT_URIS[0]) : place;
    const code_verifier = choose.verifierOf(verifier, its?.code_verifier);
    const form = {
      grant_type: 'authorization_code',
      code: given.value,
      ...(place !== 'none' && { redirect_uri }),
      ...(code_verifier !== undefined && { code_verifier }),
      ...choose.clientForm(model, client, given),
    };
    const { answer: actual, pair } = await service.exchange(oauth2, form);
    return { actual, expected: grants.exchange(model, form, pair) };
  },
);

export const refresh = command(
  'refresh',
  fc.record({
    token: choose.ofKind('refresh'),
    client: choose.client,
    grant_type: choose.mostly('refresh_token', 'authorization_code', 'client_credentials'),
  }),
  async (model, oauth2, { token, client, grant_type }) => {
    const given = choose.pick(model, token);
    const form = { grant_type, refresh_token: given.value, ...choose.clientForm(model, client, given) };
    const { answer: actual, pair } = await service.exchange(oauth2, form);
    return { actual, expected: grants.exchange(model, form, pair) };
  },
);

export const revoke = command(
  'revoke',
  fc.record({
    token: choose.credential,
    client: choose.client,
    hint: fc.constantFrom(undefined, 'access_token', 'refresh_token'),
  }),
  async (model, oauth2, { token, client, hint }) => {
    const given = choose.pick(model, token);
    const question = {
      token: given.value,
      ...(hint !== undefined && { token_type_hint: hint }),
      ...choose.clientForm(model, client, given),
    };
    return { actual: await service.revoke(oauth2, question), expected: tokens.revoke(model, question) };
  },
);

export const introspect = command(
  'introspect',
  fc.record({ token: choose.credential, client: choose.client }),
  async (model, oauth2, { token, client }) => {
    const given = choose.pick(model, token);
    const question = { token: given.value, ...choose.clientForm(model, client, given) };
    return {
      actual: await service.introspect(oauth2, question),
      expected: tokens.introspect(model, question),
    };
  },
);

export const userInfo = command('userinfo', choose.ofKind('access'), async (model, oauth2, token) => {
  const { value } = choose.pick(model, token);
  return { actual: await service.userInfo(oauth2, value), expected: tokens.userInfo(model, value) };
});

export const current = command('@me', choose.ofKind('access'), async (model, oauth2, token) => {
  const { value } = choose.pick(model, token);
  return { actual: await service.current(oauth2, value), expected: tokens.current(model, value) };
});
