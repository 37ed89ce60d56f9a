import { freePort } from '@gatehouse/dev-env/free-port';
import { until } from '@gatehouse/dev-env/until';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { runScript } from '../support/command.ts';
import type { OwnStack } from '../support/stack.ts';

export interface SecondEdge {
  /** host:port */
  readonly address: string;
  log(): string;
  close(): Promise<void>;
}

/** A second edge beside a stack's own, on the same services, in its own process. */
export async function startSecondEdge(
  { running: { addresses, web_sockets } }: OwnStack,
  env: Record<string, string>,
  tls_dir: string,
): Promise<SecondEdge> {
  const port = await freePort();
  const { cert, key, ca } = certificateFilesIn(tls_dir, 'gateway');
  const services = Object.entries(addresses)
    .filter(([name]) => name !== 'gateway' && name !== 'realtime')
    .map(([name, address]) => [`${name.toUpperCase().replace('-', '_')}_ADDRESS`, address]);
  const edge = runScript('gateway/src/main.ts', [], {
    ...env,
    ...Object.fromEntries(services),
    REALTIME_ADDRESS: web_sockets,
    RPC_TLS_CERT: cert,
    RPC_TLS_KEY: key,
    RPC_TLS_CA: ca,
    PORT: String(port),
  });
  let ended = false;
  void edge.ended.then(() => {
    ended = true;
  });
  await until('the second edge is ready', 60_000, async () => {
    if (ended) throw new Error(`the second edge ended: ${edge.stderr()}${edge.stdout()}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return response?.ok ? true : undefined;
  });
  return {
    address: `127.0.0.1:${port}`,
    log: edge.stdout,
    close: async () => {
      edge.kill('SIGTERM');
      await edge.ended;
    },
  };
}
