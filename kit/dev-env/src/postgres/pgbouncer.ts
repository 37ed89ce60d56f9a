import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { dieWithParent } from '../processes/die-with-parent.ts';
import { aptProgram } from '../programs/apt.ts';

export interface PgBouncer {
  /** The server's URL through PgBouncer. */
  through(database_url: string): string;
  close(): Promise<void>;
}

/** Undefined, with a message, if PgBouncer is neither on PATH nor installable. */
export const pgbouncerProgram = (): Promise<string | undefined> => aptProgram('pgbouncer', 'pgbouncer');

/** Runs PgBouncer in front of a server, with these lines of configuration. */
export async function startPgBouncer(server_url: string, settings: readonly string[]): Promise<PgBouncer> {
  const server = new URL(server_url);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pgbouncer-'));
  const port = await freePort();
  const login = (name: string, value: string): string =>
    `"${decodeURIComponent(name)}" "${decodeURIComponent(value)}"\n`;
  await writeFile(join(folder, 'users'), login(server.username, server.password));
  await writeFile(
    join(folder, 'ini'),
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users')}`,
      ...settings,
      '',
    ].join('\n'),
  );
  // PgBouncer does not run as root.
  await chmod(folder, 0o755);
  const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(...dieWithParent('KILL', 'pgbouncer', [...as, join(folder, 'ini')]), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('process up')) resolve();
    });
    void ended.then(() => reject(new Error(`pgbouncer ended: ${output}`)));
    child.once('error', reject);
  });
  return {
    through: (database_url) => {
      const url = new URL(database_url);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
