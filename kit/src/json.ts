/** The public exports of json/: JSON as the contracts define it. */
export { digitsOf, parseExact, plainValue } from './json/exact-number.ts';
export { findMembers, type MemberRange } from './json/find-members.ts';
export { parseObject } from './json/parse.ts';
export { readJson, readText, requireValid } from './json/read.ts';
export { contractType, type MessageSchema, messageSchema } from './json/schema.ts';
export { exactJsonWriter, jsonWriter } from './json/write.ts';
