import { requireAccount } from '@gatehouse/kit/caller';
import type { Call } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { notYourApplication, unknownApplication } from '../errors.ts';
import { type Application, findApplication } from '../store/applications.ts';

/** Finds an application of the caller. @throws UNKNOWN_APPLICATION, FORBIDDEN */
export async function requireOwnedApplication(
  prisma: Deps['prisma'],
  application_id: string,
  { caller }: Call,
): Promise<Application> {
  const account_id = requireAccount(caller);
  const application = isSnowflake(application_id) ? await findApplication(prisma, application_id) : undefined;
  if (application === undefined) throw unknownApplication();
  if (application.owner_id !== account_id) throw notYourApplication();
  return application;
}
