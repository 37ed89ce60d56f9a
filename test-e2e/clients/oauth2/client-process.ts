import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';

/** A client in another language: it prints lines of JSON that say what it did, and reads lines of what to do. */
export interface ToldClient {
  /** What it says next. The caller names the shape, and its test asserts it. */
  next<T>(): Promise<T>;
  say(line: string): void;
  close(): void;
}

/** Starts a program, and says its settings to it. */
export function startClient(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  settings: object,
): ToldClient {
  const [command, given] = dieWithParent('KILL', program, [...args]);
  const child = spawn(command, given, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const say = (line: string) => void child.stdin.write(`${line}\n`);
  say(JSON.stringify(settings));
  return {
    next: async () => {
      const { done, value } = await lines.next();
      if (done) throw new Error(`${program} ended; above is what it wrote`);
      return JSON.parse(value);
    },
    say,
    close: () => void child.kill('SIGKILL'),
  };
}
