import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { peerName } from '@gatehouse/kit/rpc/tls/peer-name';
import { PEERS } from '@gatehouse/proto/peers';
import { type Finding, ok, problem, warning } from '../finding.ts';

/** The files of one process. */
export interface CertificateSet {
  /** The name that the certificate must have; undefined: any of the manifest. */
  readonly name: string | undefined;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const NEW_ADVICE = 'Issue a new one, with the DNS name of its process; running processes load it.';

/** Reads the authorities of a file, or finds why they cannot be used. */
export function readAuthorities(
  file: string,
): { readonly authorities: readonly X509Certificate[] } | { readonly finding: Finding } {
  if (file === '')
    return {
      finding: problem('RPC_TLS_CA', 'is not set', 'RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA go together.'),
    };
  try {
    const authorities = certificatesIn(file);
    if (authorities.length > 0) return { authorities };
    return { finding: problem(file, 'has no certificate in PEM', 'Write the authorities into it.') };
  } catch (error) {
    return { finding: unreadable(file, error) };
  }
}

/** Checks the files of one process: readable, matching, issued by the authority, the right name, not expired. */
export function inspectCertificate({ name, cert, key, ca }: CertificateSet): Finding[] {
  const read = readAll(cert, key);
  if ('finding' in read) return [read.finding];
  const [own, ...intermediate] = read.certificates;
  if (own === undefined) return [problem(cert, 'has no certificate in PEM', NEW_ADVICE)];
  const authorities = readAuthorities(ca);
  const issued =
    'finding' in authorities || isIssued(own, intermediate, authorities.authorities)
      ? []
      : [
          problem(
            cert,
            `was not issued by an authority of ${ca}`,
            'All processes must have the same authorities.',
          ),
        ];
  const findings = [
    ...(own.checkPrivateKey(read.key)
      ? []
      : [problem(key, `is not the key of ${cert}`, 'Replace both files together.')]),
    ...issued,
    ...nameFindings(cert, own, name),
    ...[expiryFinding(cert, own) ?? []].flat(),
  ];
  return findings.length > 0 ? findings : [ok(cert, `${peerName(own.subjectAltName)}, until ${own.validTo}`)];
}

/** Undefined for a certificate that is valid for 30 days more. */
export function expiryFinding(file: string, certificate: X509Certificate): Finding | undefined {
  const { validFromDate, validToDate, validTo, validFrom } = certificate;
  if (validFromDate.getTime() > Date.now())
    return problem(
      file,
      `is valid only from ${validFrom} on`,
      "Look at this machine's clock and at the authority's.",
    );
  const days = Math.floor((validToDate.getTime() - Date.now()) / DAY_MS);
  if (days < 0) return problem(file, `expired on ${validTo}`, NEW_ADVICE);
  if (days < WARN_DAYS)
    return warning(file, `expires in ${days === 1 ? '1 day' : `${days} days`}, on ${validTo}`, NEW_ADVICE);
  return undefined;
}

function readAll(cert: string, key: string) {
  let file = cert;
  try {
    const certificates = certificatesIn(cert);
    file = key;
    return { certificates, key: createPrivateKey(readFileSync(key)) };
  } catch (error) {
    return { finding: unreadable(file, error) };
  }
}

function unreadable(file: string, error: unknown): Finding {
  const { message } = error as Error;
  return problem(
    file || 'RPC_TLS_KEY',
    `cannot be read: ${message}`,
    "Look at the path, and at the file's owner and mode.",
  );
}

function certificatesIn(file: string): X509Certificate[] {
  const texts = readFileSync(file, 'utf8').match(PEM) ?? [];
  return texts.map((text) => new X509Certificate(text));
}

/** Whether a chain leads from a certificate to an authority. */
function isIssued(
  own: X509Certificate,
  intermediate: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): boolean {
  const issues = (issuer: X509Certificate) => own.checkIssued(issuer) && own.verify(issuer.publicKey);
  if (authorities.some(issues)) return true;
  const next = intermediate.find(issues);
  return (
    next !== undefined &&
    isIssued(
      next,
      intermediate.filter((one) => one !== next),
      authorities,
    )
  );
}

function nameFindings(file: string, certificate: X509Certificate, expected: string | undefined): Finding[] {
  const name = peerName(certificate.subjectAltName);
  if (name === undefined)
    return [problem(file, 'names no process, or more than one, in its DNS names', NEW_ADVICE)];
  if (expected !== undefined ? name === expected : PEERS.some((peer) => peer === name)) return [];
  const wanted = expected ?? `one of ${PEERS.join(', ')}`;
  return [problem(file, `is the certificate of ${name}; it must be that of ${wanted}`, NEW_ADVICE)];
}
