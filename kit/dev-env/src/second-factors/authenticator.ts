import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { attestedData, cbor, coseKey } from './cbor.ts';

/** A software authenticator in the hands of a browser: it answers options as a client would send them. */
export interface Authenticator {
  /** RegistrationResponseJSON for PublicKeyCredentialCreationOptionsJSON, as text. */
  create(options: string, quirks?: CreateQuirks): string;
  /** AuthenticationResponseJSON for PublicKeyCredentialRequestOptionsJSON, as text. */
  get(options: string, quirks?: GetQuirks): string;
  /** The ID of the passkey made last, base64url. */
  readonly lastId: string;
}

export interface AuthenticatorOptions {
  /** P-256 unless given. */
  readonly algorithm?: 'P-256' | 'Ed25519' | 'RSA';
  /** Whether it counts its signatures; some always say 0. */
  readonly counts?: boolean;
  /** Whether it verifies its user. */
  readonly verifies?: boolean;
  /** Of the page that it is used on. */
  readonly origin?: string;
  /** Whether a new key signs its own registration. */
  readonly attests_itself?: boolean;
}

/** What a faulty or hostile client does differently. */
export interface Quirks {
  readonly origin?: string;
  readonly rp_id?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly cross_origin?: boolean;
  readonly user_present?: boolean;
  readonly user_verified?: boolean;
  readonly counter?: number;
}
export interface CreateQuirks extends Quirks {
  /** Of the passkey, instead of a random one. */
  readonly id?: Buffer;
  /** Instead of that of the authenticator data. */
  readonly outer_id?: string;
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, unknown> };
  /** COSE, instead of the passkey's. */
  readonly public_key?: Map<number, unknown>;
  readonly transports?: unknown;
}
export interface GetQuirks extends Quirks {
  /** Which of its passkeys signs; the last one that is allowed unless given. */
  readonly id?: string;
  /** Whose passkey it says that it is; null: it does not say. */
  readonly user_handle?: string | null;
  readonly signature?: Buffer;
}

interface Passkey {
  readonly id: string;
  readonly private_key: KeyObject;
  readonly user_handle: string;
  readonly rp_id: string;
  counter: number;
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly allowCredentials?: readonly { readonly id: string }[];
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

export function authenticator(settings: AuthenticatorOptions = {}): Authenticator {
  const { algorithm = 'P-256', counts = true, verifies = true, attests_itself = false } = settings;
  const { origin = 'http://127.0.0.1:8080' } = settings;
  const passkeys: Passkey[] = [];

  function clientData(type: string, { challenge }: Options, quirks: Quirks): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? challenge,
        origin: quirks.origin ?? origin,
        crossOrigin: quirks.cross_origin ?? false,
      }),
    );
  }

  function authenticatorData(passkey: Passkey, quirks: Quirks, attested: Buffer = Buffer.alloc(0)): Buffer {
    if (counts) passkey.counter++;
    const flags =
      ((quirks.user_present ?? true) ? FLAGS.present : 0) |
      ((quirks.user_verified ?? verifies) ? FLAGS.verified : 0) |
      (attested.length > 0 ? FLAGS.attested : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(quirks.counter ?? passkey.counter);
    const rpIdHash = hash('sha256', quirks.rp_id ?? passkey.rp_id, 'buffer');
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counter, attested]);
  }

  /** Over authenticator data and client data (WebAuthn Level 3, section 6.3.3, step 11). */
  function signature({ private_key }: Passkey, authData: Buffer, data: Buffer): Buffer {
    const signed = Buffer.concat([authData, hash('sha256', data, 'buffer')]);
    return sign(algorithm === 'Ed25519' ? null : 'sha256', signed, private_key);
  }

  return {
    create(text, quirks = {}) {
      const options: Options = JSON.parse(text);
      if (options.rp === undefined || options.user === undefined)
        throw new Error('no options for a new passkey');
      const { publicKey, privateKey } = newKeys(algorithm);
      const id = quirks.id ?? randomBytes(32);
      const passkey = {
        id: id.toString('base64url'),
        private_key: privateKey,
        user_handle: options.user.id,
        rp_id: options.rp.id,
        counter: 0,
      };
      passkeys.push(passkey);
      const key = quirks.public_key ?? coseKey(publicKey);
      const data = clientData('webauthn.create', options, quirks);
      const authData = authenticatorData(passkey, quirks, attestedData(id, key));
      const own = { fmt: 'packed', attStmt: selfAttestation(key, signature(passkey, authData, data)) };
      const none = { fmt: 'none', attStmt: new Map<string, unknown>() };
      const { fmt, attStmt } = quirks.attestation ?? (attests_itself ? own : none);
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]);
      return responseJson(quirks.outer_id ?? passkey.id, {
        clientDataJSON: base64url(data),
        attestationObject: base64url(cbor(attestation)),
        transports: quirks.transports ?? ['internal', 'hybrid'],
      });
    },

    get(text, quirks = {}) {
      const options: Options = JSON.parse(text);
      const allowed = (options.allowCredentials ?? []).map(({ id }) => id);
      const passkey = passkeys.findLast(({ id }) =>
        quirks.id === undefined ? allowed.length === 0 || allowed.includes(id) : id === quirks.id,
      );
      if (passkey === undefined) throw new Error('none of the passkeys is allowed');
      const data = clientData('webauthn.get', options, quirks);
      const authData = authenticatorData(passkey, quirks);
      return responseJson(passkey.id, {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(quirks.signature ?? signature(passkey, authData, data)),
        userHandle: quirks.user_handle === undefined ? passkey.user_handle : quirks.user_handle,
      });
    },

    get lastId() {
      return passkeys.at(-1)?.id ?? '';
    },
  };
}

/** WebAuthn Level 3, section 8.2. */
function selfAttestation(key: Map<number, unknown>, sig: Buffer): Map<string, unknown> {
  return new Map<string, unknown>([
    ['alg', key.get(3)],
    ['sig', sig],
  ]);
}

function newKeys(algorithm: NonNullable<AuthenticatorOptions['algorithm']>) {
  switch (algorithm) {
    case 'P-256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'Ed25519':
      return generateKeyPairSync('ed25519');
    case 'RSA':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
  }
}

function responseJson(id: string, response: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  });
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}
