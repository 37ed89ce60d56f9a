import { printShown, type Shown } from '../../console/show-command.ts';
import { listOf, memberOf } from '../../gateway-client/members.ts';
import { factOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints an application. */
export function showApp(id: string, options: { readonly json?: boolean }, runtime: Runtime): Promise<void> {
  return printShown({ path: `/applications/${id}`, shown }, options, runtime);
}

function shown(answer: unknown): Shown {
  const application = memberOf(answer, 'application');
  const redirects = listOf(application, 'redirect_uris').map(String).join(' ');
  return {
    facts: [
      ['ID', factOf(application, 'id')],
      ['name', factOf(application, 'name')],
      ['owner', factOf(application, 'owner_id')],
      ['created', timeOf(application, 'created_at_ms')],
      ['disabled', stoppedText(application, 'disablement')],
      ['redirect URIs', redirects === '' ? undefined : redirects],
      ['accounts', factOf(answer, 'accounts')],
      ['requests in 24 h', factOf(answer, 'requests')],
      ['errors in 24 h', factOf(answer, 'errors')],
    ],
    parts: [],
  };
}
