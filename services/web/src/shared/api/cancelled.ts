/** The user cancelled an action. It is not shown as an error. */
export class Cancelled extends Error {}
