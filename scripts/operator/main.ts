const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  auth: () => gatehouse('auth'),
  certificates: () => import('../certificates.ts'),
  prepare: () => import('../prepare.ts'),
  limits: () => gatehouse('limits'),
  rpc: () => import('../rpc.ts'),
  webhooks: () => gatehouse('webhooks'),
};

const HELP = `operator COMMAND [ARGUMENTS]: the commands of operators, as in a clone \`npm run COMMAND -- ARGUMENTS\`.

Commands: ${Object.keys(COMMANDS).join(', ')}. Each has --help.
`;

const [name = '--help'] = process.argv.splice(2, 1);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command !== undefined) await command();
else if (name === '--help' || name === '-h') process.stdout.write(HELP);
else {
  process.stderr.write(`there is no command ${name}\n\n${HELP}`);
  process.exitCode = 2;
}

function gatehouse(command: string): Promise<unknown> {
  process.argv.splice(2, 0, command);
  return import('@gatehouse/cli/main');
}
