import type { BackupCode } from '@gatehouse/proto/auth';

/** What is kept on paper, or in a file: only codes that still work. */
export function backupCodeFile(account: string, codes: readonly BackupCode[]): string {
  const left = codes.filter(({ consumed }) => !consumed).map(({ code }) => code);
  return ['Gatehouse backup codes', `Account: ${account}`, 'Each code works once.', '', ...left, ''].join(
    '\n',
  );
}
