import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteApplicationRequest, DeleteApplicationResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { deleteApplicationAndTokens } from '../store/delete-application.ts';

export function deleteApplication({
  db,
  prisma,
  deletedBots,
}: Deps): Handler<DeleteApplicationRequest, DeleteApplicationResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const bot = await deleteApplicationAndTokens(db, id, call.signal);
    if (bot === undefined) throw unknownApplication(); // a concurrent request deleted it first
    await deletedBots.send([bot]);
    return {};
  };
}
