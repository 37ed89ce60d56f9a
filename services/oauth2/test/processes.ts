import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly process: ChildProcess;
  readonly address: string;
}

export function startAuth(serverUrl: string, data_dir: string, listen: string): Promise<ServiceProcess> {
  return startService('auth', {
    DATABASE_URL: serverUrl,
    DATA_DIR: data_dir,
    LISTEN: listen,
    AUTH_SECRET_KEY: 'a secret key that is only for tests',
  });
}

export function startService(
  name: 'auth' | 'chat',
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  return startProgram(name, new URL(`../../${name}/src/main.ts`, import.meta.url), env);
}

/** Waits for the line with its address. */
export async function startProgram(
  name: string,
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const [command, args] = dieWithParent('KILL', process.execPath, [fileURLToPath(program)]);
  const child = spawn(command, args, {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    const address = /listening on (\S+)/.exec(said)?.[1];
    if (address !== undefined) return { process: child, address };
  }
  throw new Error(`${name} did not start: ${said}`);
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
