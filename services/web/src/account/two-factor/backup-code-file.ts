import type { BackupCode } from '@gatehouse/proto/auth';

/** The text to print or save, with the unused codes only. */
export function backupCodeFile(account: string, codes: readonly BackupCode[]): string {
  const left = codes.filter(({ consumed }) => !consumed).map(({ code }) => code);
  return ['Gatehouse backup codes', `Account: ${account}`, 'Each code works once.', '', ...left, ''].join(
    '\n',
  );
}
