import { fuzz } from '@gatehouse/dev-env/fuzz';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApplication } from './model/account-commands.ts';
import { clear, expectSameEnd } from './model/end.ts';
import { newModel, type Person } from './model/model.ts';
import { sequences } from './model/sequences.ts';
import type { Service } from './model/service.ts';
import { IN_TIME, newPerson, type Oauth2UnderTest, startOauth2 } from './oauth2.ts';
import { serveBotPlaces } from './serve-bot-places.ts';

let chat: Running;
let suite: Oauth2UnderTest;
let service: Service;
let people: Person[];
beforeAll(async () => {
  chat = await serveBotPlaces([]);
  suite = await startOauth2('oauth2_model', silentLogger, undefined, chat.address);
  service = { replicas: [suite.oauth2, await suite.replica()], db: suite.db, outcomes: new Set() };
  people = await Promise.all([newAccount(), newAccount()]);
});
afterAll(async () => {
  await suite.close();
  await chat.close();
});

async function newAccount(): Promise<Person> {
  const caller = await newPerson(suite.auth);
  const { user } = await suite.auth.getCurrentUser({}, { ...IN_TIME, caller });
  if (user?.email == null) throw new Error('a person has an address');
  return { id: user.id, display_name: user.username, email: user.email };
}

const RUNS = 100;

it('whatever is done in whatever order, at either replica, every answer is that of the model', async () => {
  let runs = 0;
  const property = fc.asyncProperty(sequences, async (commands) => {
    runs++;
    const model = newModel(people);
    await newApplication(model, suite.oauth2, { bot_public: true, bot_require_code_grant: false });
    await newApplication(model, suite.oauth2, { bot_public: false, bot_require_code_grant: true });
    try {
      await fc.asyncModelRun(() => ({ model, real: service }), commands);
      await expectSameEnd(model, service);
    } finally {
      await clear(model, service);
    }
  });
  await fuzz('oauth2 against its model', RUNS, property as fc.IRawProperty<unknown, boolean>);
  // A slow machine is interrupted earlier. All of them come this far.
  if (runs < RUNS) return;
  expect([...service.outcomes]).toEqual(
    expect.arrayContaining([
      ...['consent: ok', 'consent with prompt=none: ok', 'exchange a code: ok', 'refresh: ok'],
      ...['exchange a code: 400 invalid_grant', 'refresh: 400 invalid_grant', 'introspect: active'],
      ...['introspect: inactive', 'userinfo: ok', '@me: ok', 'delete an application: ok'],
      ...['reset a secret: ok', 'refresh: 401 invalid_client_secret', 'revoke many: 404 UNKNOWN_APPLICATION'],
    ]),
  );
});
