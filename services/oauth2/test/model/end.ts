import { expect } from 'vitest';
import { personOf } from './commands.ts';
import { liveAccess, type Model } from './model.ts';
import { as, introspect, type Service } from './service.ts';
import * as tokens from './token-rules.ts';

/**
 * Checks after a sequence: everything that was ever issued is live or dead as in the model, and there is nothing else.
 */
export async function expectSameEnd(model: Model, service: Service): Promise<void> {
  expect(await rowCounts(service)).toEqual({
    codes: model.codes.size,
    access: [...model.access.keys()].filter((value) => liveAccess(model, value)).length,
    refresh: model.refresh.size,
  });
  const [live] = model.applications.values();
  if (live === undefined) return;
  const { id: client_id, client_secret } = live;
  const { code, access, refresh } = model.seen;
  await Promise.all(
    [...code, ...access, ...refresh].map(async ({ value: token }, n) => {
      const oauth2 = service.replicas[n % service.replicas.length];
      if (oauth2 === undefined) throw new Error('there is no second replica');
      const question = { token, client_id, ...(client_secret !== undefined && { client_secret }) };
      expect(await introspect(oauth2, question)).toEqual(tokens.introspect(model, question));
    }),
  );
}

/** Deletes everything before the next sequence. */
export async function clear(model: Model, { replicas: [oauth2] }: Service): Promise<void> {
  for (const application_id of model.applications.keys())
    await oauth2?.deleteApplication({ application_id }, as(personOf(model, 0)));
}

async function rowCounts({ db }: Service) {
  const { rows } = await db.query<{ codes: number; access: number; refresh: number }>(
    `SELECT (SELECT count(*)::integer FROM authorization_codes) AS codes,
            (SELECT count(*)::integer FROM access_tokens WHERE expires_at > now()) AS access,
            (SELECT count(*)::integer FROM refresh_tokens) AS refresh`,
  );
  return rows[0];
}
