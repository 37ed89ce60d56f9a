import type { Application } from '@gatehouse/proto/oauth2';

/** What each tab of an application gets. */
export interface TabProps {
  readonly application: Application;
  readonly onChange: (application: Application) => void;
}
