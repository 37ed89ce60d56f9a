import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';

/** The services with a database. */
export const DATABASE_SERVICES = SERVICE_NAMES.filter((name) => serviceNamed(name).database !== undefined);
