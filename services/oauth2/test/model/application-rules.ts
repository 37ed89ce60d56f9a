import { type Answer, type Application, drop, type Model } from './model.ts';

/** POST /oauth2/applications, with the application that the service created. */
export function createApplication(model: Model, application: Application): void {
  model.applications.set(application.id, application);
  const { id, client_secret } = application;
  model.seen.application.push({ id, client_secrets: client_secret === undefined ? [] : [client_secret] });
}

/** PATCH /oauth2/applications/{id} with `public`, and the secret in the response. */
export function changeKind(
  model: Model,
  account_id: string,
  application_id: string,
  changed: { readonly public: boolean; readonly client_secret: string | undefined },
): Answer {
  const owned = ownedBy(model, account_id, application_id);
  if (typeof owned === 'string') return { error: owned };
  const isNew = !changed.public && owned.client_secret === undefined;
  if (changed.public) owned.client_secret = undefined;
  else if (isNew) useSecret(model, owned, changed.client_secret);
  return { ok: { public: changed.public, has_secret: isNew } };
}

/** POST /oauth2/applications/{id}/client-secret/reset, with the secret in the response. */
export function resetSecret(
  model: Model,
  account_id: string,
  application_id: string,
  client_secret: string | undefined,
): Answer {
  const owned = ownedBy(model, account_id, application_id);
  if (typeof owned === 'string') return { error: owned };
  if (owned.client_secret === undefined) return { error: '400 BAD_REQUEST' };
  useSecret(model, owned, client_secret);
  return { ok: { id: owned.id } };
}

function useSecret(model: Model, application: Application, client_secret: string | undefined): void {
  if (client_secret === undefined) return; // The responses differ, which is reported.
  application.client_secret = client_secret;
  model.seen.application.find(({ id }) => id === application.id)?.client_secrets.push(client_secret);
}

/** DELETE /oauth2/applications/{id}: ends its codes and tokens of every kind. */
export function deleteApplication(model: Model, account_id: string, application_id: string): Answer {
  const owned = ownedBy(model, account_id, application_id);
  if (typeof owned === 'string') return { error: owned };
  model.applications.delete(application_id);
  for (const map of [model.codes, model.access, model.refresh])
    drop<{ readonly application_id: string }>(
      map,
      (authorization) => authorization.application_id === application_id,
    );
  return { ok: {} };
}

/** The owner's application. A string is the error for anybody else. */
function ownedBy(model: Model, account_id: string, application_id: string): Application | string {
  const application = model.applications.get(application_id);
  if (application === undefined) return '404 UNKNOWN_APPLICATION';
  return application.owner_id === account_id ? application : '403 FORBIDDEN';
}
