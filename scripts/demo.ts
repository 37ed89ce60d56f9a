import { writeFile } from 'node:fs/promises';
import { HELP, readArguments } from './demo/arguments.ts';
import { quote } from './demo/call.ts';
import { DemoError } from './demo/demo-error.ts';
import { htmlPicture } from './demo/html-picture.ts';
import { walkStory } from './demo/story.ts';
import { paint, say } from './demo/terminal.ts';
import { textPicture } from './demo/text-picture.ts';

/** `npm run demo`: walks the story of the README against a running suite and shows what came of it. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (options.help) {
    say(HELP);
    return;
  }
  const { account, guild, channel, messages } = await walkStory(options);
  await writeFile(options.out, htmlPicture(guild, channel, messages));
  say(`\n${textPicture(guild, channel, messages)}\n`);
  say(`The channel as a page: ${paint('bold', options.out)}`);
  say(`To walk the story again as ${account.email}:`);
  say(`  npm run demo -- --email ${quote(account.email)} --password ${quote(account.password)}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${paint('red', error.message, process.stderr)}\n`);
  process.exitCode = 1;
}
