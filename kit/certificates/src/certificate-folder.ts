import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { readNonEmptyFile, writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';
import { type CertifiedKey, issueCertificate, makeAuthority } from './certificate-authority.ts';

/** A folder with an authority (`ca.pem`, `ca-key.pem`) and the certificates that it issued, by process. */
export interface CertificateFolder {
  /** Whether the authority was created now. */
  readonly isNew: boolean;
  /** Writes a certificate and key for a process, replacing existing ones. */
  issue(name: string, options: { domain: string; valid_days: number }): Promise<void>;
}

/** Opens the folder. Keys are readable for this user only. An existing authority is used, and never overwritten. */
export async function openCertificateFolder(
  folder: string,
  authority: { name: string; valid_days: number },
): Promise<CertificateFolder> {
  const files = { cert: join(folder, 'ca.pem'), key: join(folder, 'ca-key.pem') };
  const found = authorityIn(files);
  const ca = found ?? (await makeAuthority(authority.name, authority.valid_days));
  if (found === undefined) write(files, ca);
  return {
    isNew: found === undefined,
    issue: async (name, { domain, valid_days }) => {
      const made = await issueCertificate(ca, { dns_names: [`${name}.${domain}`], valid_days });
      write(certificateFilesIn(folder, name), made);
    },
  };
}

interface Files {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error if half of the pair is missing, or it has expired */
function authorityIn(files: Files): CertifiedKey | undefined {
  const [cert, key] = [readNonEmptyFile(files.cert), readNonEmptyFile(files.key)];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new Error(
      `${cert === undefined ? files.key : files.cert} is there without the other half of its pair`,
    );
  const { validTo, validToDate } = new X509Certificate(cert);
  if (validToDate.getTime() <= Date.now())
    throw new Error(`the authority in ${files.cert} has expired: ${validTo}`);
  return { cert, key };
}

function write(files: Files, { cert, key }: CertifiedKey): void {
  writeFilesAtomically([
    { path: files.key, text: key },
    { path: files.cert, text: cert, mode: 0o644 },
  ]);
}
