import type { BackupCode } from '@gatehouse/proto/auth';
import { i18n } from '../../shared/i18n/i18n.ts';

/** The text to print or save, with the unused codes only. */
export function backupCodeFile(account: string, codes: readonly BackupCode[]): string {
  const left = codes.filter(({ consumed }) => !consumed).map(({ code }) => code);
  const head = [
    i18n._('Gatehouse backup codes'),
    i18n._('Account: {account}', { account }),
    i18n._('Each code works once.'),
  ];
  return [...head, '', ...left, ''].join('\n');
}
