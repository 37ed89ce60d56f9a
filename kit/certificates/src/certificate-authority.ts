import 'reflect-metadata'; // required by @peculiar/x509
import { createPrivateKey, generateKeyPair, randomBytes, type webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, as PEM. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The subject alternative names, such as `chat.example.internal`. */
  readonly dns_names: readonly string[];
  readonly valid_days: number;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** Clocks of other machines may be behind. */
const BACKDATED_MS = 5 * 60_000;

/** Creates a certificate authority for development and tests: ECDSA on P-256. */
export async function makeAuthority(name: string, valid_days: number): Promise<CertifiedKey> {
  const key = await newKey();
  const keys = await cryptoKeys(key);
  const cert = await X509CertificateGenerator.createSelfSigned({
    ...common(valid_days),
    name: `CN=${name}`,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${cert.toString('pem')}\n`, key };
}

/** Issues a certificate for a process, as server and client. A negative `valid_days` makes an expired one. */
export async function issueCertificate(
  authority: CertifiedKey,
  { dns_names, valid_days }: CertificateOptions,
): Promise<CertifiedKey> {
  const key = await newKey();
  const { publicKey } = await cryptoKeys(key);
  const issuer = await cryptoKeys(authority.key);
  const extensions: Extension[] = [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
    new SubjectAlternativeNameExtension(dns_names.map((value) => ({ type: 'dns', value }))),
    await SubjectKeyIdentifierExtension.create(publicKey),
    await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
  ];
  const cert = await X509CertificateGenerator.create({
    ...common(valid_days),
    subject: `CN=${dns_names[0] ?? ''}`,
    issuer: new X509Certificate(authority.cert).subject,
    publicKey,
    signingKey: issuer.privateKey,
    extensions,
  });
  return { cert: `${cert.toString('pem')}\n`, key };
}

function common(valid_days: number) {
  const now = Date.now();
  return {
    serialNumber: randomBytes(16).toString('hex').replace(/^./, '4'), // positive (RFC 5280, section 4.1.2.2)
    notBefore: new Date(now + Math.min(0, valid_days) * DAY_MS - BACKDATED_MS),
    notAfter: new Date(now + valid_days * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function cryptoKeys(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const { d: _, key_ops: __, ...open } = key.export({ format: 'jwk' });
  return {
    privateKey: key.toCryptoKey(ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', open, ALGORITHM, true, ['verify']),
  };
}
