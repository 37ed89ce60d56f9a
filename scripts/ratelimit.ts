import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { operatorCommand, USAGE } from './operator-command.ts';
import { operatorCertificates } from './operator-tls.ts';
import { HELP, type Options, readArguments, UsageError } from './ratelimit/arguments.ts';
import { check, type Peer } from './ratelimit/check.ts';
import { explain } from './ratelimit/explain.ts';
import { top } from './ratelimit/top.ts';

let asked: string | undefined;

/** `npm run ratelimit`: what operators ask of a running ratelimit service. */
async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const { address } = options;
  asked = address;
  const certificates = operatorCertificates(process.env, address);
  const tls = certificates && { certificates, peer: 'ratelimit' };
  const connection = connect(RatelimitServiceDefinition, { address, transport: 'unary', tls });
  try {
    return await ask(options, connection.client);
  } finally {
    connection.close();
    certificates?.close();
  }
}

async function ask(options: Options, peer: Peer): Promise<number> {
  switch (options.command) {
    case 'check':
      return (await check(peer, options)) ? 0 : 1;
    case 'explain':
      return (await explain(peer, options)) ? 0 : 1;
    case 'top':
      await top(peer, options);
      return 0;
  }
}

await operatorCommand({
  run,
  codeOf: (error) => (error instanceof UsageError ? USAGE : undefined),
  asked: () => asked,
  unanswered: 'The ratelimit service, or the store it needs, does not answer.',
});
