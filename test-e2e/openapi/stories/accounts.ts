import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { expect } from 'vitest';
import { expectOk } from '../../support/expect-status.ts';
import { tokensMailed } from '../../support/mail.ts';
import type { SessionAnswer, TicketAnswer } from '../../support/objects.ts';
import { freshAddress } from '../../support/people.ts';
import { type Character, newCharacter, PASSWORD, type World } from './world.ts';

/** Ann of the examples registers, proves her address and uses her account. */
export async function registration({ stack, api, examples }: World): Promise<Character> {
  const { token, user_id: id } = await examples.send<SessionAnswer>('register');
  const as = `Bearer ${token}`;
  const email = 'ann@example.com';
  await examples.send('resendVerification', { as });
  const mailed = await tokensMailed(stack.data_dir, email, 'verify', 2);
  await examples.send('verifyEmail', { body: { token: mailed.at(-1) ?? '' } });
  await examples.send('login');
  await examples.send('getCurrentUser', { as });
  await examples.send('updateCurrentUser', { as });
  await examples.send('getUser', { as, path: { user_id: id } });
  await examples.send('createSudoGrant', { as });
  await examples.send('getSudoMethods', { as });
  await examples.send('listSessions', { as });
  await examples.send('listSignIns', { as });
  await examples.send('startDataExport', { as });
  const state = () => examples.send<{ status: string }>('getDataExport', { as });
  await expect.poll(async () => (await state()).status).toBe('ready');
  await examples.send('readDataExport', { as });
  await examples.send('endSessions', { as });
  await examples.send('listConnections', { as });
  return { id, email, as, api: api.as(as) };
}

/** The life of a passkey. A software authenticator answers the challenges: no example can contain such an answer. */
export async function passkeys({ stack, api, examples }: World, { as, email }: Character): Promise<void> {
  const key = new Authenticator({ origin: stack.url });
  const options = await examples.reply('getWebauthnRegistrationOptions', { as });
  const made = await examples.send<{ id: string; backup_codes: { code: string }[] }>(
    'createWebauthnCredential',
    {
      as,
      body: { response: JSON.parse(key.create(options.text)) },
    },
  );
  await examples.send('listWebauthnCredentials', { as });
  await examples.send('updateWebauthnCredential', { as, path: { id: made.id } });
  await examples.send('getSudoWebauthnOptions', { as });

  const { ticket } = await expectOk<TicketAnswer>(api.post('/auth/login', { email, password: PASSWORD }));
  const challenge = await examples.reply('getLoginWebauthnOptions', { body: { ticket } });
  const response = JSON.parse(key.get(challenge.text));
  await examples.send('loginMfaWebauthn', { body: { ticket, response } });
  const anybody = await examples.reply('getPasskeyLoginOptions');
  await examples.send('loginPasskey', { body: { response: JSON.parse(key.get(anybody.text)) } });
  const [backup] = made.backup_codes;
  await examples.send('deleteWebauthnCredential', {
    as,
    path: { id: made.id },
    body: { mfa_code: backup?.code ?? '' },
  });
}

/** The codes of an app. A code works once, so that the later proofs are backup codes, which the same members take. */
export async function totpCodes(world: World): Promise<void> {
  const { api, examples } = world;
  const { as, email } = await newCharacter(world);
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  type Codes = { backup_codes: { code: string }[] };
  const first = await examples.send<Codes>('enableTotp', { as, body: { code: totp(secret) } });
  const { ticket } = await expectOk<TicketAnswer>(api.post('/auth/login', { email, password: PASSWORD }));
  const [login, regeneration] = first.backup_codes.map(({ code }) => code);
  await examples.send('loginMfaTotp', { body: { ticket, code: login ?? '' } });
  const second = await examples.send<Codes>('listBackupCodes', {
    as,
    body: { mfa_code: regeneration ?? '' },
  });
  await examples.send('disableTotp', { as, body: { code: second.backup_codes[0]?.code ?? '' } });
}

/** A login from a new location is held. Its mail can be sent again after 30 seconds, which the database skips. */
export async function heldLogin(world: World): Promise<void> {
  const { stack, examples } = world;
  const { email } = await newCharacter(world);
  const elsewhere = stack.api.from(freshAddress());
  const held = await elsewhere.post('/auth/login', { email, password: PASSWORD });
  expect(held.status, held.text).toBe(403);
  const { ticket } = held.json<{ ticket: string }>();
  await examples.send('pollIpAuthorization', { query: { ticket } });
  await stack.query('auth', "UPDATE held_logins SET created_at = created_at - interval '30 seconds'", []);
  await examples.send('resendIpAuthorization', { body: { ticket } });
  const mailed = await tokensMailed(stack.data_dir, email, 'authorize-ip', 2);
  await examples.send('authorizeIp', { body: { token: mailed.at(-1) ?? '' } });
  const { completed } = await examples.send<{ completed: boolean }>('pollIpAuthorization', {
    query: { ticket },
  });
  expect(completed).toBe(true);
}

/** Somebody signs in to a browser once. */
export async function browserSessions(world: World): Promise<void> {
  const { as } = await newCharacter(world);
  const { headers } = await world.examples.reply('createBrowserSession', { as });
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  await world.examples.send('resumeBrowserSession', { cookie });
  await world.examples.send('endBrowserSession', { as });
}

/** Ann resets her password, and others leave. */
export async function endings(world: World): Promise<void> {
  const { stack, examples } = world;
  await examples.send('forgotPassword');
  const [token = ''] = await tokensMailed(stack.data_dir, 'ann@example.com', 'reset');
  await examples.send('checkResetToken', { path: { token } });
  await examples.send('resetPassword', { body: { token } });
  await examples.send('logout', { as: (await newCharacter(world)).as });
  await examples.send('deleteCurrentUser', { as: (await newCharacter(world)).as });
}
