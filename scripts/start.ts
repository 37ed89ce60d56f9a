import { parseArgs } from 'node:util';
import { loadDotEnv } from '@gatehouse/cli/dot-env';
import { ConfigError } from '@gatehouse/kit/env';
import { writeBestEffort } from '@gatehouse/kit/system/best-effort-write';
import { collectAfterLoads, collectGarbage } from '@gatehouse/kit/system/garbage';
import { devMailDir } from '@gatehouse/stack/processes';
import { readSettings } from '@gatehouse/stack/settings';
import { startStack } from '@gatehouse/stack/start-stack';

const HELP = `npm start: runs the edge and its services on this machine, until SIGINT or SIGTERM.

  npm start -- --one-process   all in one process: for a small machine and for development

Prints \`ready <address>\` on standard output once every service answers. Other messages go to standard
error, the logs of the processes to DATA_DIR/logs/. SIGINT stops in order, a second SIGINT at once.

Settings, from the environment, or from the file .env in the current folder:
  PORT                  the edge's port; the services take the eight after it   8080
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
  LOG_LEVEL             trace, debug, info, warn, error, silent                 info
  RPC_TLS_DIR           certificates for mutual TLS (npm run gatehouse -- certificates)      none: plaintext, on loopback
`;

/** Ctrl-C arrives twice at once if npm or a terminal forwards it too; a person's second one comes later. */
const SAME_SIGNAL_MS = 1_000;

const say = (line: string) => writeBestEffort(2, `${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'one-process': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const stopped = firstSignal();
  loadDotEnv();
  const { env } = process;
  const settings = readSettings({ ...env, ...(values['one-process'] && { ONE_PROCESS: 'yes' }) });
  const stack = await startStack({ ...settings, env, say, signal: stopped.signal });
  collectGarbage();
  if (settings.one_process) collectAfterLoads();
  writeBestEffort(1, `ready ${stack.url}/api/v1\n`);
  const pages = (env.WEB_APP_URL || stack.url).replace(/\/+$/, '');
  say(`pages: ${pages}/account and ${pages}/developers`);
  if (devMailDir(env, settings.data_dir) !== undefined)
    say(`for development: mails at ${stack.url}/dev/mail, components at ${stack.url}/dev/components`);
  await stopped.received;
  say('stopping');
  await stack.close();
  return 0;
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
