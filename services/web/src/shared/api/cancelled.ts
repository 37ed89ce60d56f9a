/** The user gave up what they had started, which is no problem to be shown. */
export class Cancelled extends Error {}
