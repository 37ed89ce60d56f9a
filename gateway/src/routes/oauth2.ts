import { route } from '../route.ts';

/** Applications (contract 4, section 6). */
export const oauth2Routes = [
  route('POST /oauth2/applications', 'oauth2', 'createApplication', {
    who: 'user',
    buckets: ['oauth_dev:clients:create'],
    body: 'json',
    answer: 'application',
  }),
  route('GET /oauth2/applications/@me', 'oauth2', 'listApplications', {
    who: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'applications',
  }),
  route('GET /oauth2/applications/{application_id}', 'oauth2', 'getApplication', {
    who: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
];
