import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stack, StackOptions } from '../start-stack.ts';

export interface OneProcessStack extends Pick<Stack, 'url' | 'addresses' | 'console_url'> {
  /** @throws Error for an exit code other than 0 */
  close(): Promise<void>;
}

const STACK_PROCESS = fileURLToPath(new URL('./stack-process.ts', import.meta.url));

/** Starts a stack in one process. */
export async function startInOneProcess(options: StackOptions): Promise<OneProcessStack> {
  const child = fork(STACK_PROCESS, [JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const answered = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  if (answered === undefined) throw new Error('a stack ended before it answered; its output is above');
  const [stack] = answered as [Pick<Stack, 'url' | 'addresses' | 'console_url'>];
  return { ...stack, close: () => end(child, exited) };
}

async function end(child: ChildProcess, exited: Promise<unknown[]>): Promise<void> {
  if (child.connected) child.send('end');
  const [code, signal] = await exited;
  if (code !== 0) throw new Error(`a stack ended with ${code ?? signal}`);
}
