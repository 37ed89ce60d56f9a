import { expect, it } from 'vitest';
import { webhookClient } from '../src/index.ts';
import { json, serve } from './support/http-server.ts';

it('sends, reads, edits and deletes messages by the URL alone', async () => {
  const { baseUrl, requests } = await serve(
    json({ id: '9' }),
    json({ id: '9' }),
    json({ id: '9' }),
    (response) => response.writeHead(204).end(),
  );
  const webhook = webhookClient(`${baseUrl}/api/v1/webhooks/5/tok-en_1`);
  const { id } = await webhook.send({ content: 'The build is green.' });
  await webhook.get(id);
  await webhook.edit(id, { content: 'The build is red.' });
  await webhook.delete(id);
  expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ['POST', '/api/v1/webhooks/5/tok-en_1?wait=true', undefined],
    ['GET', '/api/v1/webhooks/5/tok-en_1/messages/9', undefined],
    ['PATCH', '/api/v1/webhooks/5/tok-en_1/messages/9', undefined],
    ['DELETE', '/api/v1/webhooks/5/tok-en_1/messages/9', undefined],
  ]);
});

it.each([
  'https://chat.example/api/v1/webhooks/5',
  'https://chat.example/api/v1/webhooks/x/secret',
  'secret',
])('refuses %s, without showing it', (url) => {
  expect(() => webhookClient(url)).toThrow(/^url is no webhook's URL: [^s]*https:\/\/…/);
});
