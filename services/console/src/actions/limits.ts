import type { Form } from '@gatehouse/kit/form';
import { readFlag, readOptionalInteger, readOptionalText, readText } from '../body.ts';
import { countedIdentity } from '../lookup/counted-identity.ts';
import { ACTION_TIMEOUT, type Action, type ActionRequest } from './action.ts';

const IDENTITY = { min: 1, max: 512, trim: true };
const BUCKET = { min: 1, max: 128, trim: true };
const MAX_UINT32 = 0xffff_ffff;

/** One identity, in one bucket or in all. */
interface Limited {
  readonly identity: string;
  readonly bucket: string | undefined;
  /** In the log. */
  readonly target: string;
}

/** Each answer has the identity that buckets count for the typed one. */
export const LIMIT_ACTIONS: readonly Action[] = [
  {
    name: 'limit.reset',
    role: 'support',
    method: 'POST',
    path: '/api/limits/reset',
    reason: 'required',
    read: (form, request) => {
      const { target, ...limited } = readLimited(form, request);
      const { identity } = limited;
      return {
        target,
        run: async ({ clients }) => {
          const answer = await clients.limits.resetIdentity(limited, ACTION_TIMEOUT);
          return { answer: { identity, ...answer }, before: answer.before, after: [] };
        },
      };
    },
  },
  {
    name: 'limit.override',
    role: 'admin',
    method: 'PUT',
    path: '/api/limits/overrides',
    reason: 'required',
    read: (form, request) => {
      const { target, ...limited } = readLimited(form, request);
      const { identity } = limited;
      const { body } = request;
      const limit = readOptionalInteger(form, body, 'limit', MAX_UINT32);
      const window_seconds = readOptionalInteger(form, body, 'window_seconds', MAX_UINT32);
      const exempt = readFlag(form, body, 'exempt');
      const expires_at_ms = readOptionalInteger(form, body, 'expires_at_ms', Number.MAX_SAFE_INTEGER) ?? 0;
      if (expires_at_ms === 0) form.fail('expires_at_ms', 'INVALID_FORMAT', 'Must be the time of its end.');
      return {
        target,
        run: async ({ clients }, by) => {
          const override = { ...limited, limit, window_seconds, exempt, expires_at_ms, ...by };
          const answer = await clients.limits.setOverride({ override }, ACTION_TIMEOUT);
          return { answer: { identity, ...answer }, before: answer.before, after: override };
        },
      };
    },
  },
  {
    name: 'limit.remove-override',
    role: 'admin',
    method: 'DELETE',
    path: '/api/limits/overrides',
    reason: 'required',
    read: (form, request) => {
      const { target, ...limited } = readLimited(form, request);
      const { identity } = limited;
      return {
        target,
        run: async ({ clients }) => {
          const answer = await clients.limits.removeOverride(limited, ACTION_TIMEOUT);
          return { answer: { identity, ...answer }, before: answer.before };
        },
      };
    },
  },
];

function readLimited(form: Form, { body }: ActionRequest): Limited {
  const identity = countedIdentity(readText(form, body, 'identity', IDENTITY));
  const bucket = readOptionalText(form, body, 'bucket', BUCKET);
  return { identity, bucket, target: `limit:${identity}${bucket === undefined ? '' : ` in ${bucket}`}` };
}
