import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';

/** A client in another language: it reports its results as lines of JSON on standard output, and reads input lines. */
export interface ClientProcess {
  /** The next line of its output. The caller names the type; its test asserts the values. */
  next<T>(): Promise<T>;
  say(line: string): void;
  close(): void;
}

/** Starts a program and writes its settings to its standard input. */
export function startClientProcess(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  settings: object,
): ClientProcess {
  const [command, given] = dieWithParent('KILL', program, [...args]);
  const child = spawn(command, given, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const say = (line: string) => void child.stdin.write(`${line}\n`);
  say(JSON.stringify(settings));
  return {
    next: async () => {
      const { done, value } = await lines.next();
      if (done) throw new Error(`${program} ended; its output is above`);
      return JSON.parse(value);
    },
    say,
    close: () => void child.kill('SIGKILL'),
  };
}
