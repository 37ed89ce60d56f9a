import { beforeAll, describe, expect, it } from 'vitest';
import { freshAddress } from '../support/people.ts';
import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { OPERATIONS } from './document.ts';
import { ExampleSender } from './example-sender.ts';
import { fillExample } from './fill-example.ts';
import { expectDocumentedSuccess } from './response-schemas.ts';
import {
  browserSessions,
  endings,
  heldLogin,
  passkeys,
  registration,
  totpCodes,
} from './stories/accounts.ts';
import { applications } from './stories/applications.ts';
import { guild, guildEnd, members, privateChannels, rolesAndMessages } from './stories/guilds.ts';
import { webhooks } from './stories/webhooks.ts';
import type { World } from './stories/world.ts';

const stack = useSharedStack({ ...UNLIMITED, LOGIN_LOCATION_CHECK: 'on' });
let world: World;
beforeAll(() => {
  const api = stack.api.from(freshAddress());
  world = { stack, api, examples: new ExampleSender(api) };
});

describe('the example of every operation of openapi.json', () => {
  it('is answered with the documented success', async () => {
    const ann = await registration(world);
    const place = await guild(world, ann);
    const { role_id } = await rolesAndMessages(world, ann, place);
    await members(world, ann, { ...place, role_id });
    await privateChannels(world, ann);
    await webhooks(world, ann, place);
    await guildEnd(world, ann, { ...place, role_id });
    await applications(world, ann);
    await passkeys(world, ann);
    await totpCodes(world);
    await heldLogin(world);
    await browserSessions(world);
    await endings(world);
    expect(world.examples.missing, 'operations whose example no story sends').toEqual([]);
  });

  it('is not answered by another status, type or body than the documented ones', () => {
    const place = OPERATIONS.get('getGateway');
    if (place === undefined) throw new Error('the document has no operation getGateway');
    const answer =
      (status: number, text: string, type = 'application/json; charset=utf-8') =>
      () =>
        expectDocumentedSuccess(place, { status, text, headers: new Headers({ 'content-type': type }) });
    expect(answer(200, '{"url":"ws://127.0.0.1:8080/gateway"}')).not.toThrow();
    expect(answer(204, '')).toThrow('getGateway answers 204');
    expect(answer(200, '{"url":1}')).toThrow('getGateway answers 200');
    expect(answer(200, '{}')).toThrow("required property 'url'");
    expect(answer(200, '{"url":"ws://127.0.0.1:8080/gateway"}', 'text/plain')).toThrow('text/plain');
  });

  it('is sent with real values in the place of its placeholders only', () => {
    const example = {
      id: '1234567890123456789',
      name: 'Alerts',
      list: [{ id: '1234567890123456789', position: 1 }],
    };
    expect(fillExample(example, { id: '7' }, 'x')).toEqual({ ...example, id: '7' });
    expect(() => fillExample(example, { name: 'Other' }, 'x')).toThrow('x.name: the example has "Alerts"');
    expect(() => fillExample(example, { more: '7' }, 'x')).toThrow('x.more: the example has undefined');
    expect(() => fillExample(example, { list: [] }, 'x')).toThrow('x.list');
    expect(() => fillExample(example, { list: [{ position: 2 }] }, 'x')).toThrow('x.list.0.position');
  });
});
