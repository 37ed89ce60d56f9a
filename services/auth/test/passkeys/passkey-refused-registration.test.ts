import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { violationsOf } from '@gatehouse/dev-env/faults';
import { Authenticator, type CreateQuirks } from '@gatehouse/dev-env/second-factors/authenticator';
import { coseKey } from '@gatehouse/dev-env/second-factors/cbor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { creationOptions, MALFORMED, type PasskeyOwner, passkeyOwner, tampered } from '../passkeys.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_passkey_refused_registration');
});
afterAll(() => service.close());

const INVALID = ['response INVALID_FORMAT'];

describe('a registration is refused', () => {
  let owner: PasskeyOwner;
  beforeAll(async () => {
    owner = await passkeyOwner(service.auth);
  });

  const as = () => ({ ...IN_TIME, caller: owner.caller });
  const add = (response: string, name = 'Key') =>
    service.auth.createWebauthnCredential({ name, response }, as());

  const secp = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
  const shortRsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const p256 = coseKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
  const cases: [string, CreateQuirks][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin with another port', { origin: 'http://127.0.0.1:8081' }],
    ['another relying party', { rp_id: '127.0.0.1' }],
    ['the type of an assertion', { type: 'webauthn.get' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ["another site's page", { cross_origin: true }],
    ['nobody present', { user_present: false }],
    ['different inner and outer IDs', { outer_id: 'AAAA' }],
    ['no ID', { id: Buffer.alloc(0), outer_id: 'AAAA' }],
    ['an ID of 1,024 bytes', { id: randomBytes(1024) }],
    ['a statement of no format', { attestation: { fmt: 'mine', attStmt: new Map() } }],
    ['a statement of the format none', { attestation: { fmt: 'none', attStmt: new Map([['x', 1]]) } }],
    [
      'a certificate',
      {
        attestation: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
            ['x5c', [Buffer.alloc(300)]],
          ]),
        },
      },
    ],
    [
      'a self attestation with a wrong signature',
      {
        attestation: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
          ]),
        },
      },
    ],
    ['an algorithm that was not offered', { public_key: new Map(p256).set(3, -35) }],
    ['another curve', { public_key: new Map(coseKey(secp)).set(-1, 8) }],
    ['a point that is not on the curve', { public_key: new Map(p256).set(-3, Buffer.alloc(32, 1)) }],
    ['half a key', { public_key: new Map([...p256].slice(0, 4)) }],
    ['a key of another kind', { public_key: new Map(p256).set(1, 3) }],
    ['RSA of 1,024 bits', { public_key: coseKey(shortRsa) }],
    ['RSA of very many bits', { public_key: new Map(coseKey(shortRsa)).set(-1, Buffer.alloc(8192, 0xff)) }],
  ];
  test.each(cases)('%s', async (_what, quirks) => {
    const response = new Authenticator().create(await creationOptions(service.auth, owner.caller), quirks);
    expect(await violationsOf(add(response))).toEqual(INVALID);
  });

  test.each(MALFORMED)('%s', async (_what, of) => {
    const good = new Authenticator().create(await creationOptions(service.auth, owner.caller));
    expect(await violationsOf(add(of(good)))).toEqual(INVALID);
  });

  test.each([
    ['nothing', ''],
    ['text', Buffer.from('"text"').toString('base64url')],
    ['CBOR with endless nesting', Buffer.alloc(30_000, 0x81).toString('base64url')],
    ['CBOR that claims 4 GiB', Buffer.from('5affffffff', 'hex').toString('base64url')],
    ['an empty map', Buffer.from('a0').toString('base64url')],
    ['a number', 7],
  ])('%s as attestation', async (_what, attestationObject) => {
    const good = new Authenticator().create(await creationOptions(service.auth, owner.caller));
    const response = tampered(good, 'response.attestationObject', attestationObject);
    expect(await violationsOf(add(response))).toEqual(INVALID);
  });

  test('a truncated attestation', async () => {
    const good = new Authenticator().create(await creationOptions(service.auth, owner.caller));
    const whole: Buffer = Buffer.from(JSON.parse(good).response.attestationObject, 'base64url');
    for (let length = 1; length < whole.length; length += 4) {
      const { challenge } = JSON.parse(await creationOptions(service.auth, owner.caller));
      const again = JSON.stringify({ type: 'webauthn.create', challenge, origin: 'http://127.0.0.1:8080' });
      const clientDataJSON = Buffer.from(again).toString('base64url');
      const attestationObject = whole.subarray(0, length).toString('base64url');
      const short = tampered(good, 'response.attestationObject', attestationObject);
      expect(await violationsOf(add(tampered(short, 'response.clientDataJSON', clientDataJSON)))).toEqual(
        INVALID,
      );
    }
  });

  test('a response that was used before, successfully or not', async () => {
    const device = new Authenticator();
    const options = await creationOptions(service.auth, owner.caller);
    expect(await violationsOf(add(device.create(options, { rp_id: 'evil.example' })))).toEqual(INVALID);
    expect(await violationsOf(add(device.create(options)))).toEqual(INVALID);

    const passkey = device.create(await creationOptions(service.auth, owner.caller));
    const { credential } = await add(passkey);
    expect(await violationsOf(add(passkey))).toEqual(INVALID);
    await service.auth.deleteWebauthnCredential({ id: credential?.id ?? '' }, as());
    expect(await violationsOf(add(passkey))).toEqual(INVALID);
  });

  test('a challenge for another purpose or account, or an expired one', async () => {
    const { auth, db } = service;
    const other = await passkeyOwner(auth);
    const own = JSON.parse(await creationOptions(auth, owner.caller));
    const login = await auth.login({ email: owner.email, password: owner.password }, IN_TIME);
    const others = [
      await creationOptions(auth, other.caller),
      (await auth.getSudoWebauthnOptions({}, as())).options,
      (await auth.getLoginWebauthnOptions({ ticket: login.ticket ?? '' }, IN_TIME)).options,
      (await auth.getPasskeyLoginOptions({}, IN_TIME)).options,
    ];
    for (const options of others) {
      const { challenge } = JSON.parse(options);
      const response = new Authenticator().create(JSON.stringify({ ...own, challenge }));
      expect(await violationsOf(add(response))).toEqual(INVALID);
    }
    await db.query("UPDATE webauthn_challenges SET expires_at = now() - interval '1 ms'");
    expect(await violationsOf(add(new Authenticator().create(JSON.stringify(own))))).toEqual(INVALID);
  });

  test("the ID of another account's passkey", async () => {
    const other = await passkeyOwner(service.auth);
    const id = Buffer.from(other.passkey.id, 'base64url');
    const response = new Authenticator().create(await creationOptions(service.auth, owner.caller), { id });
    expect(await violationsOf(add(response))).toEqual(INVALID);
  });

  test.each([
    ['no name', ''],
    ['blanks', '   '],
    ['101 characters', 'n'.repeat(101)],
  ])('%s', async (_what, name) => {
    const response = new Authenticator().create(await creationOptions(service.auth, owner.caller));
    expect(await violationsOf(add(response, name))).toEqual(['name STRING_LENGTH_INVALID']);
    expect(await violationsOf(add('{}', name))).toEqual(['name STRING_LENGTH_INVALID', ...INVALID]);
    const { id } = owner.passkey;
    expect(await violationsOf(service.auth.updateWebauthnCredential({ id, name }, as()))).toEqual([
      'name STRING_LENGTH_INVALID',
    ]);
  });
});
