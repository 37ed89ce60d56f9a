import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';
import { issueCertificates } from './stack-certificates.ts';
import { readOrCreateSecrets } from './stack-secrets.ts';
import { settingsOf } from './stack-settings.ts';
import { writePrivate } from './write-private.ts';

/** Creates the secrets and certificates of a composed stack. May run before every start. */
export async function prepare(
  path: string,
  { json, runner = false }: { readonly json?: boolean; readonly runner?: boolean },
  runtime: Runtime,
): Promise<void> {
  const folder = callerPath(path, runtime.env);
  const issued = await issueCertificates(folder, runner);
  const { secrets, isNew } = readOrCreateSecrets(folder);
  for (const { file, text } of settingsOf(secrets, runner)) writePrivate(folder, file, text);
  const made = isNew ? 'made secrets' : 'kept the existing secrets';
  if (json)
    printLine(runtime, JSON.stringify({ folder: path, new_secrets: isNew, issued_certificates: issued }));
  else printLine(runtime, `${made}, issued ${issued} certificates`);
}
