import { SERVICE_NAMES, type ServerName } from '@gatehouse/proto/services';

/** The services that an operator may call. realtime answers its own replicas only. */
export type Server = Exclude<ServerName, 'realtime'>;

export const SERVERS = SERVICE_NAMES.filter(
  (name): name is Server => name !== 'gateway' && name !== 'realtime',
);
