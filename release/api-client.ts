export interface ApiRequest {
  /** The whole Authorization header. */
  readonly authorization?: string;
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  readonly body?: object;
}

export interface ApiClient {
  /** Sends a request to a path below /api/v1. @throws Error for an answer that is not 2xx */
  send<T>(method: string, path: string, request?: ApiRequest): Promise<T>;
}

/** A client of the API at an edge. */
export function apiClient(url: string): ApiClient {
  return {
    send: async (method, path, { authorization, body } = {}) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined &&
            !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}
