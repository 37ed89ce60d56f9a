import { Fault } from '@gatehouse/kit/fault';

/** The fault that a call must end in. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('the call was expected to fail');
}

/** The public code of the fault that a call must end in. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  return (await faultOf(call)).reason;
}

/** The violations, as `path CODE`, of the INVALID_FORM_BODY that a call must end in. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call);
  if (fault.reason !== 'INVALID_FORM_BODY') throw fault;
  return named(fault);
}

/** The public code of the fault that a call must end in, and its violations as `path CODE`. */
export async function refusalOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call);
  return [fault.reason, ...named(fault)];
}

function named({ violations }: Fault): string[] {
  return violations.map(({ path, code }) => `${path} ${code}`);
}
