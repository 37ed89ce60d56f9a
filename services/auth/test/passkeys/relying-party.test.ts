import { expect, test } from 'vitest';
import { relyingParty } from '../../src/passkeys/relying-party.ts';

test.each([
  ['https://chat.example', 'chat.example', ['https://chat.example']],
  ['https://chat.example:8443/app', 'chat.example', ['https://chat.example:8443']],
  ['http://127.0.0.1:8080', 'localhost', ['http://127.0.0.1:8080', 'http://localhost:8080']],
  ['http://localhost:8080', 'localhost', ['http://localhost:8080', 'http://127.0.0.1:8080']],
  ['http://localhost', 'localhost', ['http://localhost', 'http://127.0.0.1']],
  ['http://[::1]:8080', 'localhost', ['http://[::1]:8080', 'http://localhost:8080', 'http://127.0.0.1:8080']],
  ['https://192.0.2.7', 'localhost', ['https://192.0.2.7']],
  ['https://127.example', '127.example', ['https://127.example']],
])('%s is the relying party %s', (web_app_url, id, origins) => {
  expect(relyingParty(web_app_url)).toEqual({ id, name: 'Gatehouse', origins });
});
