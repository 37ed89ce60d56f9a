import { readEnv } from '@gatehouse/kit/env';
import { silentLogger } from '@gatehouse/kit/log';
import { type Certificates, openCertificates } from '@gatehouse/kit/rpc';
import { certificateFilesIn, readCertificateFiles } from '@gatehouse/kit/rpc/tls/certificate-files';

/**
 * The operator's certificate, with which the command-line tools call: of RPC_TLS_DIR, or as RPC_TLS_CERT, RPC_TLS_KEY
 * and RPC_TLS_CA name it. Undefined where none is set.
 *
 * @param address where the tool calls
 * @throws ConfigError also where that is beyond loopback and there is no certificate
 */
export function operatorCertificates(env: NodeJS.ProcessEnv, address: string): Certificates | undefined {
  const files = env.RPC_TLS_DIR
    ? certificateFilesIn(env.RPC_TLS_DIR, 'operator')
    : readEnv({ ...env, '--address': address }, (read) => readCertificateFiles(read, ['--address']));
  return files && openCertificates({ files, name: 'operator', log: silentLogger });
}
