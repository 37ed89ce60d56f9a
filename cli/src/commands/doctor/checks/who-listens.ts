import { get } from 'node:http';
import { get as getByTls } from 'node:https';
import { Fault, Status } from '@gatehouse/kit/fault';
import { connect } from '@gatehouse/kit/rpc';
import { HealthCheckResponse_ServingStatus, HealthDefinition } from '@gatehouse/proto/grpc/health';
import type { ServerName } from '@gatehouse/proto/services';
import { operatorCertificates } from '../../../service/operator-certificates.ts';

const TIMEOUT_MS = 2_000;
/** An answer of ours is shorter. */
const MAX_TEXT = 64 * 1024;

/** Whether the server at an address has a contract, by its health service. */
export async function isService(
  contract: string,
  {
    server,
    address,
    env,
  }: { readonly server: ServerName; readonly address: string; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const certificates = operatorCertificates(env, address);
  const tls = certificates && { certificates, peer: server };
  const connection = connect(HealthDefinition, { address, transport: 'unary', tls });
  try {
    const { status } = await connection.client.check({ service: contract }, { timeoutMs: TIMEOUT_MS });
    return status === HealthCheckResponse_ServingStatus.SERVING;
  } catch (error) {
    // It answers, but this peer may not ask.
    return error instanceof Fault && error.status === Status.PERMISSION_DENIED;
  } finally {
    connection.close();
    certificates?.close();
  }
}

/** Whether the edge of a deployment answers at a URL. */
export async function isEdge(origin: string, signal: AbortSignal): Promise<boolean> {
  return /"url"\s*:\s*"wss?:/.test(await textAt(`${origin}/api/v1/gateway`, signal));
}

/** Whether a console answers at a URL: without a token it refuses. */
export async function isConsole(origin: string, signal: AbortSignal): Promise<boolean> {
  return /"code"\s*:\s*"UNAUTHORIZED"/.test(await textAt(`${origin}/api/me`, signal));
}

/** The beginning of the answer; empty without one. No certificate is checked: nothing secret is sent. */
function textAt(url: string, signal: AbortSignal): Promise<string> {
  const options = {
    agent: false,
    rejectUnauthorized: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  };
  return new Promise((resolve) => {
    const ask = url.startsWith('https:') ? getByTls : get;
    const request = ask(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > MAX_TEXT) request.destroy();
      });
      answer.once('error', () => resolve(text)).once('close', () => resolve(text));
    });
    request.once('error', () => resolve(''));
  });
}
