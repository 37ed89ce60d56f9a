import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** A well-formed response of a client, not verified yet. */
export interface ParsedResponse<T> {
  /** The challenge of its client data, base64url. */
  readonly challenge: string;
  /** Whether it comes from a cross-origin frame. */
  readonly cross_origin: boolean;
  readonly json: T;
}

/** 1,023 bytes in base64url (WebAuthn Level 3, section 4, "Credential ID"). */
const MAX_CREDENTIAL_ID = 1364;
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Reads an AuthenticationResponseJSON, or returns undefined. Unused members are left out. */
export function readAssertion(value: unknown): ParsedResponse<AuthenticationResponseJSON> | undefined {
  const read = readCredential(value);
  if (read === undefined) return undefined;
  const { id, clientDataJSON, response, ...clientData } = read;
  const { authenticatorData, signature } = response;
  const userHandle = response.userHandle === '' ? undefined : (response.userHandle ?? undefined); // Safari: ''
  if (!(isBase64url(authenticatorData) && isBase64url(signature))) return undefined;
  if (userHandle !== undefined && !isBase64url(userHandle)) return undefined;
  return {
    ...clientData,
    json: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle !== undefined && { userHandle }),
      },
    },
  };
}

/** Reads a RegistrationResponseJSON, or returns undefined. Unused members are left out. */
export function readRegistrationResponse(
  value: unknown,
): ParsedResponse<RegistrationResponseJSON> | undefined {
  const read = readCredential(value);
  if (read === undefined) return undefined;
  const { id, clientDataJSON, response, ...clientData } = read;
  const { attestationObject, transports } = response;
  if (!isBase64url(attestationObject)) return undefined;
  return {
    ...clientData,
    json: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject, transports: readTransports(transports) },
    },
  };
}

function isCredentialId(value: unknown): value is string {
  return isBase64url(value) && value.length <= MAX_CREDENTIAL_ID;
}

/** Reads the members that both kinds of response have. */
function readCredential(value: unknown) {
  const credential = asObject(value);
  const response = asObject(credential?.response);
  if (credential === undefined || response === undefined) return undefined;
  const { id, rawId, type } = credential;
  const { clientDataJSON } = response;
  if (!isCredentialId(id) || rawId !== id || type !== 'public-key') return undefined;
  if (!isBase64url(clientDataJSON)) return undefined;
  const clientData = parseObject(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
  if (typeof clientData?.challenge !== 'string') return undefined;
  const { challenge, crossOrigin } = clientData;
  return { id, clientDataJSON, response, challenge, cross_origin: crossOrigin === true };
}

/** The known transports of a list. They are only hints for clients. */
function readTransports(value: unknown): string[] {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  return [...new Set(names)].filter((name) => TRANSPORTS.has(name));
}

function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
}
