/** A problem whose message is already in words for people. */
export class UserFacingError extends Error {}
