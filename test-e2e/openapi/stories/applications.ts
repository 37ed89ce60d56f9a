import { expect } from 'vitest';
import type { Application } from '../../support/objects.ts';
import type { Character, World } from './world.ts';

interface OwnApplication extends Application {
  readonly client_secret: string;
}

/** An application is made and used by Ann, and ends. */
export async function applications({ examples }: World, { as }: Character): Promise<void> {
  const { id, client_secret } = await examples.send<OwnApplication>('createApplication', { as });
  const path = { application_id: id };
  await examples.send('listApplications', { as });
  await examples.send('getApplication', { as, path });
  await examples.send('updateApplication', { as, path });
  await examples.send('getPublicApplication', { as, path });
  await examples.send('getApplicationName', { path });
  await examples.send('updateBot', { as, path });
  const { token } = await examples.send<{ token: string }>('resetBotToken', { as, path });
  const bot = `Bot ${token}`;
  await examples.send('getBotApplication', { as: bot });
  await examples.send('getBotGateway', { as: bot });
  await examples.send('getGateway');

  await examples.send('authorize', { query: { client_id: id } });
  await examples.send('refuseConsent', { as, body: { client_id: id } });
  const consented = await examples.send<{ redirect_to: string }>('grantConsent', {
    as,
    body: { client_id: id },
  });
  const code = new URL(consented.redirect_to).searchParams.get('code') ?? '';
  const client = { client_id: id, client_secret };
  type Pair = { access_token: string; refresh_token: string };
  const pair = await examples.send<Pair>('exchangeToken', { body: { code, ...client } });
  const holder = `Bearer ${pair.access_token}`;
  await examples.send('getUserInfo', { as: holder });
  await examples.send('getCurrentAuthorization', { as: holder });
  const body = { token: pair.access_token, ...client };
  expect(await examples.send('introspectToken', { body })).toMatchObject({ active: true });
  await examples.send('listAuthorizations', { as });
  await examples.send('deleteAuthorization', { as, path });
  expect(await examples.send('introspectToken', { body })).toEqual({ active: false });
  const refresh = { ...body, token: pair.refresh_token };
  await examples.send('revokeToken', { body: refresh });
  await examples.send('revokeAuthorizations', { as, body: { application_ids: [id] } });
  await examples.send('getInstallations', { as, path });
  await examples.send('getUsage', { as, path });
  await examples.send('getBotPresence', { as, path });
  await examples.send('createClientSecret', { as, path });
  const [first] = await examples.send<{ id: string }[]>('listClientSecrets', { as, path });
  await examples.send('deleteClientSecret', { as, path: { ...path, secret_id: first?.id ?? '' } });
  await examples.send('resetClientSecret', { as, path });
  await examples.send('deleteApplication', { as, path });
}
