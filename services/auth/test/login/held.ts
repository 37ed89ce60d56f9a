import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { expect } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, newcomer } from '../auth.ts';
import { allMails, type Mail } from '../mails.ts';

export const HOME = '198.51.100.1';
export const AWAY = '203.0.113.9';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A caller without a credential at an address, as sent by the edge. */
export function from(ip: string, user_agent = ''): { caller: Caller; timeoutMs: number } {
  return { ...IN_TIME, caller: { ...anonymous, ip, user_agent } };
}

export interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

/** A person who registered at HOME. */
export async function personAtHome(auth: Auth): Promise<Person> {
  const person = newcomer();
  const { user_id } = await auth.register(person, from(HOME));
  return { ...person, user_id };
}

export interface Held {
  readonly ticket: string;
  readonly email: string;
  readonly resend_available_in: number;
}

/** Logs in from a network where the login must be held. */
export async function heldLogin(auth: Auth, person: Person, ip = AWAY, user_agent = ''): Promise<Held> {
  const fault = await faultOf(auth.login(person, from(ip, user_agent)));
  if (fault.reason !== 'IP_AUTHORIZATION_REQUIRED') throw fault;
  const { ticket, email, resend_available_in } = fault.members;
  return { ticket: String(ticket), email: String(email), resend_available_in: Number(resend_available_in) };
}

/** Waits for this many mails about held logins to the person, and returns them, oldest first. */
export function authorizationMails(service: AuthUnderTest, { email }: Person, count = 1): Promise<Mail[]> {
  return mailsWithLink(service, email, '/authorize-ip#', count);
}

/** Waits for this many mails to an address with a link to that page, and returns them, oldest first. */
export async function mailsWithLink(
  { mail_dir }: AuthUnderTest,
  address: string,
  page: string,
  count = 1,
): Promise<Mail[]> {
  let mails: Mail[] = [];
  await expect
    .poll(async () => {
      mails = (await allMails(mail_dir)).filter(({ to, url }) => to === address && url.includes(page));
      return mails.length;
    })
    .toBe(count);
  return mails;
}

/** The token in the last of that many mails. */
export async function mailedToken(service: AuthUnderTest, person: Person, count = 1): Promise<string> {
  return (await authorizationMails(service, person, count)).at(-1)?.token ?? '';
}

/** The number of the person's sessions. */
export async function sessionCount({ db }: AuthUnderTest, { user_id }: Person): Promise<number | null> {
  return (await db.query('SELECT FROM sessions WHERE account_id = $1', [user_id])).rowCount;
}

/** Makes the person's held logins a millisecond too old. */
export async function expire({ db }: AuthUnderTest, { user_id }: Person): Promise<void> {
  await db.query(
    "UPDATE held_logins SET expires_at = now() - interval '1 millisecond' WHERE account_id = $1",
    [user_id],
  );
}

/** Inserts a second factor that other logins see. It has no valid codes. */
export async function enableTotp({ db }: AuthUnderTest, { user_id }: Person): Promise<void> {
  await db.query("INSERT INTO totp_factors (account_id, secret) VALUES ($1, '')", [user_id]);
}
