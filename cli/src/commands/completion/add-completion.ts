import { Argument, type Command } from 'commander';
import type { Runtime } from '../../runtime.ts';

export function addCompletion(program: Command, { stdout }: Runtime): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nInstall: eval "$(gatehouse completion bash)"; for fish: gatehouse completion fish | source',
    )
    .action((shell: string) => {
      stdout.write(shell === 'fish' ? fishScript(program) : bashScript(program, shell === 'zsh'));
    });
}

interface CompletedCommand {
  /** "gatehouse limits". */
  readonly path: string;
  readonly words: readonly string[];
}

function completedCommands(command: Command, path = command.name()): CompletedCommand[] {
  const words = [
    ...command.commands.map((below) => below.name()),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...command.options.flatMap(({ long }) => long ?? []),
    ...(command.parent === null ? [] : ['--profile']),
    '--help',
  ];
  return [
    { path, words },
    ...command.commands.flatMap((below) => completedCommands(below, `${path} ${below.name()}`)),
  ];
}

/** The words so far are the path of a command. zsh runs this script through bashcompinit. */
function bashScript(program: Command, zsh: boolean): string {
  const cases = completedCommands(program).map(
    ({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`,
  );
  const paths = completedCommands(program).map(({ path }) => `"${path}"`);
  return `${zsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_gatehouse() {
  local path=gatehouse words="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
    ${paths.join(' | ')}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`;
}

function fishScript(program: Command): string {
  const lines = completedCommands(program).map(({ path, words }) => {
    const [, ...names] = path.split(' ');
    const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    return `complete -c gatehouse -n '${seen || '__fish_use_subcommand'}' -a '${words.join(' ')}'`;
  });
  return `${lines.join('\n')}\n`;
}
