import { execFileSync } from 'node:child_process';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';

const WITHIN_MS = 10_000;

/**
 * The arguments with which npm in `docker build` finds this machine's registry: its URL, and its certificate
 * authority if Node does not know that one.
 */
export async function builderSettings(): Promise<NodeJS.ProcessEnv> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const ca = registry.startsWith('https:') ? await foreignAuthority(new URL(registry)) : undefined;
  return { NPM_CONFIG_REGISTRY: registry, ...(ca && { NPM_CONFIG_CA: ca }) };
}

async function foreignAuthority({ hostname, port }: URL): Promise<string | undefined> {
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    servername: hostname,
    timeout: WITHIN_MS,
  });
  try {
    const pem = await new Promise<string>((resolve, reject) => {
      socket.once('secureConnect', () => resolve(rootOf(socket)));
      socket.once('timeout', () => reject(new Error(`${hostname} does not answer`)));
      socket.once('error', reject);
    });
    return rootCertificates.includes(pem) ? undefined : pem;
  } finally {
    socket.destroy();
  }
}

function rootOf(socket: TLSSocket): string {
  let certificate = socket.getPeerX509Certificate();
  while (certificate?.issuerCertificate !== undefined) certificate = certificate.issuerCertificate;
  return certificate?.toString().trim() ?? '';
}
