import { fuzz } from '@gatehouse/dev-env/fuzz';
import type { Running } from '@gatehouse/kit/lifecycle';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import { serveBotRemovals } from '../serve-bot-removals.ts';
import { newApplication } from './account-commands.ts';
import { clear, expectSameEnd } from './end.ts';
import { newModel, type Person } from './model.ts';
import { sequences } from './sequences.ts';
import type { Service } from './service.ts';

let chat: Running;
let fixture: Oauth2UnderTest;
let service: Service;
let people: Person[];
beforeAll(async () => {
  chat = await serveBotRemovals([]);
  fixture = await startOauth2('oauth2_model', { chat: chat.address });
  service = { replicas: [fixture.oauth2, await fixture.replica()], db: fixture.db, outcomes: new Set() };
  people = await Promise.all([newAccount(), newAccount()]);
});
afterAll(async () => {
  await fixture.close();
  await chat.close();
});

async function newAccount(): Promise<Person> {
  const caller = await newPerson(fixture.auth);
  const { user } = await fixture.auth.getCurrentUser({}, { ...IN_TIME, caller });
  if (user?.email == null) throw new Error('the person has no address');
  return { id: user.id, display_name: user.username, email: user.email };
}

const RUNS = 100;

it('after any commands in any order, at either replica, every response is that of the model', async () => {
  const property = fc.asyncProperty(sequences, async (commands) => {
    const model = newModel(people);
    await newApplication(model, fixture.oauth2, {
      bot_public: true,
      bot_require_code_grant: false,
      public: true,
    });
    await newApplication(model, fixture.oauth2, {
      bot_public: false,
      bot_require_code_grant: true,
      public: false,
    });
    try {
      await fc.asyncModelRun(() => ({ model, real: service }), commands);
      await expectSameEnd(model, service);
    } finally {
      await clear(model, service);
    }
  });
  await fuzz('oauth2 against its model', RUNS, property);
  // These outcomes occur even if there is time for only some of the sequences.
  expect([...service.outcomes]).toEqual(
    expect.arrayContaining([
      ...['consent: ok', 'exchange a code: ok', 'exchange a code: 400 invalid_grant', 'refresh: ok'],
      ...['refresh: 400 invalid_grant', 'introspect: active', 'introspect: inactive', '@me: ok'],
    ]),
  );
});
