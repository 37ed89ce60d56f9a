import { Fault } from '@gatehouse/kit/fault';

/** Returns the fault of a call that must fail. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('the call was expected to fail');
}

/** Returns the public code of the fault of a call that must fail. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  return (await faultOf(call)).reason;
}

/** Returns the violations, as `path CODE`, of a call that must fail with INVALID_FORM_BODY. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call);
  if (fault.reason !== 'INVALID_FORM_BODY') throw fault;
  return named(fault);
}

/** Returns the public code of the fault of a call that must fail, and its violations as `path CODE`. */
export async function refusalOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call);
  return [fault.reason, ...named(fault)];
}

function named({ violations }: Fault): string[] {
  return violations.map(({ path, code }) => `${path} ${code}`);
}
