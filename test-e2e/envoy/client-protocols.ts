import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { until } from '@gatehouse/dev-env/until';
import type { RunningEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';

interface Given {
  readonly front: RunningEnvoy;
  readonly tls_dir: string;
  /** Issues another certificate for the front. */
  renew(): Promise<void>;
}

const NAME = 'front.gatehouse.internal';
const PATH = '/api/v1/users/@me';

export function clientProtocols(given: () => Given): void {
  const tls = () => {
    const { front, tls_dir } = given();
    const ca = readFileSync(join(tls_dir, 'ca.pem'));
    return { host: '127.0.0.1', port: front.port(8443), ca, servername: NAME };
  };
  /** The certificate presented to a new connection. */
  const servedSerial = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({ ...tls(), ALPNProtocols: ['h2'] }, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).on('error', reject);
    });

  describe('clients', () => {
    it('use HTTP/1.1 and HTTP/2 without TLS', async () => {
      const { front } = given();
      expect((await fetch(front.url + PATH)).status).toBe(401);
      expectError(await overHttp2(connectHttp2(front.url)), 401, 'UNAUTHORIZED');
    });

    it('use both over TLS, selected by ALPN', async () => {
      const status = await new Promise((resolve, reject) => {
        httpsRequest({ ...tls(), path: PATH }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(401);
      const session = connectHttp2(`https://127.0.0.1:${given().front.port(8443)}`, tls());
      expectError(await overHttp2(session), 401, 'UNAUTHORIZED');
      expect(session.alpnProtocol).toBe('h2');
    });

    it('of TLS 1.1 are refused', async () => {
      const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      await expect(
        new Promise((resolve, reject) => {
          connectTls({ ...tls(), ...versions }, () => resolve('connected')).on('error', reject);
        }),
      ).rejects.toThrow();
    });

    it('of HTTP/2 receive the refusal of a body while they are still sending it', async () => {
      const headers = { ':method': 'POST', ':path': '/api/v1/webhooks/1/x', 'content-length': 40_000_000 };
      const reply = await overHttp2(connectHttp2(given().front.url), headers, Buffer.alloc(100_000, ' '));
      expectError(reply, 413, 'PAYLOAD_TOO_LARGE');
    });

    it('of HTTP/2 that only reset their streams lose their connection', async () => {
      const session = connectHttp2(given().front.url);
      let ended = false;
      session
        .on('error', () => undefined)
        .once('close', () => {
          ended = true;
        });
      for (let n = 0; n < 2_000 && !ended; n++) {
        // A path without a limit: the next tests use the same client.
        const stream = session.request({ ':path': '/nowhere' }).on('error', () => undefined);
        setImmediate(() => stream.close(constants.NGHTTP2_CANCEL));
        if (n % 20 === 0) await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      }
      await until('the end of the connection', 30_000, () => ended || undefined);
    });

    it('get a new certificate once it is deployed, and keep their open connections', async () => {
      const before = await servedSerial();
      const session = connectHttp2(`https://127.0.0.1:${given().front.port(8443)}`, tls());
      expectError(await overHttp2(session, undefined, undefined, false), 401, 'UNAUTHORIZED');
      await given().renew();
      const cert = new X509Certificate(readFileSync(join(given().tls_dir, 'front.pem')));
      expect(cert.serialNumber).not.toBe(before);
      await until('the new certificate', 30_000, async () =>
        (await servedSerial()) === cert.serialNumber ? true : undefined,
      );
      expectError(await overHttp2(session), 401, 'UNAUTHORIZED');
    });
  });
}

/** One request and its response. A request with a body is not ended, as if more followed. */
function overHttp2(
  session: ClientHttp2Session,
  asked: Record<string, string | number> = { ':path': PATH },
  body?: Buffer,
  close = true,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request(asked, { endStream: body === undefined });
    if (body !== undefined) stream.write(body);
    const headers = new Headers();
    let status = 0;
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (fields) => {
      status = fields[':status'] ?? 0;
      for (const [name, value] of Object.entries(fields))
        if (!name.startsWith(':')) headers.set(name, String(value));
    });
    stream.on('data', (chunk) => {
      text += chunk;
    });
    stream.on('error', reject);
    stream.on('end', () => {
      if (close) session.close();
      stream.close();
      resolve({ status, headers, text, json: () => JSON.parse(text) });
    });
  });
}
