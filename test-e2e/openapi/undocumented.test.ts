import { describe, expect, it } from 'vitest';
import { undocumented } from './undocumented.ts';

const answer = (status: number, code?: string) => ({ status, text: code ? JSON.stringify({ code }) : '' });

describe('an answer that openapi.json does not have', () => {
  it('is one with another status', () => {
    expect(undocumented('GET', '/guilds/1', answer(202))).toBe(
      'openapi.json has no 202 of GET /guilds/{guild_id}',
    );
    expect(undocumented('GET', '/guilds/1?with=query', answer(200))).toBeUndefined();
  });

  it('is one with another code: among several of a status, and where all routes share a response', () => {
    const target = '/guilds/1/members/2';
    expect(undocumented('GET', target, answer(404, 'UNKNOWN_MEMBER'))).toBeUndefined();
    expect(undocumented('GET', target, answer(404, 'UNKNOWN_ROLE'))).toBe(
      'openapi.json has no 404 UNKNOWN_ROLE of GET /guilds/{guild_id}/members/{user_id}',
    );
    expect(undocumented('GET', '/guilds/1', answer(401, 'UNAUTHORIZED'))).toBeUndefined();
    expect(undocumented('GET', '/guilds/1', answer(401, 'INVALID_TOKEN'))).toMatch(/no 401 INVALID_TOKEN/);
  });

  it('is judged by the route that the edge takes, and only if there is one', () => {
    expect(undocumented('PATCH', '/guilds/1/members/2', answer(400, 'BAD_REQUEST'))).toBeUndefined();
    expect(undocumented('PATCH', '/guilds/1/members/@me', answer(400, 'BAD_REQUEST'))).toMatch(
      /members\/@me$/,
    );
    expect(undocumented('GET', '/nothing', answer(404, 'NOT_FOUND'))).toBeUndefined();
    expect(undocumented('BREW', '/guilds/1', answer(418, 'TEAPOT'))).toBeUndefined();
  });
});
