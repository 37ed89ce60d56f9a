import { hash } from 'node:crypto';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IN_TIME, newPerson, type Oauth2UnderTest, settings, startOauth2 } from './oauth2.ts';

const lines: string[] = [];
let service: Oauth2UnderTest;
beforeAll(async () => {
  const destination = { write: (line: string) => lines.push(line) };
  service = await startOauth2(
    'oauth2_secrets',
    createLogger({ name: 'oauth2', level: 'trace', destination }),
  );
});
afterAll(() => service.close());

test('a client secret and a bot token are in no table and no log', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings({ name: 'Planted' }), {
    ...IN_TIME,
    caller,
  });
  const clientSecret = application?.client_secret ?? '';
  const botSecret = application?.bot?.token?.split('.')[1] ?? '';

  const { rows } = await service.db.query<{ row: string }>(
    'SELECT a::text AS row FROM applications AS a UNION ALL SELECT r::text FROM application_reservations AS r',
  );
  const dump = rows.map(({ row }) => row).join('\n');
  expect(dump).toContain('Planted');
  const log = lines.join('');
  expect(log).toContain('Oauth2Service/CreateApplication');
  for (const secret of [clientSecret, botSecret]) {
    expect(secret).toHaveLength(43);
    for (const text of [dump, log]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  }
  expect(dump).toContain(hash('sha256', clientSecret));
});
