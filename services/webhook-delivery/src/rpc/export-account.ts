import { readExportPage } from '@gatehouse/kit/db/export-page';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ExportAccountRequest, ExportAccountResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { EXPORTS } from '../store/account-export.ts';

export function exportAccount({
  db,
}: Pick<Deps, 'db'>): Handler<ExportAccountRequest, ExportAccountResponse> {
  return (request) => readExportPage(db, EXPORTS, request);
}
