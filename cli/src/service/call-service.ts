import { Fault, Status } from '@gatehouse/kit/fault';
import { type Client, connect, type ServiceDefinition } from '@gatehouse/kit/rpc';
import { addressVariable } from '@gatehouse/proto/services';
import { CommandFailure, ExitCode } from '../failures.ts';
import { printable } from '../output/printable.ts';
import type { Runtime } from '../runtime.ts';
import type { Server } from '../stack/servers.ts';
import { operatorCertificates } from './operator-certificates.ts';

export interface Service<D extends ServiceDefinition> {
  /** The name in its certificate and in its address variable. */
  readonly server: Server;
  readonly definition: D;
  /** The subject of "… does not answer". */
  readonly title: string;
}

/**
 * Connects to a service as the operator and makes some calls.
 *
 * @throws CommandFailure if a call fails
 */
export async function callService<D extends ServiceDefinition, T>(
  service: Service<D>,
  address: string,
  { env }: Pick<Runtime, 'env'>,
  makeCalls: (client: Client<D>) => Promise<T>,
): Promise<T> {
  const certificates = operatorCertificates(env, address);
  const tls = certificates && { certificates, peer: service.server };
  const connection = connect(service.definition, { address, transport: 'unary', tls });
  try {
    return await makeCalls(connection.client);
  } catch (error) {
    throw error instanceof Fault ? failureOf(error, service, address, tls !== undefined) : error;
  } finally {
    connection.close();
    certificates?.close();
  }
}

function failureOf(
  { status, message, violations }: Fault,
  { server, title }: Pick<Service<ServiceDefinition>, 'server' | 'title'>,
  address: string,
  hasCertificate: boolean,
): CommandFailure {
  const said = `${address}: ${printable(message)}`;
  switch (status) {
    case Status.INVALID_ARGUMENT:
      return new CommandFailure(
        ExitCode.USAGE,
        [said, ...violations.map((one) => printable(`  ${one.path}: ${one.message}`))].join('\n'),
      );
    case Status.NOT_FOUND:
    case Status.ALREADY_EXISTS:
      return new CommandFailure(ExitCode.NEGATIVE, said);
    case Status.UNAVAILABLE: {
      const where = `Start it, or name another address with --address or ${addressVariable(server)}.`;
      const tls = hasCertificate
        ? `It must have a certificate for ${server} of the same authority.`
        : 'If it requires mutual TLS, set RPC_TLS_DIR.';
      return new CommandFailure(
        ExitCode.UNANSWERED,
        `${address}: ${title} does not answer.\n${where} ${tls}`,
      );
    }
    default:
      return new CommandFailure(ExitCode.UNANSWERED, said);
  }
}
