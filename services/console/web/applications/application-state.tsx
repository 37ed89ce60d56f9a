import type { AdminApplication } from '@gatehouse/proto/oauth2-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import type { NamedAccount } from '../parts/account-link.tsx';

/** An application with its owner, if the console's API knows it. */
export interface NamedApplication extends AdminApplication {
  readonly owner?: NamedAccount | null;
}

/** In words: disabled, refused with its owner, or enabled. */
export function ApplicationState({ application }: { application: AdminApplication }) {
  if (application.disablement) return <Badge kind="danger">disabled</Badge>;
  if (application.owner_suspended) return <Badge kind="warning">owner suspended</Badge>;
  return <Badge>enabled</Badge>;
}
