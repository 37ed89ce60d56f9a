import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addAuth } from './auth/add-auth.ts';
import { addCertificates } from './certificates/add-certificates.ts';
import { addCompletion } from './completion/add-completion.ts';
import { addLimits } from './limits/add-limits.ts';
import { addPrepare } from './prepare/add-prepare.ts';
import { addRoutes } from './routes/add-routes.ts';
import { addRpc } from './rpc/add-rpc.ts';
import { addTail } from './tail/add-tail.ts';
import { addWebhooks } from './webhooks/add-webhooks.ts';

/** Adds a command with its subcommands to the program. */
type AddCommand = (program: Command, runtime: Runtime) => void;

/** In the order of the help text. */
export const COMMANDS: readonly AddCommand[] = [
  addAuth,
  addCertificates,
  addCompletion,
  addLimits,
  addPrepare,
  addRoutes,
  addRpc,
  addTail,
  addWebhooks,
];
