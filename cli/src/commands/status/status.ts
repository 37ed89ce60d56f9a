import { ConsoleClient } from '../../console/console-client.ts';
import { ExitCode } from '../../failures.ts';
import { printJson } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { statusOf } from './deployment-status.ts';
import { statusText } from './status-text.ts';

/** Prints the state of a deployment. A process that does not answer is exit code 1. */
export async function status({ json }: { readonly json?: boolean }, runtime: Runtime): Promise<void> {
  const client = new ConsoleClient(runtime);
  const [overview, jobs] = await Promise.all([client.get('/overview'), client.get('/jobs')]);
  const found = statusOf(overview, jobs);
  if (json) printJson(found, runtime);
  else printLine(runtime, statusText(found));
  if (found.unavailable.length > 0) runtime.exitCode = ExitCode.NEGATIVE;
}
