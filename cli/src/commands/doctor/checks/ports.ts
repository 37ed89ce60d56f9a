import { createServer } from 'node:net';
import { isHostPort } from '@gatehouse/kit/env';
import { hostAndPort, isLoopback } from '@gatehouse/kit/net/host-port';
import { SERVICE_NAMES, SERVICES, type ServerName } from '@gatehouse/proto/services';
import { chosenProfile } from '../../../profiles/chosen-profile.ts';
import { connectableAddress, consoleUrl, edgeUrl, serviceAddress } from '../../../stack/addresses.ts';
import { type CheckContext, type Finding, ok, problem, skipped } from '../finding.ts';
import { ownSetting } from '../own-setting.ts';
import { isConsole, isEdge, isService } from './who-listens.ts';

/** A socket that a process of the deployment opens on this machine. */
interface Listener {
  readonly subject: string;
  /** host:port. */
  readonly address: string;
  /** Whether the process that listens there is the right one. */
  readonly isOurs: () => Promise<boolean>;
}

/** Checks that each listening address is free, or served by the process that it is for. */
export async function checkPorts(context: CheckContext): Promise<readonly Finding[]> {
  const profile = chosenProfile(context.env);
  if (profile !== undefined) return [skipped('ports', `profile ${profile.name} is another machine's`)];
  return Promise.all(listenersOf(context).map(finding));
}

function listenersOf({ env, signal }: CheckContext): Listener[] {
  const edge = new URL(edgeUrl(env));
  const services = SERVICE_NAMES.filter((name) => name !== 'gateway').map((server): Listener => {
    const listen = ownSetting(env, server, 'LISTEN');
    const address = listen === undefined || listen.shared ? ownAddress(env, server) : listen.value;
    const [contract] = SERVICES[server].contracts;
    return {
      subject: server,
      address,
      isOurs: () => isService(contract.name, { server, address: connectableAddress(address), env }),
    };
  });
  return [
    { subject: 'gateway', address: socketOf(edge), isOurs: () => isEdge(edge.origin, signal) },
    ...services,
    ...pagesOfConsole(env, signal),
  ];
}

/** None if only the console's public URL is known, behind which it may listen anywhere. */
function pagesOfConsole(env: NodeJS.ProcessEnv, signal: AbortSignal): Listener[] {
  // The console listens on 127.0.0.1, whatever localhost leads to.
  const known = socketOf(new URL(consoleUrl(env))).replace(/^localhost:/, '127.0.0.1:');
  const address = env.CONSOLE_LISTEN || known;
  if (!env.CONSOLE_LISTEN && !isLoopback(hostAndPort(known).host)) return [];
  const origin = `${env.CONSOLE_TLS_CERT ? 'https' : 'http'}://${connectableAddress(address)}`;
  return [{ subject: "the console's pages", address, isOurs: () => isConsole(origin, signal) }];
}

/** A URL leaves out the port 80. */
function socketOf({ hostname, port }: URL): string {
  return `${hostname}:${port || 80}`;
}

/** Where a stack on this machine listens: the address variables are those of others. */
function ownAddress({ PORT, DATA_DIR }: NodeJS.ProcessEnv, server: ServerName): string {
  return serviceAddress({ PORT, DATA_DIR }, server);
}

async function finding({ subject, address, isOurs }: Listener): Promise<Finding> {
  if (!isHostPort(address)) return problem(subject, `${address} is not host:port`, 'Correct its LISTEN.');
  const code = await bindingError(address);
  switch (code) {
    case undefined:
      return ok(subject, `${address} is free`);
    case 'EADDRINUSE':
      if (await isOurs()) return ok(subject, `${address} is served`);
      return problem(
        subject,
        `another program listens on ${address}`,
        `Find it: ss -ltnp 'sport = :${hostAndPort(address).port}'. End it, or choose another port.`,
      );
    case 'EACCES':
      return problem(subject, `this user may not listen on ${address}`, 'Choose a port from 1024 on.');
    case 'EADDRNOTAVAIL':
      return problem(subject, `${address} is no address of this machine`, 'Name one that is, or 0.0.0.0.');
    default:
      return problem(subject, `${address} cannot be used: ${code}`, 'Look at the address.');
  }
}

/** The code of the error of listening; undefined if it works. */
function bindingError(address: string): Promise<string | undefined> {
  const { host, port } = hostAndPort(address);
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
