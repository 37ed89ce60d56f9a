import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { tokensMailed } from '../support/mail.ts';
import type { BackupCode, TicketAnswer } from '../support/objects.ts';
import { register } from '../support/people.ts';

/** Uses mails, sudo proofs and second factors. Returns every secret involved, by name. */
export async function plantAccountSecrets(api: Api, data_dir: string): Promise<Record<string, string>> {
  const { email, password, api: own } = await register(api);
  const [verify = ''] = await tokensMailed(data_dir, email, 'verify');
  await api.post('/auth/verify', { token: verify });
  await api.post('/auth/forgot', { email });
  const [reset = ''] = await tokensMailed(data_dir, email, 'reset');
  await api.get(`/auth/reset/${reset}`);
  await api.get(`/auth/reset/${reset}/nowhere`);

  await own.post('/auth/sudo', { password: `wrong-${password}` });
  const secret = newSecret();
  const enabled = await own.post('/users/@me/mfa/totp/enable', { secret, code: totp(secret), password });
  expect(enabled.status, enabled.text).toBe(200);
  const [used, unused] = enabled.json<{ backup_codes: BackupCode[] }>().backup_codes;
  const { ticket } = (await api.post('/auth/login', { email, password })).json<TicketAnswer>();
  await api.post('/auth/login/mfa/totp', { ticket, code: used?.code });
  await api.get(`/auth/ip-authorization/poll?ticket=${ticket}`);

  const renewed = `renewed-${password}`;
  expect((await api.post('/auth/reset', { token: reset, password: renewed })).status).toBe(200);
  await api.send('PATCH', '/users/@me', { body: { email: 'x', new_password: renewed, password } });
  return {
    'the address': email,
    'the new password': renewed,
    'the verification token': verify,
    'the reset token': reset,
    'the ticket': ticket,
    'the TOTP secret': secret,
    'a used backup code': used?.code ?? '',
    'an unused backup code': unused?.code ?? '',
  };
}
