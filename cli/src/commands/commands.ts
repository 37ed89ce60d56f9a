import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addAccounts } from './accounts/add-accounts.ts';
import { addApps } from './apps/add-apps.ts';
import { addAuth } from './auth/add-auth.ts';
import { addCertificates } from './certificates/add-certificates.ts';
import { addCompletion } from './completion/add-completion.ts';
import { addDoctor } from './doctor/add-doctor.ts';
import { addEvents } from './events/add-events.ts';
import { addGuilds } from './guilds/add-guilds.ts';
import { addJobs } from './jobs/add-jobs.ts';
import { addLimits } from './limits/add-limits.ts';
import { addOperators } from './operators/add-operators.ts';
import { addPrepare } from './prepare/add-prepare.ts';
import { addProfiles } from './profiles/add-profiles.ts';
import { addRoutes } from './routes/add-routes.ts';
import { addRpc } from './rpc/add-rpc.ts';
import { addSearch } from './search/add-search.ts';
import { addStatus } from './status/add-status.ts';
import { addTail } from './tail/add-tail.ts';
import { addWebhooks } from './webhooks/add-webhooks.ts';

/** Adds a command with its subcommands to the program. */
type AddCommand = (program: Command, runtime: Runtime) => void;

/** In the order of the help text. */
export const COMMANDS: readonly AddCommand[] = [
  addAccounts,
  addApps,
  addAuth,
  addCertificates,
  addCompletion,
  addDoctor,
  addEvents,
  addGuilds,
  addJobs,
  addLimits,
  addOperators,
  addPrepare,
  addProfiles,
  addRoutes,
  addRpc,
  addSearch,
  addStatus,
  addTail,
  addWebhooks,
];
