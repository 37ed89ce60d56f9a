import { describe, expect, it } from 'vitest';
import { STEP_NAMES, sharesOf, stepOf } from '../../profile/steps.ts';

const frame = (url: string, name = 'run') => ({ name, url, line: 1 });
const LIMIT = frame('file:///app/gateway/src/steps/limit.ts');
const PIPELINE = frame('file:///app/gateway/src/pipeline.ts');
const STREAM = frame('node:internal/streams/writable');
const NATIVE = frame('', 'writev');

describe('the step of a stack', () => {
  it('is that of the innermost function that belongs to one', () => {
    expect(stepOf({ frames: [PIPELINE, LIMIT] })).toBe('limit');
    expect(stepOf({ frames: [LIMIT, PIPELINE] })).toBe('pipeline');
  });

  it('includes what the step calls in Node and in the kernel', () => {
    expect(
      stepOf({ frames: [PIPELINE, frame('node:_http_outgoing'), STREAM, frame('node:net'), NATIVE] }),
    ).toBe('HTTP, answers');
    expect(stepOf({ frames: [PIPELINE, frame('node:internal/http2/core'), STREAM, NATIVE] })).toBe(
      'call stream, HTTP/2',
    );
  });

  it('is other for functions of no step', () => {
    expect(stepOf({ frames: [STREAM, NATIVE] })).toBe('other');
  });

  it('tells the steps of the edge and the services apart', () => {
    const steps = {
      'gateway/src/steps/identify.ts': 'identify',
      'gateway/src/steps/read-body.ts': 'read body',
      'gateway/src/overload/incoming-body.ts': 'read body',
      'gateway/src/overload/client-connection.ts': 'admission',
      'gateway/src/log/access-log.ts': 'log and metrics',
      'services/ratelimit/client/src/rate-limits-client.ts': 'limit',
      'services/ratelimit/src/rpc/check.ts': 'handler',
      'services/chat/src/store/messages/post-messages.ts': 'PostgreSQL',
      'kit/src/rpc/client-call.ts': 'invoke',
      'kit/src/rpc/stream/client-stream.ts': 'call stream, frames',
      'kit/src/rpc/stream/call-frame-writer.ts': 'call stream, frames',
      'kit/src/rpc/stream/message-stream.ts': 'call stream, HTTP/2',
      'kit/src/rpc/dispatch.ts': 'dispatch',
      'node_modules/fastify/lib/reply.js': 'send',
      'node_modules/find-my-way/index.js': 'Fastify',
    };
    expect(
      Object.keys(steps).map((path) => [path, stepOf({ frames: [PIPELINE, frame(`file:///app/${path}`)] })]),
    ).toEqual(Object.entries(steps));
    expect(new Set(Object.values(steps)).difference(new Set(STEP_NAMES))).toEqual(new Set());
  });
});

describe('the shares of steps', () => {
  it('leave out time in which the process waits', () => {
    const shares = sharesOf([
      { frames: [LIMIT], us: 30 },
      { frames: [PIPELINE, LIMIT, NATIVE], us: 30 },
      { frames: [PIPELINE], us: 40 },
      { frames: [frame('', '(idle)')], us: 900 },
    ]);
    expect(shares).toEqual(
      new Map([
        ['limit', 0.6],
        ['pipeline', 0.4],
      ]),
    );
  });
});
