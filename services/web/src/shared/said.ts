/** A problem that was found on this page; its message is for people. */
export class Said extends Error {}
