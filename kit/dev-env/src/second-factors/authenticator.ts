import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { attestedData, cbor, coseKey } from './cbor.ts';

export interface AuthenticatorOptions {
  /** Default: P-256. */
  readonly algorithm?: 'P-256' | 'Ed25519' | 'RSA';
  /** Whether it counts its signatures. If not, it sends 0, as some authenticators do. Default: true. */
  readonly counts?: boolean;
  /** Whether it verifies its user. Default: true. */
  readonly verifies?: boolean;
  /** The origin of the page. */
  readonly origin?: string;
  /** Whether it sends self attestation. Default: false. */
  readonly attests_itself?: boolean;
}

/** Deviations of a faulty or hostile client. */
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
  /** The credential ID, instead of a random one. */
  readonly id?: Buffer;
  /** The ID in the JSON, instead of the one in the authenticator data. */
  readonly outer_id?: string;
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, unknown> };
  /** The COSE key, instead of the passkey's. */
  readonly public_key?: Map<number, unknown>;
  readonly transports?: unknown;
}
export interface GetQuirks extends Quirks {
  /** The passkey that signs. Default: the newest allowed one. */
  readonly id?: string;
  /** The user handle that it sends; null: none. */
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

interface ClientOptions {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly allowCredentials?: readonly { readonly id: string }[];
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

/** A software authenticator with its browser: answers options as a WebAuthn client does. */
export class Authenticator {
  readonly #options: Required<AuthenticatorOptions>;
  readonly #passkeys: Passkey[] = [];

  constructor(options: AuthenticatorOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** The ID of the newest passkey, base64url. */
  get lastId(): string {
    return this.#passkeys.at(-1)?.id ?? '';
  }

  /** Makes a passkey. Returns RegistrationResponseJSON for PublicKeyCredentialCreationOptionsJSON, both as text. */
  create(text: string, quirks: CreateQuirks = {}): string {
    const options: ClientOptions = JSON.parse(text);
    if (options.rp === undefined || options.user === undefined)
      throw new Error('no options for a new passkey');
    const { publicKey, privateKey } = newKeys(this.#options.algorithm);
    const id = quirks.id ?? randomBytes(32);
    const passkey = {
      id: id.toString('base64url'),
      private_key: privateKey,
      user_handle: options.user.id,
      rp_id: options.rp.id,
      counter: 0,
    };
    this.#passkeys.push(passkey);
    const key = quirks.public_key ?? coseKey(publicKey);
    const data = this.#clientData('webauthn.create', options, quirks);
    const authData = this.#authenticatorData(passkey, quirks, attestedData(id, key));
    return responseJson(quirks.outer_id ?? passkey.id, {
      clientDataJSON: base64url(data),
      attestationObject: base64url(cbor(this.#attestation(passkey, key, authData, data, quirks))),
      transports: quirks.transports ?? ['internal', 'hybrid'],
    });
  }

  /** Uses a passkey. Returns AuthenticationResponseJSON for PublicKeyCredentialRequestOptionsJSON, both as text. */
  get(text: string, quirks: GetQuirks = {}): string {
    const options: ClientOptions = JSON.parse(text);
    const allowed = (options.allowCredentials ?? []).map(({ id }) => id);
    const passkey = this.#passkeys.findLast(({ id }) =>
      quirks.id === undefined ? allowed.length === 0 || allowed.includes(id) : id === quirks.id,
    );
    if (passkey === undefined) throw new Error('none of the passkeys is allowed');
    const data = this.#clientData('webauthn.get', options, quirks);
    const authData = this.#authenticatorData(passkey, quirks);
    return responseJson(passkey.id, {
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authData),
      signature: base64url(quirks.signature ?? this.#signature(passkey, authData, data)),
      userHandle: quirks.user_handle === undefined ? passkey.user_handle : quirks.user_handle,
    });
  }

  #clientData(type: string, { challenge }: ClientOptions, quirks: Quirks): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? challenge,
        origin: quirks.origin ?? this.#options.origin,
        crossOrigin: quirks.cross_origin ?? false,
      }),
    );
  }

  #authenticatorData(passkey: Passkey, quirks: Quirks, attested: Buffer = Buffer.alloc(0)): Buffer {
    const { counts, verifies } = this.#options;
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

  #attestation(
    passkey: Passkey,
    key: Map<number, unknown>,
    authData: Buffer,
    data: Buffer,
    quirks: CreateQuirks,
  ): Map<string, unknown> {
    const none = { fmt: 'none', attStmt: new Map<string, unknown>() };
    const own = { fmt: 'packed', attStmt: selfAttestation(key, this.#signature(passkey, authData, data)) };
    const { fmt, attStmt } = quirks.attestation ?? (this.#options.attests_itself ? own : none);
    return new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ]);
  }

  /** Signs authenticator data and client data (WebAuthn Level 3, section 6.3.3, step 11). */
  #signature({ private_key }: Passkey, authData: Buffer, data: Buffer): Buffer {
    const signed = Buffer.concat([authData, hash('sha256', data, 'buffer')]);
    return sign(this.#options.algorithm === 'Ed25519' ? null : 'sha256', signed, private_key);
  }
}

const DEFAULTS: Required<AuthenticatorOptions> = {
  algorithm: 'P-256',
  counts: true,
  verifies: true,
  origin: 'http://127.0.0.1:8080',
  attests_itself: false,
};

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
