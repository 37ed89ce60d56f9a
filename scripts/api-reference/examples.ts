/** What an example sends, by RPC; routes without a body and without headers of their own need none. */
export interface Example {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'auth.register': {
    body: { email: 'ann@example.com', username: 'ann', password: 'correct horse battery staple' },
  },
  'auth.login': { body: { email: 'ann@example.com', password: 'correct horse battery staple' } },
  'oauth2.createApplication': {
    body: { name: 'Clock', redirect_uris: ['https://clock.example/callback'] },
  },
  'chat.createGuild': { body: { name: 'Book club' } },
  'chat.createMessage': { body: { content: 'Hello', embeds: [{ title: 'A title', color: 5814783 }] } },
  'chat.listMessages': { query: 'limit=20' },
  'webhook_delivery.createWebhook': { body: { name: 'Alerts' } },
  'webhook_delivery.executeWebhook': { query: 'wait=true', body: { content: 'The build is green.' } },
  'webhook_delivery.executeChatcompat': {
    body: { text: 'Disk is full', attachments: [{ color: '#c00', title: 'db-1', text: '97 %' }] },
  },
  'webhook_delivery.executeCodehost': {
    headers: { 'X-Codehost-Event': 'public' },
    body: { repository: { name: 'clock', full_name: 'ann/clock' }, sender: { login: 'ann' } },
  },
};
