/** A problem whose message is already in words for people. */
export class Told extends Error {}
