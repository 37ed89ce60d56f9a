import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { issueCertificate } from '@gatehouse/certificates/certificate-authority';
import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { faultOf } from '@gatehouse/dev-env/faults';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import { Client, credentials } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/env.ts';
import { Status } from '../../src/fault.ts';
import { createLogger, type Logger } from '../../src/log.ts';
import { peerName } from '../../src/rpc/tls/peer-name.ts';
import { anonymous, openCertificates } from '../../src/rpc.ts';
import { atEnd, client, type EchoHandler, type StartOptions, start, text } from '../support/echo-service.ts';
import { LOOPBACK } from '../support/loopback.ts';

const SAY = '/kit.v1.Json/Say';
const UNAVAILABLE = { status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' };
const timeoutMs = 20_000;
const everything: PeerRules = { allows: () => true, mayActForCallers: () => true };
const same: EchoHandler = (request) => request;

async function certificatesOf(...names: string[]): Promise<TestCertificates> {
  const issued = await testCertificates(...names);
  atEnd(() => issued.close());
  return issued;
}

/** A logger, and its lines. */
function recordingLogger(): { log: Logger; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line: string) => written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'rpc') };
}

const serving = (issued: TestCertificates, handler = same, options: StartOptions = {}, peers = everything) =>
  start(handler, { tls: { certificates: issued.open('echo'), peers }, ...options });

const calling = (
  address: string,
  issued: TestCertificates,
  transport: 'stream' | 'unary' = 'stream',
  name = 'caller',
) => client(address, transport, { tls: { certificates: issued.open(name), peer: 'echo' } });

