import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { silentLogger } from '@gatehouse/kit/log';
import { type Certificates, openCertificates } from '@gatehouse/kit/rpc';
import { type CertificateFiles, certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';

/** Certificates of an authority for one test. */
export interface TestCertificates {
  readonly folder: string;
  files(name: string): CertificateFiles;
  /** Opens certificates as a process does, with frequent polling. They are closed with the rest. */
  open(name: string): Certificates;
  /** Replaces a certificate. */
  renew(name: string, valid_days?: number): Promise<void>;
  close(): void;
}

export async function testCertificates(...names: string[]): Promise<TestCertificates> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'));
  const issuer = await openCertificateFolder(folder, { name: 'test', valid_days: 1 });
  const renew = (name: string, valid_days = 1) => issuer.issue(name, { domain: 'test.internal', valid_days });
  await Promise.all(names.map((name) => renew(name)));
  const opened: Certificates[] = [];
  const files = (name: string) => certificateFilesIn(folder, name);
  return {
    folder,
    files,
    open: (name) => {
      const certificates = openCertificates({ files: files(name), name, log: silentLogger, every_ms: 20 });
      opened.push(certificates);
      return certificates;
    },
    renew,
    close: () => {
      for (const one of opened) one.close();
      rmSync(folder, { recursive: true });
    },
  };
}
