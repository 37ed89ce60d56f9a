import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadDotEnv } from '@gatehouse/cli/dot-env';
import { ConfigError } from '@gatehouse/kit/env';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { writeBestEffort } from '@gatehouse/kit/system/best-effort-write';
import { collectAfterLoads, collectGarbage } from '@gatehouse/kit/system/garbage';
import { devMailDir } from '@gatehouse/stack/processes';
import { readSettings } from '@gatehouse/stack/settings';
import { startStack } from '@gatehouse/stack/start-stack';
import { addressLines } from './start/addresses.ts';
import { openInBrowser } from './start/open-in-browser.ts';

const HELP = `npm start: runs the edge and its services on this machine, until SIGINT or SIGTERM.

  npm start -- --one-process   all in one process: for a small machine and for development
  npm start -- --open          opens the web app in the browser once it is ready

Prints \`ready <address>\` on standard output once every service answers, and on standard error where the pages are.
The logs of the processes are in DATA_DIR/logs/. SIGINT stops in order, a second SIGINT at once.

Settings, from the environment, or from the file .env in the current folder:
  PORT                  the edge's port; the services take the ten after it     8080
  HOST                  the address that the edge listens on                    127.0.0.1
  DATA_DIR              embedded database, mail and logs                        .data
  DATABASE_URL          a PostgreSQL server                                     the embedded one
  ONE_PROCESS           yes: as --one-process                                   no
  SHARED_PROCESSES      services that share a process: gateway,auth chat,media  each has its own
  REDIS_URL             Redis or Valkey, for the buckets                        in memory
  WEB_APP_URL           where the web app is                                    the edge's own address
  TRUSTED_PROXIES       CIDRs whose X-Forwarded-For is believed                 none
  SMTP_URL              where mail goes                                         DATA_DIR/mail, and the page /dev/mail
  LOGIN_LOCATION_CHECK  on, off                                                 on when mail can be sent
  OAUTH2_...            stricter rules of OAuth2 (docs/oauth2.md#hardening)     off
  RATE_LIMITS           on; off only with NODE_ENV=development                  on
  METRICS_LISTEN        /metrics of the edge; the services take the ports after it    free ports, for the console
  LOG_LEVEL             trace, debug, info, warn, error, silent                 info
  RPC_TLS_DIR           certificates for mutual TLS (npm run gatehouse -- certificates)      none: plaintext, on loopback
`;

/** Ctrl-C arrives twice at once if npm or a terminal forwards it too; a person's second one comes later. */
const SAME_SIGNAL_MS = 1_000;

const say = (line: string) => writeBestEffort(2, `${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'one-process': { type: 'boolean' },
      open: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const stopped = firstSignal();
  loadDotEnv();
  const env: NodeJS.ProcessEnv = { CONSOLE_LOCAL_OPERATOR: 'yes', ...process.env };
  const settings = readSettings({ ...env, ...(values['one-process'] && { ONE_PROCESS: 'yes' }) });
  const stack = await startStack({ ...settings, metrics: true, env, say, signal: stopped.signal });
  collectGarbage();
  if (settings.one_process) collectAfterLoads();
  writeBestEffort(1, `ready ${stack.url}/api/v1\n`);
  const pages = (env.WEB_APP_URL || stack.url).replace(/\/+$/, '');
  const lines = addressLines({
    pages,
    edge: stack.url,
    has_mailbox: devMailDir(env, settings.data_dir) !== undefined,
    // Without the operator `local`, a link would be that of an earlier start.
    console_url:
      (env.CONSOLE_LOCAL_OPERATOR === 'yes' ? consoleLink(settings.data_dir) : undefined) ??
      stack.console_url,
    logs: relative('.', join(settings.data_dir, 'logs')),
  });
  for (const line of lines) say(line);
  if (values.open) await openInBrowser(`${pages}/`, say);
  await stopped.received;
  say('stopping');
  await stack.close();
  return 0;
}

/** The one-time link of the operator `local`. */
function consoleLink(data_dir: string): string | undefined {
  return readNonEmptyFile(join(data_dir, 'console', 'link'))?.trim();
}

function firstSignal(): { signal: AbortSignal; received: Promise<void> } {
  const stop = new AbortController();
  let at = 0;
  const received = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        at ||= performance.now();
        // Every process of the stack ends with this one.
        if (name === 'SIGINT' && performance.now() - at > SAME_SIGNAL_MS) process.exit(130);
        stop.abort();
        resolve();
      });
    }
  });
  return { signal: stop.signal, received };
}

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof Error && error.name === 'AbortError') process.exit(0);
  say(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof ConfigError ? 78 : 1);
}
