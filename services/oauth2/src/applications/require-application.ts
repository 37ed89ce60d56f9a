import { requireAccount } from '@gatehouse/kit/caller';
import type { Fault } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { invalidClient, notYourApplication, unknownApplication } from '../errors.ts';
import type { Application } from '../store/application.ts';
import { findApplication } from '../store/applications.ts';
import { findClientApplication } from '../store/clients.ts';

/** Finds an application by an ID from a request. @throws `missing` if the ID is absent, malformed or unknown */
export async function requireApplication(
  prisma: Deps['prisma'],
  id: string | null | undefined,
  missing: () => Fault,
): Promise<Application> {
  const application = id != null && isSnowflake(id) ? await findApplication(prisma, id) : undefined;
  if (application === undefined) throw missing();
  return application;
}

/** Finds an application that users can authorize. @throws INVALID_CLIENT if there is none with this ID, or it is refused */
export async function requireClientApplication(
  db: Deps['db'],
  id: string | null | undefined,
): Promise<Application> {
  const application = id != null && isSnowflake(id) ? await findClientApplication(db, id) : undefined;
  if (application === undefined) throw invalidClient();
  return application;
}

/** Finds an application of the caller. @throws UNKNOWN_APPLICATION, FORBIDDEN */
export async function requireOwnedApplication(
  prisma: Deps['prisma'],
  application_id: string,
  { caller }: Call,
): Promise<Application> {
  const account_id = requireAccount(caller);
  const application = await requireApplication(prisma, application_id, unknownApplication);
  if (application.owner_id !== account_id) throw notYourApplication();
  return application;
}
