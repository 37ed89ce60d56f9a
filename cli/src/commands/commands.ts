import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addAuth } from './auth/auth.ts';
import { addLimits } from './limits/limits.ts';
import { addRoutes } from './routes/routes.ts';
import { addWebhooks } from './webhooks/webhooks.ts';

/** Adds a command with its subcommands to the program. */
type AddCommand = (program: Command, runtime: Runtime) => void;

/** In the order of the help text. */
export const COMMANDS: readonly AddCommand[] = [addAuth, addLimits, addRoutes, addWebhooks];
