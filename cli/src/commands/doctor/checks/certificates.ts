import { existsSync, statSync } from 'node:fs';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { PEERS } from '@gatehouse/proto/peers';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { type CheckContext, type Finding, ok, problem, skipped, warning } from '../finding.ts';
import { ownSetting } from '../own-setting.ts';
import {
  type CertificateSet,
  expiryFinding,
  inspectCertificate,
  readAuthorities,
} from './certificate-set.ts';

/** Checks the files of RPC_TLS_DIR, or of RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA. */
export async function checkCertificates({ env }: CheckContext): Promise<readonly Finding[]> {
  const sets = certificateSets(env);
  if (sets.length === 0)
    return [
      env.RPC_TLS_DIR
        ? problem('RPC_TLS_DIR', `${env.RPC_TLS_DIR} has no certificate`, FILL_ADVICE)
        : skipped(
            'certificates',
            'RPC_TLS_DIR and RPC_TLS_CERT are not set: gRPC is without TLS, on loopback',
          ),
    ];
  const authorities = [...new Set(sets.map(({ ca }) => ca))].flatMap(authorityFindings);
  return [...authorities, ...sets.flatMap(certificateFindings)];
}

const FILL_ADVICE = 'Fill it: gatehouse certificates FOLDER, or your own authority.';

function certificateSets(env: NodeJS.ProcessEnv): CertificateSet[] {
  const { RPC_TLS_DIR, RPC_TLS_CA = '' } = env;
  const ofFolder = RPC_TLS_DIR
    ? PEERS.map((name) => ({ name, ...certificateFilesIn(RPC_TLS_DIR, name) }))
    : [];
  const found = ofFolder.filter(({ cert }) => existsSync(cert));
  const named = SERVICE_NAMES.flatMap((service) => {
    const cert = ownSetting(env, service, 'RPC_TLS_CERT');
    const key = ownSetting(env, service, 'RPC_TLS_KEY');
    if (cert === undefined || cert.shared) return [];
    return [{ name: service, cert: cert.value, key: key?.value ?? '', ca: RPC_TLS_CA }];
  });
  const shared = env.RPC_TLS_CERT
    ? [{ name: undefined, cert: env.RPC_TLS_CERT, key: env.RPC_TLS_KEY ?? '', ca: RPC_TLS_CA }]
    : [];
  return [...found, ...named, ...shared];
}

function authorityFindings(file: string): Finding[] {
  const read = readAuthorities(file);
  if ('finding' in read) return [read.finding];
  return read.authorities.map(
    (authority) =>
      expiryFinding(file, authority) ?? ok(file, `the authority ${authority.subject.replaceAll('\n', ', ')}`),
  );
}

function certificateFindings(set: CertificateSet): Finding[] {
  const found = inspectCertificate(set);
  const open = keyIsOpen(set.key)
    ? [warning(set.key, 'other users of this machine may read this key', `chmod 600 ${set.key}`)]
    : [];
  return [...found, ...open];
}

function keyIsOpen(file: string): boolean {
  try {
    return process.platform !== 'win32' && (statSync(file).mode & 0o007) !== 0;
  } catch {
    return false; // reported as unreadable
  }
}
