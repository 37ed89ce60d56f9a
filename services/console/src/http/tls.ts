import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '@gatehouse/kit/env';
import type { Logger } from '@gatehouse/kit/log';
import { type PeriodicJob, periodicJob } from '@gatehouse/kit/periodic-job';
import type { TlsFiles } from '../config.ts';

const READ_EVERY_MS = 10_000;

/** The options of the HTTPS server. */
export interface ServerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | undefined;
  /** Whether clients are asked for a certificate. They need none: others sign in by password or passkey. */
  readonly requestCert: boolean;
  readonly rejectUnauthorized: false;
  readonly minVersion: 'TLSv1.2';
  /** A resumed connection would have no client certificate. */
  readonly secureOptions: number;
}

/** @throws ConfigError if the files cannot be used */
export function readServerTls({ cert, key, client_ca }: TlsFiles): ServerTls {
  const tls: ServerTls = {
    cert: readFileSync(cert),
    key: readFileSync(key),
    ca: client_ca === undefined ? undefined : readFileSync(client_ca),
    requestCert: client_ca !== undefined,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError([
      `CONSOLE_TLS_CERT, CONSOLE_TLS_KEY or CONSOLE_CLIENT_CA cannot be used: ${String(error)}`,
    ]);
  }
  return tls;
}

/** Follows the files: new ones serve new connections. Unusable ones are logged, and the old ones stay. */
export function followTls(server: Server, files: TlsFiles, log: Logger): PeriodicJob {
  let current = '';
  return periodicJob(READ_EVERY_MS, async () => {
    try {
      const paths = [files.cert, files.key, ...(files.client_ca === undefined ? [] : [files.client_ca])];
      const text = (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join();
      if (text === current) return;
      server.setSecureContext(readServerTls(files));
      current = text;
    } catch (error) {
      log.error({ err: error }, 'the console’s new certificate cannot be used');
    }
  });
}
