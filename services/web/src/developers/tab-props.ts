import type { Application } from '@gatehouse/proto/oauth2';

/** The properties of each tab of an application. */
export interface TabProps {
  readonly application: Application;
  readonly onChange: (application: Application) => void;
}
