import { hash } from 'node:crypto';
import { faultOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { hardeningOf } from '../replicas.ts';
import { changes, IN_TIME, newPerson, settings, whoIs } from '../requests.ts';
import {
  basicOf,
  type ClientAndPerson,
  exchange,
  formOf,
  newClient,
  newCode,
  outcomeOf,
  REDIRECT_URI,
  refresh,
} from '../tokens.ts';

const VERIFIER = 'a-verifier-of-more-than-forty-three-characters.~_';
const S256 = { code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256' };
const PLAIN = { code_challenge: VERIFIER, code_challenge_method: 'plain' };

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  service = await startOauth2('oauth2_public_clients');
  replicas = [service.oauth2, await service.replica()];
});
afterAll(() => service.close());

type Client = Omit<ClientAndPerson, 'client_secret'>;

async function newPublicClient(): Promise<Client> {
  const owner = await newPerson(service.auth);
  const request = settings({ redirect_uris: [REDIRECT_URI], public: true });
  const { application } = await service.oauth2.createApplication(request, { ...IN_TIME, caller: owner });
  if (application === null) throw new Error('no application was created');
  expect(application).toMatchObject({ public: true, client_secret: null });
  return { client_id: application.id, owner, person: await newPerson(service.auth) };
}

async function change(
  { client_id: application_id, owner: caller }: Client,
  isPublic: boolean,
  oauth2 = service.oauth2,
) {
  const request = { application_id, ...changes({ public: isPublic }) };
  const answer = await oauth2.updateApplication(request, { ...IN_TIME, caller });
  expect(answer.application?.public).toBe(isPublic);
  return answer.application?.client_secret ?? undefined;
}

/** A request of a token route with the members of a form. */
function ask(
  rpc: 'exchangeToken' | 'introspectToken' | 'revokeToken',
  form: Readonly<Record<string, string>>,
) {
  return service.oauth2[rpc](formOf(form), IN_TIME);
}

const code = (client: Client, challenge = S256) =>
  newCode(service.oauth2, { ...client, client_secret: '' }, challenge);

/** An empty form parameter counts as absent, so the client ID is sent alone. */
const exchanged = (client: Client, given: string, verifier = VERIFIER) =>
  exchange(service.oauth2, { ...client, client_secret: '' }, given, { code_verifier: verifier });

const refreshed = (client: Client, token: string, client_secret = '') =>
  refresh(service.oauth2, { ...client, client_secret }, token);

