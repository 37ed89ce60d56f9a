import { Client, Events, GatewayIntentBits, type Message } from 'discord.js';

const { GATEHOUSE_URL = 'http://127.0.0.1:8080', BOT_TOKEN } = process.env;
if (!BOT_TOKEN) exit('Set BOT_TOKEN to the token of your application’s bot.');

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const client = new Client({
  intents: [Guilds, GuildMessages, MessageContent],
  // These two lines are all that points discord.js to Gatehouse.
  rest: { api: `${GATEHOUSE_URL}/api`, version: '1' },
  ws: { version: 1 },
});

client.once(Events.ClientReady, ({ user }) => {
  console.log(`${user.username} is online. Write !ping in a channel.`);
});
client.on(Events.MessageCreate, (message: Message) => {
  answer(message).catch((error: Error) => {
    console.error(`No answer in channel ${message.channelId}: ${error.message}`);
  });
});
client.on(Events.Error, (error) => console.error(`discord.js: ${error.message}`));
client.on(Events.Invalidated, () => exit('The session has ended: the token may have been reset.'));

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    client.destroy().catch((error: Error) => exit(error.message));
  });

await client
  .login(BOT_TOKEN)
  .catch((error: Error) => exit(`Gatehouse at ${GATEHOUSE_URL} does not let the bot in: ${error.message}`));

/** Bots are not answered, so that two of them cannot talk for ever. */
async function answer({ author, channel, content }: Message): Promise<void> {
  if (author.bot || content !== '!ping' || !channel.isSendable()) return;
  await channel.send(`Pong, ${author.username}.`);
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
