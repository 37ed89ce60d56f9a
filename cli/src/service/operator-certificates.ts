import { readEnv } from '@gatehouse/kit/env';
import { silentLogger } from '@gatehouse/kit/log';
import { type Certificates, openCertificates } from '@gatehouse/kit/rpc';
import { certificateFilesIn, readCertificateFiles } from '@gatehouse/kit/rpc/tls/certificate-files';
import { chosenProfile } from '../profiles/chosen-profile.ts';

/**
 * The operator's certificate, of RPC_TLS_DIR, of RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA, or of the chosen profile.
 * Undefined if none is set.
 *
 * @throws ConfigError if none is set and the address is beyond loopback
 */
export function operatorCertificates(env: NodeJS.ProcessEnv, address: string): Certificates | undefined {
  const folder = env.RPC_TLS_DIR || (env.RPC_TLS_CERT ? undefined : chosenProfile(env)?.rpc_tls_dir);
  const files = folder
    ? certificateFilesIn(folder, 'operator')
    : readEnv({ ...env, '--address': address }, (read) => readCertificateFiles(read, ['--address']));
  return files && openCertificates({ files, name: 'operator', log: silentLogger });
}
