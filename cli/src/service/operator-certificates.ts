import { readEnv } from '@gatehouse/kit/env';
import { silentLogger } from '@gatehouse/kit/log';
import { type Certificates, openCertificates } from '@gatehouse/kit/rpc';
import { certificateFilesIn, readCertificateFiles } from '@gatehouse/kit/rpc/tls/certificate-files';

/**
 * The operator's certificate, of RPC_TLS_DIR or of RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA. Undefined if none is set.
 *
 * @throws ConfigError if none is set and the address is beyond loopback
 */
export function operatorCertificates(env: NodeJS.ProcessEnv, address: string): Certificates | undefined {
  const files = env.RPC_TLS_DIR
    ? certificateFilesIn(env.RPC_TLS_DIR, 'operator')
    : readEnv({ ...env, '--address': address }, (read) => readCertificateFiles(read, ['--address']));
  return files && openCertificates({ files, name: 'operator', log: silentLogger });
}