describe('a public client', () => {
  it('exchanges, refreshes, introspects and revokes with its ID alone, in the form or by Basic', async () => {
    const client = await newPublicClient();
    const { client_id } = client;
    const first = await exchanged(client, await code(client));
    const second = await refreshed(client, first.refresh_token);
    expect(await whoIs(service.oauth2, second.access_token)).toMatchObject({ application_id: client_id });
    const { access_token: token } = second;
    expect(await ask('introspectToken', { client_id, token })).toMatchObject({ active: true, client_id });
    const basic = { ...formOf({ token }), authorization: basicOf(client_id, '') };
    expect(await service.oauth2.introspectToken(basic, IN_TIME)).toMatchObject({ active: true });
    await service.oauth2.revokeToken(basic, IN_TIME);
    expect(await whoIs(service.oauth2, token)).toBeUndefined();
    expect(await outcomeOf(refreshed(client, second.refresh_token))).toBe('INVALID_GRANT');
  });

  it('gets INVALID_CLIENT_SECRET for any secret, which consumes nothing', async () => {
    const client = await newPublicClient();
    const { client_id } = client;
    const { refresh_token } = await exchanged(client, await code(client));
    const fresh = await code(client);
    for (const client_secret of ['x', ' ', 'A'.repeat(43)]) {
      const form = { client_id, client_secret, token: 'x' };
      expect(await outcomeOf(ask('introspectToken', form))).toBe('INVALID_CLIENT_SECRET');
      expect(await outcomeOf(ask('revokeToken', form))).toBe('INVALID_CLIENT_SECRET');
      expect(await outcomeOf(refreshed(client, refresh_token, client_secret))).toBe('INVALID_CLIENT_SECRET');
      const attempt = exchange(service.oauth2, { ...client, client_secret }, fresh, {
        code_verifier: VERIFIER,
      });
      expect(await outcomeOf(attempt)).toBe('INVALID_CLIENT_SECRET');
    }
    expect(await outcomeOf(exchanged(client, fresh))).toBe('ok');
    expect(await outcomeOf(refreshed(client, refresh_token))).toBe('ok');
  });

  it('needs an S256 challenge at consent, and none to install its bot by a link', async () => {
    const { client_id, person: caller } = await newPublicClient();
    const consent = (members: object) =>
      outcomeOf(
        service.oauth2.grantConsent(
          { client_id, scope: 'identify', redirect_uri: REDIRECT_URI, ...members },
          { ...IN_TIME, caller },
        ),
      );
    expect(await consent({})).toBe('INVALID_REQUEST');
    expect(await consent(PLAIN)).toBe('INVALID_REQUEST');
    expect(await consent({ code_challenge: VERIFIER })).toBe('INVALID_REQUEST');
    expect(await consent(S256)).toBe('ok');
    expect(await consent({ scope: 'bot', redirect_uri: undefined })).toBe('ok');
  });

  it('is asked for consent by prompt=none without such a challenge', async () => {
    const client = await newPublicClient();
    await exchanged(client, await code(client));
    const silent = async (challenge: Readonly<Record<string, string>>) => {
      const members = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
      const query = new URLSearchParams({ ...members, prompt: 'none', ...challenge }).toString();
      const { location } = await service.oauth2.authorize({ query }, { ...IN_TIME, caller: client.person });
      return new URL(location).searchParams.get('error') ?? 'ok';
    };
    expect(await silent({})).toBe('consent_required');
    expect(await silent(PLAIN)).toBe('consent_required');
    expect(await silent(S256)).toBe('ok');
  });

  it('does not learn about tokens of other applications', async () => {
    const { client_id } = await newPublicClient();
    const other = await newClient(service);
    const { access_token: token } = await exchange(
      service.oauth2,
      other,
      await newCode(service.oauth2, other),
    );
    expect(await ask('introspectToken', { client_id, token })).toMatchObject({ active: false });
    await ask('revokeToken', { client_id, token });
    expect(await whoIs(service.oauth2, token)).toBeDefined();
  });

  it('has no secret that could be reset', async () => {
    const { client_id: application_id, owner: caller } = await newPublicClient();
    const attempt = service.oauth2.resetClientSecret({ application_id }, { ...IN_TIME, caller });
    expect(await faultOf(attempt)).toMatchObject({
      reason: 'BAD_REQUEST',
      message: 'A public application has no client secret.',
    });
  });

  it('has its codes exchanged once, and keeps the rules of replays', async () => {
    const client = await newPublicClient();
    const hardened = await service.replica(hardeningOf({ OAUTH2_REVOKE_ON_REPLAY: 'on' }));
    const at = (given: string) =>
      exchange(hardened, { ...client, client_secret: '' }, given, { code_verifier: VERIFIER });
    const given = await code(client);
    const { access_token } = await at(given);
    expect(await outcomeOf(at(given))).toBe('INVALID_GRANT');
    expect(await whoIs(service.oauth2, access_token)).toBeUndefined();
  });
});