/** Whether a peer with these certificates is accepted: a server sends first once it has accepted one. */
async function isAccepted(address: string, options: ConnectionOptions): Promise<boolean> {
  const socket = connectTls({
    host: LOOPBACK,
    port: Number(address.split(':')[1]),
    ALPNProtocols: ['h2'],
    checkServerIdentity: () => undefined,
    ...options,
  });
  atEnd(() => socket.destroy());
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

const pem = (issued: TestCertificates, name: string): ConnectionOptions => {
  const { cert, key, ca } = issued.files(name);
  return { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
};

describe.each(['stream', 'unary'] as const)('over %s', (transport) => {
  it('clients refuse a server with another authority or another name', async () => {
    const [ours, theirs] = [
      await certificatesOf('echo', 'caller', 'other'),
      await certificatesOf('echo', 'caller'),
    ];
    const { address } = await serving(ours);
    expect(await calling(address, ours, transport).client.say(text('x'), { timeoutMs })).toEqual(text('x'));
    for (const stranger of [
      calling(address, theirs, transport),
      client(address, transport, { tls: { certificates: ours.open('caller'), peer: 'other' } }),
    ])
      expect(await faultOf(stranger.client.say(text('x'), { timeoutMs }))).toMatchObject(UNAVAILABLE);
  });

  it('plaintext and TLS clients fail at the other port, without affecting others', async () => {
    const issued = await certificatesOf('echo', 'caller');
    const { log, lines } = recordingLogger();
    const [secure, plain] = [await serving(issued, same, { log }), await start(same, { log })];
    const strangers = [client(secure.address, transport), calling(plain.address, issued, transport)];
    for (const stranger of strangers)
      for (const _ of [1, 2, 3])
        expect(await faultOf(stranger.client.say(text('x'), { timeoutMs }))).toMatchObject(UNAVAILABLE);
    expect(await calling(secure.address, issued, transport).client.say(text('x'), { timeoutMs })).toEqual(
      text('x'),
    );
    expect(await client(plain.address, transport).client.say(text('x'), { timeoutMs })).toEqual(text('x'));
    const turnedAway = lines().filter(({ msg }) => msg === 'connections are turned away');
    expect(turnedAway.length).toBeGreaterThan(0);
    expect(lines().length).toBeLessThan(20);
  });

  it('a peer may call its methods; other calls are denied, logged with its name, and counted', async () => {
    const issued = await certificatesOf('echo', 'caller', 'other');
    const { log, lines } = recordingLogger();
    const rules: PeerRules = {
      allows: (peer, path) => peer === 'caller' && path === SAY,
      mayActForCallers: () => true,
    };
    const { address } = await serving(issued, same, { log }, rules);
    const { client: echo } = calling(address, issued, transport);
    expect(await echo.say(text('x'), { timeoutMs })).toEqual(text('x'));
    const denied = await faultOf(echo.again(text('x'), { timeoutMs }));
    expect(denied).toMatchObject({ status: Status.INTERNAL, reason: 'INTERNAL_SERVER_ERROR' });
    expect(denied.cause).toMatchObject({ message: 'the peer denies this call to this process' });
    const { client: other } = calling(address, issued, transport, 'other');
    for (const _ of [1, 2, 3]) await faultOf(other.say(text('x'), { timeoutMs }));
    const denials = () =>
      lines().filter(({ msg }) => msg === 'calls are denied: the peer may not call these methods');
    await expect
      .poll(() => denials().map(({ peer, rpc, calls }) => ({ peer, rpc, calls })))
      .toEqual([
        { peer: 'caller', rpc: '/kit.v1.Json/Again', calls: 1 },
        { peer: 'other', rpc: SAY, calls: 3 },
      ]);
  });

  it('a peer acts for callers only where it may; elsewhere its calls are anonymous', async () => {
    const issued = await certificatesOf('echo', 'caller');
    const seen: Caller[] = [];
    const note: EchoHandler = (request, call) => {
      seen.push(call.caller);
      return request;
    };
    const rules: PeerRules = { allows: () => true, mayActForCallers: (_, path) => path === SAY };
    const { address } = await serving(issued, note, {}, rules);
    const { client: echo } = calling(address, issued, transport);
    const caller = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '42' };
    await echo.say(text('x'), { timeoutMs, caller });
    await echo.again(text('x'), { timeoutMs, caller });
    expect(seen).toEqual([caller, anonymous]);
  });

  it('peers of two authorities call each other while both are trusted', async () => {
    const [old, fresh] = [await certificatesOf('echo'), await certificatesOf('caller')];
    const cas = [old.files('echo').ca, fresh.files('caller').ca];
    const both = cas.map((ca) => readFileSync(ca, 'utf8')).join('');
    for (const ca of cas) writeFileSync(ca, both);
    const { address } = await serving(old);
    expect(await calling(address, fresh, transport).client.say(text('x'), { timeoutMs })).toEqual(text('x'));
  });

  it('certificates are replaced under load without losing a call', async () => {
    const issued = await certificatesOf('echo', 'caller');
    const { address } = await serving(issued);
    const { client: echo } = client(address, transport, {
      tls: { certificates: issued.open('caller'), peer: 'echo' },
      renewAfterMs: 100,
    });
    let going = true;
    let calls = 0;
    const load = async (): Promise<void> => {
      while (going) {
        await Promise.all(Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs })));
        calls += 20;
      }
    };
    const loaded = load();
    for (let turn = 0; turn < 4; turn++) {
      const [serial, before] = [await serialAt(address, issued), calls];
      await Promise.all([issued.renew('echo'), issued.renew('caller')]);
      await expect.poll(() => serialAt(address, issued), { interval: 10 }).not.toBe(serial);
      await expect.poll(() => calls).toBeGreaterThan(before);
    }
    going = false;
    await loaded; // throws the fault of a lost call
  });
});

async function serialAt(address: string, issued: TestCertificates): Promise<string> {
  const session = connectHttp2(`https://${address}`, {
    ...pem(issued, 'caller'),
    checkServerIdentity: () => undefined,
  });
  await new Promise((resolve, reject) => session.once('remoteSettings', resolve).once('error', reject));
  const { serialNumber } = (session.socket as TLSSocket).getPeerCertificate();
  session.destroy();
  return serialNumber;
}

