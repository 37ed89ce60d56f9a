import { DATABASE_SERVICES, SERVICE_NAMES } from '@gatehouse/proto/services';

/** A page with the commands that back up and restore every database, and stop every process before a restore. */
export function withBackupCommands(page: string): string {
  const databases = DATABASE_SERVICES.map((name) => name.replaceAll('-', '_'));
  return page
    .replaceAll(/^printf '%s\\n' .* \|$/gm, `printf '%s\\n' ${databases.join(' ')} |`)
    .replaceAll(/^( {2}xargs -P) \d+ /gm, `$1 ${databases.length} `)
    .replaceAll(/^for name in .*; do$/gm, `for name in ${databases.join(' ')}; do`)
    .replaceAll(/^docker compose stop envoy .*$/gm, `docker compose stop envoy ${SERVICE_NAMES.join(' ')}`);
}
