import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';

/** A page with the commands of a backup for every database, and of a restore that stops every process. */
export function withBackupCommands(page: string): string {
  const databases = SERVICE_NAMES.filter((name) => serviceNamed(name).database !== undefined).map((name) =>
    name.replaceAll('-', '_'),
  );
  return page
    .replaceAll(/^for name in .*; do$/gm, `for name in ${databases.join(' ')}; do`)
    .replaceAll(/^docker compose stop envoy .*$/gm, `docker compose stop envoy ${SERVICE_NAMES.join(' ')}`);
}
