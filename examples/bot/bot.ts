import { createClient } from '@gatehouse/sdk';
import { Gateway } from '@gatehouse/sdk/gateway';

const { GATEHOUSE_URL: baseUrl = 'http://127.0.0.1:8080', BOT_TOKEN: bot } = process.env;
if (!bot) exit('Set BOT_TOKEN to the token of your application’s bot.');

const api = createClient({ baseUrl, bot });
const { data: me } = await api
  .GET('/users/@me')
  .catch((error: Error) => exit(`Gatehouse at ${baseUrl} does not let the bot in: ${error.message}`));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

// The client connects again by itself and resumes: no message is lost or answered twice.
const gateway = new Gateway({
  baseUrl,
  bot,
  signal: stop.signal,
  onDisconnect: ({ why, delayMs }) => console.log(`Disconnected (${why}); again in ${delayMs} ms.`),
});

try {
  for await (const event of gateway) {
    if (event.t === 'READY') console.log(`${me.username} is online. Write !ping in a channel.`);
    if (event.t === 'MESSAGE_CREATE') await answer(event.d);
  }
} catch (error) {
  if (!stop.signal.aborted) exit(`The Gateway has ended: ${(error as Error).message}`);
}

interface ReceivedMessage {
  readonly channel_id: string;
  readonly content: string;
  readonly author: { readonly username: string; readonly bot: boolean };
}

/** Bots are not answered, so that two of them cannot talk for ever. */
async function answer({ channel_id, content, author }: ReceivedMessage): Promise<void> {
  if (author.bot || content !== '!ping') return;
  try {
    // It waits out rate limits, within a bound.
    await api.POST('/channels/{channel_id}/messages', {
      params: { path: { channel_id } },
      body: { content: `Pong, ${author.username}.` },
    });
  } catch (error) {
    console.error(`No answer in channel ${channel_id}: ${(error as Error).message}`);
  }
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