describe('an application that becomes a public client', () => {
  it('loses its secret; its tokens stay, and its codes without an S256 challenge are dead', async () => {
    const client = await newClient(service);
    const tokens = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
    const [none, plain, s256] = await Promise.all([
      newCode(service.oauth2, client),
      newCode(service.oauth2, client, PLAIN),
      newCode(service.oauth2, client, S256),
    ]);
    expect(await change(client, true)).toBeUndefined();
    expect(await outcomeOf(refresh(service.oauth2, client, tokens.refresh_token))).toBe(
      'INVALID_CLIENT_SECRET',
    );
    expect(await outcomeOf(exchange(service.oauth2, { ...client, client_secret: '' }, none))).toBe(
      'INVALID_GRANT',
    );
    expect(await outcomeOf(exchanged(client, plain))).toBe('INVALID_GRANT');
    expect(await outcomeOf(exchanged(client, s256, 'A'.repeat(43)))).toBe('INVALID_GRANT');
    expect(await outcomeOf(exchanged(client, s256))).toBe('ok');
    expect(await outcomeOf(refreshed(client, tokens.refresh_token))).toBe('ok');
    expect(await whoIs(service.oauth2, tokens.access_token)).toBeDefined();
  });

  it('gets a new secret when it ceases to be one, and none when it was none', async () => {
    const client = await newClient(service);
    expect(await change(client, false)).toBeUndefined();
    const tokens = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
    await change(client, true);
    const client_secret = await change(client, false);
    expect(client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(client_secret).not.toBe(client.client_secret);
    expect(await outcomeOf(refreshed(client, tokens.refresh_token))).toBe('INVALID_REQUEST');
    expect(await outcomeOf(refreshed(client, tokens.refresh_token, client.client_secret))).toBe(
      'INVALID_CLIENT_SECRET',
    );
    expect(await outcomeOf(refreshed(client, tokens.refresh_token, client_secret))).toBe('ok');
    expect(await change(client, false)).toBeUndefined();
  });

  it('has one secret after concurrent changes: the one that a single response contains', async () => {
    const client = await newClient(service);
    await change(client, true);
    const secrets = await Promise.all(
      Array.from({ length: 8 }, (_, n) => change(client, false, replicas[n % 2 === 0 ? 0 : 1])),
    );
    const [secret, ...others] = secrets.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    const form = { client_id: client.client_id, client_secret: secret ?? '', token: 'x' };
    expect(await ask('introspectToken', form)).toMatchObject({ active: false });
  });

  it('is never given a secret by a reset that comes after', async () => {
    const client = await newClient(service);
    const { client_id: application_id, owner: caller } = client;
    const reset = (n: number) =>
      outcomeOf(
        (replicas[n % 2] ?? service.oauth2).resetClientSecret({ application_id }, { ...IN_TIME, caller }),
      );
    const outcomes = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => reset(n)),
      outcomeOf(change(client, true)),
      ...Array.from({ length: 6 }, (_, n) => reset(n)),
    ]);
    expect(new Set(outcomes).isSubsetOf(new Set(['ok', 'BAD_REQUEST']))).toBe(true);
    expect(await outcomeOf(ask('introspectToken', { client_id: application_id, token: 'x' }))).toBe('ok');
  });

  it('is given no secret by a reset that waits for the change', async () => {
    const client = await newClient(service);
    const { client_id: application_id, owner: caller } = client;
    const holder = await service.db.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('UPDATE applications SET client_secret_hash = NULL WHERE id = $1', [application_id]);
      const reset = outcomeOf(service.oauth2.resetClientSecret({ application_id }, { ...IN_TIME, caller }));
      await untilWaitingForLock(service.db, 1);
      await holder.query('COMMIT');
      expect(await reset).toBe('BAD_REQUEST');
    } finally {
      holder.release();
    }
    expect(await outcomeOf(ask('introspectToken', { client_id: application_id, token: 'x' }))).toBe('ok');
  });

  it('has no code or token exchanged without a secret once it has one again', async () => {
    const client = await newPublicClient();
    const { refresh_token } = await exchanged(client, await code(client));
    const given = await code(client);
    const attempts = () => [exchanged(client, given), refreshed(client, refresh_token)].map(outcomeOf);
    const [during, secret] = await Promise.all([Promise.all(attempts()), change(client, false)]);
    expect(secret).toBeDefined();
    const after = await Promise.all(attempts());
    expect(after).toEqual(['INVALID_REQUEST', 'INVALID_REQUEST']);
    for (const outcome of during) expect(['ok', 'INVALID_REQUEST', 'INVALID_GRANT']).toContain(outcome);
  });
});
