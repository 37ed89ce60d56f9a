import { readText } from '../body.ts';
import { askOne } from '../lookup/gather.ts';
import { ACTION_TIMEOUT, type Action } from './action.ts';

const TEXT = { min: 1, max: 256 };

export const JOB_ACTIONS: readonly Action[] = [
  {
    name: 'job.run',
    role: 'admin',
    method: 'POST',
    path: '/api/jobs/run',
    reason: 'required',
    read: (form, { body }) => {
      const service = readText(form, body, 'service', TEXT);
      const address = readText(form, body, 'address', TEXT);
      const name = readText(form, body, 'name', TEXT);
      return {
        target: `job:${service}/${name}`,
        run: async ({ jobs }) => {
          await askOne(`${service} at ${address}`, () =>
            jobs.run({ service, address, name }, ACTION_TIMEOUT),
          );
          return { answer: {}, detail: { address } };
        },
      };
    },
  },
];
