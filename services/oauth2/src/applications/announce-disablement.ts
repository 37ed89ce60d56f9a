import type { DisableApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import type { Deps } from '../deps.ts';
import { isBotDisablementQueued } from '../store/bot-disablements.ts';
import type { DisablementChange } from '../store/disablements.ts';
import { adminApplication } from './admin-view.ts';

/** Sends a change to auth, and waits up to a second. Returns the answer to the operator. */
export async function announceDisablement(
  { prisma, botDisablements }: Pick<Deps, 'prisma' | 'botDisablements'>,
  { before, after, bot }: DisablementChange,
): Promise<DisableApplicationResponse> {
  await botDisablements.send([bot]);
  const isPending = await isBotDisablementQueued(prisma, bot.application_id);
  return {
    before: adminApplication(before),
    after: adminApplication(after),
    pending: isPending ? ['auth'] : [],
  };
}
