import type { GetApplicationNameResponse } from '@gatehouse/proto/oauth2';
import { call } from '../shared/api/api.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { iconUrl } from '../shared/icon-url.ts';
import { plainName } from '../shared/plain-name.ts';
import { Avatar } from '../shared/ui/avatar.tsx';

/** The public name and icon of the application that a link names. */
export interface NamedApplication {
  readonly name: string;
  /** The address of its icon. */
  readonly icon_url: string | undefined;
}

/** @throws ApiError, also for an unknown application: the page explains the link after sign-in */
export async function findNamedApplication(client_id: string): Promise<NamedApplication> {
  const path = `/oauth2/applications/${client_id}/name`;
  const { name, icon } = await call<GetApplicationNameResponse>('GET', path);
  return { name: plainName(name), icon_url: iconUrl(client_id, icon) };
}

/** Why the page asks for a sign-in. The icon has its place from the beginning, so that nothing jumps. */
export function SignInReason({ application }: { application: NamedApplication | undefined }) {
  return (
    <p class="with-avatar">
      {application ? (
        <Avatar name={application.name} src={application.icon_url} />
      ) : (
        <span class="avatar" aria-hidden="true" />
      )}
      <span>{i18n._('An application asks for access to your account. Sign in to see what it wants.')}</span>
    </p>
  );
}
