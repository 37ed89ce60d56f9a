import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { issueCertificate, makeAuthority } from '@gatehouse/certificates/certificate-authority';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { PEERS } from '@gatehouse/proto/peers';
import { DOMAIN } from '../certificates/certificates.ts';
import { processFolder } from './process-folders.ts';
import { writePrivate } from './write-private.ts';

/** Peers without a container in compose.yaml. */
const ELSEWHERE: readonly string[] = ['admin', 'envoy-internal', 'platform'];
const COMPOSED_PEERS = PEERS.filter((name) => !ELSEWHERE.includes(name));
const VALID_DAYS = 825;
const AUTHORITY_DAYS = 3650;
const FRONT = { cert: 'envoy/front.pem', key: 'envoy/front-key.pem' };
const FRONT_AUTHORITY = 'Gatehouse front';
const FRONT_RENEWED_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Issues certificates that are missing or past half of their validity, by the stack's own authority. Returns their
 * number.
 */
export async function issueCertificates(folder: string, isShared: boolean): Promise<number> {
  const authority = join(folder, 'authority');
  const certificates = await openCertificateFolder(authority, {
    name: 'Gatehouse',
    valid_days: AUTHORITY_DAYS,
  });
  let issued = 0;
  for (const name of COMPOSED_PEERS) {
    const files = certificateFilesIn(authority, name);
    if (certificates.isNew || !isFresh(files)) {
      await certificates.issue(name, { domain: DOMAIN, valid_days: VALID_DAYS });
      issued += 1;
    }
    for (const file of Object.values(files))
      writePrivate(folder, join(processFolder(name, isShared), basename(file)), readFileSync(file, 'utf8'));
  }
  if (await makeFrontCertificate(folder)) issued += 1;
  return issued;
}

/**
 * Envoy's certificate for clients until the operator installs another: for localhost, by an authority whose key is
 * discarded.
 */
async function makeFrontCertificate(folder: string): Promise<boolean> {
  const installed = readNonEmptyFile(join(folder, FRONT.cert));
  if (installed !== undefined && !isOwnAndExpiring(installed)) return false;
  const authority = await makeAuthority(FRONT_AUTHORITY, VALID_DAYS);
  const { cert, key } = await issueCertificate(authority, {
    dns_names: ['localhost'],
    valid_days: VALID_DAYS,
  });
  writePrivate(folder, FRONT.key, key);
  writePrivate(folder, FRONT.cert, cert + authority.cert);
  return true;
}

/** Certificates of other issuers are never replaced. */
function isOwnAndExpiring(pem: string): boolean {
  const { issuer, validToDate } = readCertificate(pem) ?? {};
  if (issuer !== `CN=${FRONT_AUTHORITY}` || validToDate === undefined) return false;
  return validToDate.getTime() - Date.now() < FRONT_RENEWED_DAYS * DAY_MS;
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // Envoy reports the problem.
  }
}

/** A crash between writing key and certificate leaves a pair that does not match. */
function isFresh(files: { readonly cert: string; readonly key: string }): boolean {
  const [cert, key] = [readNonEmptyFile(files.cert), readNonEmptyFile(files.key)];
  if (cert === undefined || key === undefined) return false;
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) return false;
  return certificate.validToDate.getTime() - Date.now() > (VALID_DAYS / 2) * DAY_MS;
}
