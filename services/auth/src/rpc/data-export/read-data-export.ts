import type { Handler } from '@gatehouse/kit/rpc';
import type { ReadDataExportRequest, ReadDataExportResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { findDataExportChunk } from '../../store/data-export/data-export-chunks.ts';
import { requireSudo } from '../../sudo/sudo.ts';

/** PostgreSQL's integer. */
const MAX_PART = 2 ** 31 - 1;

export function readDataExport(deps: Deps): Handler<ReadDataExportRequest, ReadDataExportResponse> {
  return async ({ part }, call) => {
    const { account_id } = requireSession(call.caller);
    await requireSudo(deps, {}, call);
    const position = part ?? 0;
    if (position < 0 || position > MAX_PART) throw notFound();
    const bytes = await findDataExportChunk(deps.db, account_id, position);
    if (bytes === undefined) throw notFound();
    return { bytes };
  };
}
