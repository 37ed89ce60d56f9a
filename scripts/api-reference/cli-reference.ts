import { Writable } from 'node:stream';
import { buildProgram } from '@gatehouse/cli/program';

const INTRODUCTION = `# The command gatehouse

What \`gatehouse COMMAND --help\` prints. \`npm run generate\` makes this page from the commands; [cli](README.md) has
their addresses and exit codes.
`;

/** cli/REFERENCE.md: the help text of every command. */
export function cliReference(): string {
  let help = '';
  const output = new Writable({
    write(text, _, done) {
      help += text;
      done();
    },
  });
  const program = buildProgram({
    env: {},
    stdin: process.stdin,
    stdout: output,
    stderr: output,
    signal: new AbortController().signal,
  });
  const sections = commandsIn(program).map(({ path, command }) => {
    help = '';
    command.outputHelp();
    return `\n## ${path}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
  return INTRODUCTION + sections.join('');
}

type Command = ReturnType<typeof buildProgram>;

interface CommandOfPath {
  readonly path: string;
  readonly command: Command;
}

function commandsIn(command: Command, path = command.name()): CommandOfPath[] {
  const below = command.commands.flatMap((one) => commandsIn(one, `${path} ${one.name()}`));
  return [{ path, command }, ...below];
}
