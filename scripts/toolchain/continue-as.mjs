import { spawn } from 'node:child_process';

/**
 * Continues as `node script …`: in this process if Node can replace itself (22.15 and later), otherwise as a parent
 * that forwards signals and the exit code.
 */
export function continueAs(node, args, env) {
  const argv = ['--disable-warning=ExperimentalWarning', ...args];
  if (process.execve !== undefined) process.execve(node, [node, ...argv], env);
  const child = spawn(node, argv, { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${node} cannot be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
