import fc from 'fast-check';
import { changes, settings } from '../requests.ts';
import * as applications from './application-rules.ts';
import * as choose from './choices.ts';
import { command, personOf } from './commands.ts';
import type { Application, Model } from './model.ts';
import * as service from './service.ts';
import * as tokens from './token-rules.ts';
import { REDIRECT_URIS } from './values.ts';

const byPerson = fc.record({ person: choose.person, of: choose.application });
/** The first person owns the applications. */
const byOwner = fc.record({ person: choose.mostly(0, 1), of: choose.application });

export const listAuthorizations = command('list', choose.person, async (model, oauth2, person) => {
  const account_id = personOf(model, person);
  return {
    actual: await service.authorizations(oauth2, account_id),
    expected: tokens.authorizations(model, account_id),
  };
});

export const deleteAuthorization = command(
  'delete an authorization',
  byPerson,
  async (model, oauth2, { person, of }) => {
    const account_id = personOf(model, person);
    // Malformed IDs do not get here: the edge checks the form of a path, too.
    const application_id = choose.applicationId(model, of === 'malformed' ? 'unknown' : of);
    const call = oauth2.deleteAuthorization({ application_id }, service.as(account_id));
    return {
      actual: await service.answerOf(call),
      expected: tokens.deleteAuthorization(model, account_id, application_id),
    };
  },
);

export const revokeMany = command(
  'revoke many',
  fc.record({ person: choose.person, of: fc.array(choose.application, { maxLength: 3 }) }),
  async (model, oauth2, { person, of }) => {
    const account_id = personOf(model, person);
    const application_ids = of.map((one) => choose.applicationId(model, one));
    const call = oauth2.revokeAuthorizations({ application_ids }, service.as(account_id));
    return {
      actual: await service.answerOf(call),
      expected: tokens.revokeMany(model, account_id, application_ids),
    };
  },
);

export const createApplication = command(
  'create an application',
  fc.record({ bot_public: fc.boolean(), bot_require_code_grant: fc.boolean(), public: fc.boolean() }),
  async (model, oauth2, choices) => {
    const application = await newApplication(model, oauth2, choices);
    return { actual: { ok: application.name }, expected: { ok: 'Application' } };
  },
);

/** An application of the first person, in the service and in the model. */
export async function newApplication(
  model: Model,
  oauth2: service.Service['replicas'][number],
  choices: Pick<Application, 'bot_public' | 'bot_require_code_grant'> & { readonly public: boolean },
): Promise<Application> {
  const owner_id = personOf(model, 0);
  const request = settings({ redirect_uris: [...REDIRECT_URIS], ...choices });
  const { application } = await oauth2.createApplication(request, service.as(owner_id));
  if (application === null || (application.client_secret === null) !== choices.public)
    throw new Error('the response has no client secret, or one of a public client');
  const { id, name, redirect_uris, bot_public, bot_require_code_grant } = application;
  const client_secret = application.client_secret ?? undefined;
  const made = { id, name, owner_id, redirect_uris, client_secret, bot_public, bot_require_code_grant };
  applications.createApplication(model, made);
  return made;
}

export const resetSecret = command('reset a secret', byOwner, async (model, oauth2, { person, of }) => {
  const account_id = personOf(model, person);
  const application_id = choose.applicationId(model, of);
  let client_secret: string | undefined;
  const call = oauth2.resetClientSecret({ application_id }, service.as(account_id));
  const actual = await service.answerOf(
    call.then(({ application }) => {
      client_secret = application?.client_secret ?? undefined;
      return { id: application?.id };
    }),
  );
  return { actual, expected: applications.resetSecret(model, account_id, application_id, client_secret) };
});

export const changeKind = command(
  'change the kind',
  fc.record({ person: choose.mostly(0, 1), of: choose.application, isPublic: fc.boolean() }),
  async (model, oauth2, { person, of, isPublic }) => {
    const account_id = personOf(model, person);
    const application_id = choose.applicationId(model, of);
    let client_secret: string | undefined;
    const call = oauth2.updateApplication(
      { application_id, ...changes({ public: isPublic }) },
      service.as(account_id),
    );
    const actual = await service.answerOf(
      call.then(({ application }) => {
        client_secret = application?.client_secret ?? undefined;
        return { public: application?.public, has_secret: client_secret !== undefined };
      }),
    );
    const changed = { public: isPublic, client_secret };
    return { actual, expected: applications.changeKind(model, account_id, application_id, changed) };
  },
);

export const deleteApplication = command(
  'delete an application',
  byOwner,
  async (model, oauth2, { person, of }) => {
    const account_id = personOf(model, person);
    const application_id = choose.applicationId(model, of);
    const call = oauth2.deleteApplication({ application_id }, service.as(account_id));
    return {
      actual: await service.answerOf(call),
      expected: applications.deleteApplication(model, account_id, application_id),
    };
  },
);

/** Half of an access token's life, most of it, and the rest: no sum ends within seconds of its end. */
export const stepClock = command(
  'step the clock',
  fc.constantFrom(100, 302_400, 604_700),
  async (model, _oauth2, seconds, real) => {
    await service.stepClock(real, seconds);
    model.stepped_seconds += seconds;
    return { actual: { ok: seconds }, expected: { ok: seconds } };
  },
);
