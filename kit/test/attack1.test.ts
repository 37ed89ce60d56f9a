import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../src/fault.ts';
import { silentLogger } from '../src/log.ts';
import { connect, implement, serve } from '../src/rpc.ts';
import { EchoDefinition } from './echo.ts';
import { rawServer, rawClient, answers, calls, cancellation, draining } from './support/raw-peer.ts';
import { CallFrame, AnswerFrame } from '@gatehouse/proto/kit/calls';

const t = (value: string) => ({ value });
const get = (p: Promise<unknown>) => p.then((v) => v, (e) => e);
describe('probe', () => {
  it('garbage answer frame', async () => {
    const s = await rawServer((st) => { st.on('data', () => st.write(Buffer.from([0xff, 0xff, 0xff]))); st.on('error', () => {}); });
    const c = connect(EchoDefinition, { address: s.address });
    console.log('garbage', await get(c.client.say(t('x'), { timeoutMs: 1000 })));
    c.close(); s.close();
  });
  it('garbage details', async () => {
    const s = await rawServer((st) => { st.on('data', (b) => { const f = CallFrame.decode(b); for (const x of f.calls) st.write(answers({ id: x.id, status: 5, details: new Uint8Array([0xff, 0xff]) })); }); st.on('error', () => {}); });
    const c = connect(EchoDefinition, { address: s.address });
    console.log('garbage details', await get(c.client.say(t('x'), { timeoutMs: 1000 })));
    c.close(); s.close();
  });
  it('garbage response', async () => {
    const s = await rawServer((st) => { st.on('data', (b) => { const f = CallFrame.decode(b); for (const x of f.calls) st.write(answers({ id: x.id, response: new Uint8Array([0xff, 0xff]) })); }); st.on('error', () => {}); });
    const c = connect(EchoDefinition, { address: s.address });
    console.log('garbage resp', await get(c.client.say(t('x'), { timeoutMs: 1000 })));
    c.close(); s.close();
  });
  it('bad caller', async () => {
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: (r) => r, again: (r) => r })], log: silentLogger });
    const c = rawClient(s.address);
    c.stream.on('data', (b) => console.log(AnswerFrame.decode(b)));
    c.stream.write(calls({ id: 1, caller: new Uint8Array([0xff]) }));
    await new Promise((r) => setTimeout(r, 300));
    c.close(); await s.close();
  });
  it('bad call frame', async () => {
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: (r) => r, again: (r) => r })], log: silentLogger });
    const c = rawClient(s.address);
    c.stream.on('status', (b) => console.log('status', b));
    c.stream.on('data', (b) => console.log(AnswerFrame.decode(b)));
    c.stream.write(Buffer.from([0xff,0xff]));
    await new Promise((r) => setTimeout(r, 300));
    console.log('bad frame done');
    c.close(); c.stream.cancel(); const t0 = Date.now(); await s.close(); console.log('close took', Date.now() - t0);
  });
  it('weird throws', async () => {
    let what: unknown;
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: () => { throw what; }, again: (r) => r })], log: silentLogger });
    for (const transport of ['unary', 'stream'] as const) {
    const c = connect(EchoDefinition, { address: s.address, transport });
    for (what of [undefined, null, 'x', 42, Symbol('x'), { a: 1n }, new Fault({ status: Status.NOT_FOUND, reason: 'X', message: 'm', members: { a: 1n as never } }), new Fault({ status: Status.NOT_FOUND, reason: 'X', message: 'm', members: { a: undefined as never } })])
      console.log(transport, what, String(await get(c.client.say(t('x'), { timeoutMs: 500 }))));
    c.close();
    }
    await s.close();
  });
  it('after close, huge timeouts, bad request id', async () => {
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: (r) => r, again: (r) => r })], log: silentLogger });
    for (const transport of ['unary', 'stream'] as const) {
    const c = connect(EchoDefinition, { address: s.address, transport });
    console.log(transport, 'huge', await get(c.client.say(t('x'), { timeoutMs: 2 ** 40 })));
    console.log(transport, 'reqid', await get(c.client.say(t('x'), { timeoutMs: 500, requestId: 'é\n' })));
    c.close();
    console.log(transport, 'closed', await get(c.client.say(t('x'), { timeoutMs: 500 })));
    }
    await s.close();
  });
  it('dead replica', async () => {
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: (r) => r, again: (r) => r })], log: silentLogger });
    for (const transport of ['unary', 'stream'] as const) {
    const c = connect(EchoDefinition, { address: '127.0.0.1:1,' + s.address, transport });
    let ok = 0;
    for (let i = 0; i < 20; i++) ok += (await Promise.all(Array.from({ length: 20 }, () => get(c.client.say(t('x'), { timeoutMs: 500 }))))).filter((x) => !(x instanceof Error)).length;
    console.log(transport, 'dead replica ok of 400:', ok);
    c.close();
    }
    await s.close();
  });
  it('forced', async () => {
    const s = await serve({ address: '127.0.0.1:0', implementations: [implement(EchoDefinition, { say: () => new Promise(() => {}), again: (r) => r })], log: silentLogger });
    const all = (['unary', 'stream'] as const).map((transport) => { const c = connect(EchoDefinition, { address: s.address, transport });  const p = get(c.client.say(t('x'), { timeoutMs: 20000 })); return [c, p] as const; });
    await new Promise((r) => setTimeout(r, 300));
    const t0 = Date.now(); await s.close(); console.log('forced close took', Date.now() - t0);
    for (const [c, p] of all) { console.log(await p); c.close(); }
  });
});