describe('a server over mutual TLS', () => {
  it('accepts only peers with a valid certificate of its authority that names one process', async () => {
    const issued = await certificatesOf('echo', 'caller', 'late');
    await issued.renew('late', -1);
    const { log, lines } = recordingLogger();
    const { address } = await serving(issued, same, { log });
    const { cert: _, key: __, ...none } = pem(issued, 'caller');
    const ca = {
      cert: readFileSync(join(issued.folder, 'ca.pem'), 'utf8'),
      key: readFileSync(join(issued.folder, 'ca-key.pem'), 'utf8'),
    };
    const named = async (...dns_names: string[]) => ({
      ...none,
      ...(await issueCertificate(ca, { dns_names, valid_days: 1 })),
    });
    expect(await isAccepted(address, pem(issued, 'caller'))).toBe(true);
    expect(await isAccepted(address, await named('caller', 'caller.elsewhere.internal'))).toBe(true);
    expect(await isAccepted(address, none)).toBe(false);
    expect(await isAccepted(address, pem(issued, 'late'))).toBe(false);
    expect(await isAccepted(address, await named('caller.a', 'gateway.a'))).toBe(false);
    expect(await isAccepted(address, await named('*.a'))).toBe(false);
    expect(await isAccepted(address, { ...pem(issued, 'caller'), ALPNProtocols: ['http/1.1'] })).toBe(false);
    expect(
      await isAccepted(address, { ...pem(issued, 'caller'), maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' }),
    ).toBe(false);
    const reasons = () => lines().map(({ err }) => (err as { message: string }).message);
    await expect.poll(() => reasons().length).toBeGreaterThan(1); // the first at once, the rest in the next second
    expect(reasons().length).toBeLessThan(5);
  });

  it('answers health and reflection to any process', async () => {
    const issued = await certificatesOf('echo', 'caller');
    const { address } = await serving(
      issued,
      same,
      {},
      { allows: () => false, mayActForCallers: () => false },
    );
    expect(await calling(address, issued).healthy(timeoutMs)).toBe(true);
    const { cert, key, ca } = issued.open('caller').material();
    const via = credentials.createSsl(ca, key, cert, { checkServerIdentity: () => undefined });
    const asking = new Client(address, via, { 'grpc.ssl_target_name_override': 'echo' });
    atEnd(() => asking.close());
    const bytes = (one: Buffer): Buffer => one;
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const stream = asking.makeBidiStreamRequest(path, bytes, bytes);
    stream.on('error', () => undefined);
    stream.write(Buffer.from([0x3a, 0x00])); // list_services: ""
    const answer = await new Promise<Buffer>((resolve) => stream.once('data', resolve));
    stream.end();
    expect(answer.toString('latin1')).toContain('kit.v1.Calls');
  });

  it('closes at once despite a silent connection', async () => {
    const issued = await certificatesOf('echo');
    const server = await serving(issued);
    const mute = connectTcp(Number(server.address.split(':')[1]), LOOPBACK);
    atEnd(() => mute.destroy());
    await new Promise((resolve) => mute.once('connect', resolve));
    const startedAt = performance.now();
    await server.close();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('the name in a certificate', () => {
  it.each([
    ['DNS:chat', 'chat'],
    ['DNS:chat.gatehouse.internal', 'chat'],
    ['DNS:webhook-delivery.a, IP Address:10.0.0.1, DNS:Webhook-Delivery.b.c', 'webhook-delivery'],
    ['DNS:chat.a, DNS:auth.a', undefined],
    ['DNS:chat.a, DNS:*.a', undefined],
    ['DNS:*.a', undefined],
    ['IP Address:10.0.0.1', undefined],
    ['URI:"spiffe://a, DNS:auth, b"', undefined],
    ['DNS:"auth\\u0000.a"', undefined],
    ['DNS:', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (subjectAltName, name) => {
    expect(peerName(subjectAltName)).toBe(name);
  });
});

describe('certificates', () => {
  const problemsOf = (files: { cert: string; key: string; ca: string }, log: Logger): readonly string[] => {
    try {
      openCertificates({ files, name: 'echo', log }).close();
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };

  it('that are unusable fail the start with all problems', async () => {
    const issued = await certificatesOf('echo', 'other', 'late');
    await issued.renew('late', -1);
    const { log } = recordingLogger();
    const own = issued.files('echo');
    expect(problemsOf(own, log)).toEqual([]);
    expect(problemsOf({ cert: '/none/a', key: '/none/b', ca: '/none/c' }, log)).toHaveLength(3);
    expect(problemsOf({ ...own, cert: own.key }, log)).toEqual([
      expect.stringContaining('RPC_TLS_CERT holds no certificate'),
    ]);
    expect(problemsOf({ ...own, key: issued.files('other').key }, log)).toEqual([
      expect.stringContaining('do not belong together'),
    ]);
    expect(problemsOf({ ...own, ca: own.key }, log)).toEqual([
      expect.stringContaining('RPC_TLS_CA holds no certificate'),
    ]);
    expect(problemsOf(issued.files('other'), log)).toEqual([expect.stringContaining('must name echo')]);
    expect(problemsOf(issued.files('late'), log)).toEqual([
      expect.stringContaining('must name echo'),
      expect.stringContaining('has expired'),
    ]);
  });

  it('that are half replaced or malformed are refused with one log line, and the old ones stay in use', async () => {
    const issued = await certificatesOf('echo');
    const { log, lines } = recordingLogger();
    const files = issued.files('echo');
    const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
    const certificates = openCertificates({ files, name: 'echo', log, every_ms: 5 });
    atEnd(() => certificates.close());
    let changes = 0;
    certificates.onChange(() => changes++);
    const REFUSED = 'the new certificates cannot be used; those in use stay';
    const refusals = () => lines().filter(({ msg }) => msg === REFUSED).length;
    const replace = (file: string, content: Buffer) => {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    };

    await issued.renew('echo');
    await expect.poll(() => changes).toBe(1);
    const good = readFileSync(files.key);
    const before = refusals(); // one if the files were read while they were renewed
    replace(files.key, key);
    await expect.poll(refusals).toBe(before + 1);
    replace(files.cert, cert.subarray(0, 100));
    await expect.poll(refusals).toBe(before + 2);
    expect(changes).toBe(1);
    expect(certificates.material().key.equals(good)).toBe(true);
    await issued.renew('echo', 20);
    await expect.poll(() => changes).toBe(2);
    const daysLeft = (certificates.validUntil().getTime() - Date.now()) / 86_400_000;
    expect(Math.round(daysLeft)).toBe(20);
  });

  it('whose files are missing for a while stay in use, which is logged once', async () => {
    const issued = await certificatesOf('echo');
    const { log, lines } = recordingLogger();
    const files = issued.files('echo');
    const certificates = openCertificates({ files, name: 'echo', log, every_ms: 5 });
    atEnd(() => certificates.close());
    let changes = 0;
    certificates.onChange(() => changes++);
    rmSync(files.cert);
    const readErrors = () =>
      lines().filter(({ msg }) => msg === 'the certificates cannot be read; those in use stay');
    await expect.poll(() => readErrors().length).toBe(1);
    await issued.renew('echo');
    await expect.poll(() => changes).toBe(1);
    expect(readErrors()).toHaveLength(1);
  });
});

it('a TLS client times out at a silent port as others do', async () => {
  const issued = await certificatesOf('caller');
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, LOOPBACK, resolve));
  atEnd(() => mute.close());
  const address = `${LOOPBACK}:${(mute.address() as AddressInfo).port}`;
  const fault = await faultOf(calling(address, issued).client.say(text('x'), { timeoutMs: 300 }));
  expect(fault.reason).toBe('GATEWAY_TIMEOUT');
});
