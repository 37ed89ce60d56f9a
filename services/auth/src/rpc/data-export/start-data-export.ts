import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { StartDataExportRequest, StartDataExportResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import { dataExportView } from '../../data-export/data-export-view.ts';
import type { Deps } from '../../deps.ts';
import { exportTooSoon } from '../../errors.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { deleteDataExportChunks } from '../../store/data-export/data-export-chunks.ts';
import { findDataExport, requestDataExport } from '../../store/data-export/data-exports.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function startDataExport(deps: Deps): Handler<StartDataExportRequest, StartDataExportResponse> {
  const { db, ids, dataExports } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const sudo = await requireSudo(deps, request, call);
    const found = await inTransaction(db, async (tx) => {
      await lockAccount(tx, account_id); // the lock order: the account before the session
      await requireLiveSudo(tx, sudo, caller);
      const requested = await requestDataExport(tx, account_id, caller);
      // A request while one is made changes nothing.
      if (requested === undefined) return findDataExport(tx, account_id);
      await deleteDataExportChunks(tx, account_id);
      await insertSecurityEvent(tx, ids(), { kind: 'data_export.requested', account_id, caller });
      return requested;
    });
    if (found?.status !== 'preparing') throw exportTooSoon(found?.available_at);
    dataExports.wake();
    return { export: dataExportView(found) };
  };
}
