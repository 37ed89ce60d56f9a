import { ConfigError } from '@gatehouse/kit/env';
import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands/commands.ts';
import { CommandFailure, ExitCode } from './failures.ts';
import { printable } from './output/printable.ts';
import { chooseProfile } from './profiles/chosen-profile.ts';
import type { Runtime } from './runtime.ts';

const HELP_WIDTH = 100;
/** Time for a command to end in order after an interrupt. */
const INTERRUPT_GRACE_MS = 2_000;

/**
 * Runs one command line, without the path of Node and of the script.
 *
 * @returns the exit code
 */
export async function run(argv: readonly string[], { env, ...given }: Runtime): Promise<number> {
  const runtime: Runtime = { ...given, env: { ...env } };
  try {
    await Promise.race([
      buildProgram(runtime).parseAsync(argv, { from: 'user' }),
      graceAfter(runtime.signal),
    ]);
    return runtime.exitCode ?? ExitCode.DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.DONE : ExitCode.USAGE;
    if (runtime.signal.aborted) return ExitCode.INTERRUPTED;
    if (!(error instanceof CommandFailure || error instanceof ConfigError)) throw error;
    runtime.stderr.write(`${error.message}\n`);
    return error instanceof CommandFailure ? error.exit_code : ExitCode.USAGE;
  }
}

export function buildProgram(runtime: Runtime): Command {
  const program = new Command('gatehouse')
    .description('Commands for operators and developers of Gatehouse.')
    .usage('<command>')
    .option('--profile <name>', 'the deployment to act on (gatehouse profiles --help)')
    .hook('preAction', () => {
      const { profile } = program.opts<{ profile?: string }>();
      if (profile !== undefined) chooseProfile(runtime.env, profile);
    })
    .addHelpText('after', EXIT_CODES);
  for (const addCommand of COMMANDS) addCommand(program, runtime);
  configure(program, runtime, program.name());
  return program;
}

const EXIT_CODES = `
Exit codes: 0 done; 1 the answer is no (each command says what that means); 2 the command line, a setting or
an input is wrong; 3 the service does not answer; 130 interrupted.`;

/** Sends output and errors of a command, and of those below it, to the runtime. */
function configure(command: Command, runtime: Runtime, path: string): void {
  const { stdout, stderr } = runtime;
  command
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError(`${path} --help shows how to use it.`)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.split('\n').map(printable).join('\n')),
      getOutHelpWidth: () => stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const below of command.commands) configure(below, runtime, `${path} ${below.name()}`);
}

/** Rejects some time after the signal: a command may hang. */
function graceAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      setTimeout(() => reject(signal.reason), INTERRUPT_GRACE_MS).unref();
    });
  });
}
