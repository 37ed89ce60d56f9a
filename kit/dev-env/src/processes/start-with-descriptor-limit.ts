import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface LimitedProcess {
  /** host:port, from the process's output. */
  readonly address: string;
  /** Its standard output and standard error. */
  written(): string;
  isAlive(): boolean;
  kill(): Promise<void>;
}

/** Runs a program with a limit of open file descriptors. Settles when it listens. @throws Error if it ends before */
export async function startWithDescriptorLimit(
  limit: number,
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<LimitedProcess> {
  const script = `ulimit -n ${limit}; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const exited = once(child, 'exit');
  const listening = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      const address = /listening on (\S+)/.exec(written)?.[1];
      if (address !== undefined) listening.resolve(address);
    });
  void exited.then(() => listening.reject(new Error(`it ended:\n${written}`)));
  return {
    address: await listening.promise,
    written: () => written,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Less than the listen backlog, beyond which the system drops connections silently. */
const AT_ONCE = 100;

/** Opens connections that send nothing. Settles when the system has accepted all of them. */
export async function idleConnections(
  address: string,
  count: number,
): Promise<{ open(): number; close(): void }> {
  const { hostname, port } = new URL(`http://${address}`);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => {
      const socket = connect(Number(port), hostname);
      return socket.on('error', () => undefined).resume();
    });
    sockets.push(...some);
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => undefined)));
  }
  return {
    open: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
