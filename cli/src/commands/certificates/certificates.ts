import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { PEERS } from '@gatehouse/proto/peers';
import { CommandFailure, ExitCode } from '../../failures.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';

/** The domain of the DNS names in certificates. */
export const DOMAIN = 'gatehouse.internal';
const AUTHORITY = { name: 'Gatehouse development authority', valid_days: 3650 };

export interface CertificatesOptions {
  readonly days: number;
  readonly json?: boolean;
}

/** Issues a certificate for each process, by the authority in the folder or a new one. */
export async function certificates(
  folder: string,
  { days, json }: CertificatesOptions,
  runtime: Runtime,
): Promise<void> {
  const isNew = await issueAll(callerPath(folder, runtime.env), days);
  if (json) {
    const issued = { folder, names: PEERS, valid_days: days, new_authority: isNew };
    printLine(runtime, JSON.stringify(issued));
    return;
  }
  const by = isNew ? 'a new authority' : 'the existing authority';
  printLine(runtime, `${PEERS.length} certificates in ${folder}, issued by ${by}, valid for ${days} days`);
}

async function issueAll(folder: string, valid_days: number): Promise<boolean> {
  try {
    const issuer = await openCertificateFolder(folder, AUTHORITY);
    for (const name of PEERS) await issuer.issue(name, { domain: DOMAIN, valid_days });
    return issuer.isNew;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CommandFailure(ExitCode.NEGATIVE, error.message);
  }
}
