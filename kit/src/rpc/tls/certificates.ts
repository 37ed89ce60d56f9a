import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError } from '../../env.ts';
import type { Logger } from '../../log.ts';
import { periodicJob } from '../../periodic-job.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { peerName } from './peer-name.ts';

/** The PEM files that TLS connections use. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** A process's certificate, key and authorities, kept up to date with their files. */
export interface Certificates {
  material(): TlsMaterial;
  context(): SecureContext;
  /** When the process's own certificate expires. */
  validUntil(): Date;
  /** Calls `listener` after every change. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  close(): void;
}

export interface CertificatesOptions {
  readonly files: CertificateFiles;
  /** The name that the certificate must have. */
  readonly name: string;
  readonly log: Logger;
  /** How often the files are read. Default: 2 s. */
  readonly every_ms?: number;
}

const CERTIFICATE_POLL_MS = 2_000;

/**
 * Reads a process's certificate, and reads it again when its files change. Open connections stay open. If the new
 * files are unusable, for example because only one of certificate and key was replaced, an error is logged and the
 * old ones stay in use.
 *
 * @throws ConfigError if the first ones are unusable
 */
export function openCertificates({
  files,
  name,
  log,
  every_ms = CERTIFICATE_POLL_MS,
}: CertificatesOptions): Certificates {
  let current = prepare(readAll(files), name);
  let refused: TlsMaterial | undefined;
  let unreadable = false;
  const listeners = new Set<() => void>();
  // Polls the contents, because file watching misses replaced links and mounts.
  const polling = periodicJob(every_ms, poll);

  async function poll(): Promise<void> {
    try {
      const [cert, key, ca] = await Promise.all([
        readFile(files.cert),
        readFile(files.key),
        readFile(files.ca),
      ]);
      unreadable = false;
      replaceIfNew({ cert, key, ca });
    } catch (error) {
      if (!unreadable) log.error({ err: error }, 'the certificates cannot be read; those in use stay');
      unreadable = true;
    }
  }

  function replaceIfNew(read: TlsMaterial): void {
    if (isSameMaterial(read, current.material) || (refused !== undefined && isSameMaterial(read, refused)))
      return;
    try {
      current = prepare(read, name);
    } catch (error) {
      refused = read;
      log.error({ err: error }, 'the new certificates cannot be used; those in use stay');
      return;
    }
    refused = undefined;
    log.info({ valid_until: current.valid_until }, 'the certificates were replaced');
    for (const listener of listeners) listener();
  }

  return {
    material: () => current.material,
    context: () => current.context,
    validUntil: () => current.valid_until,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => void polling.close(),
  };
}

function readAll(files: CertificateFiles): TlsMaterial {
  const problems: string[] = [];
  const read = (variable: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      problems.push(`${variable} cannot be read: ${(error as Error).message}`);
      return Buffer.alloc(0);
    }
  };
  const material = {
    cert: read('RPC_TLS_CERT', files.cert),
    key: read('RPC_TLS_KEY', files.key),
    ca: read('RPC_TLS_CA', files.ca),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return material;
}

interface PreparedCertificate {
  readonly material: TlsMaterial;
  readonly context: SecureContext;
  readonly valid_until: Date;
}

/** @throws ConfigError */
function prepare(material: TlsMaterial, name: string): PreparedCertificate {
  const certificate = parseCertificate('RPC_TLS_CERT', material.cert);
  parseCertificate('RPC_TLS_CA', material.ca); // OpenSSL would ignore a file without a certificate
  const named = peerName(certificate.subjectAltName);
  const valid_until = certificate.validToDate;
  const problems: string[] = [];
  if (named !== name)
    problems.push(
      `RPC_TLS_CERT must name ${name} in its subject alternative name, not ${named ?? 'no process'}`,
    );
  if (valid_until.getTime() <= Date.now())
    problems.push(`RPC_TLS_CERT has expired: ${valid_until.toISOString()}`);
  try {
    const context = createSecureContext({ ...material, minVersion: 'TLSv1.2' });
    if (problems.length === 0) return { material, context, valid_until };
  } catch (error) {
    problems.push(`RPC_TLS_CERT and RPC_TLS_KEY do not belong together: ${(error as Error).message}`);
  }
  throw new ConfigError(problems);
}

function parseCertificate(variable: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new ConfigError([`${variable} holds no certificate: ${(error as Error).message}`]);
  }
}

function isSameMaterial(one: TlsMaterial, other: TlsMaterial): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca);
}
