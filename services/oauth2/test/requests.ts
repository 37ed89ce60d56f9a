import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { CreateApplicationRequest, Identity, UpdateApplicationRequest } from '@gatehouse/proto/oauth2';
import type { Auth, Oauth2 } from './oauth2.ts';

export const IN_TIME = { timeoutMs: 20_000 };

let people = 0;

/** A new person as a caller, as sent by the edge. */
export async function newPerson(auth: Auth): Promise<Caller> {
  people++;
  const person = {
    email: `p${people}@example.com`,
    username: `p${people}`,
    password: 'correct horse battery',
  };
  const { user_id } = await auth.register(person, IN_TIME);
  return { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: user_id, credential_id: '1' };
}

export function settings(changes: Partial<CreateApplicationRequest> = {}): CreateApplicationRequest {
  return {
    name: 'Application',
    redirect_uris: [],
    icon: null,
    description: null,
    terms_url: null,
    privacy_url: null,
    ...changes,
  };
}

/** The changes of an application in a request. Members that are not named stay unchanged. */
export function changes(
  named: Partial<UpdateApplicationRequest>,
): Omit<UpdateApplicationRequest, 'application_id'> {
  return { icon: null, description: null, terms_url: null, privacy_url: null, ...named };
}

/** The identity of an access token, if it is live. */
export async function whoIs(oauth2: Oauth2, token: string): Promise<Identity | undefined> {
  return (await oauth2.identify({ token }, IN_TIME)).identity ?? undefined;
}

/** A bot as a caller, as sent by the edge. */
export function botCaller(application_id: string): Caller {
  const kind = CallerKind.CALLER_KIND_BOT;
  return { ...anonymous, kind, account_id: application_id, credential_id: '1', application_id };
}
