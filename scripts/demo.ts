import { loadDotEnv } from '@gatehouse/cli/dot-env';
import { stripControls } from '@gatehouse/cli/output/printable';
import { ConfigError } from '@gatehouse/kit/env';
import { HELP, readArguments } from './demo/arguments.ts';
import { auditLines } from './demo/audit-lines.ts';
import { curl, quote } from './demo/call.ts';
import { channelLines } from './demo/channel-lines.ts';
import { DemoError } from './demo/demo-error.ts';
import { runStory } from './demo/story.ts';
import { say } from './demo/terminal.ts';

/** `npm run demo`: runs the demo story against a running stack, and prints its result. */
async function main(): Promise<void> {
  loadDotEnv();
  const options = readArguments(process.argv.slice(2), process.env);
  if (options.help) {
    say(HELP);
    return;
  }
  const { account, guest, guild, channel, messages, log, hook } = await runStory(options);
  say(`\n${channelLines(guild, channel, messages).join('\n')}`);
  say(`\nAudit log\n${auditLines(log).map(stripControls).join('\n')}\n`);
  say('To post a message yourself:');
  say(`  ${curl({ method: 'POST', url: `${hook}?wait=true`, body: { content: 'Hello' } })}`);
  say(`The pages for people: ${options.url}/account and ${options.url}/developers`);
  say('To run the story again with these accounts:');
  say(`  npm run demo -- --email ${quote(account.email)} --password ${quote(account.password)} \\`);
  say(`    --guest-email ${quote(guest.email)} --guest-password ${quote(guest.password)}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof DemoError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
