/** Calls of the API for one user. The tokens are kept in memory only. */
export class Api {
  #base;
  #tokens;
  #workspace;
  #refreshing;

  constructor(base, tokens, workspace) {
    this.#base = base;
    this.#tokens = tokens;
    this.#workspace = workspace;
    this.user = tokens.user;
  }

  static async signIn(server, email, password, workspace) {
    const base = `${server.replace(/\/$/, "")}/api/v1`;
    const { data } = await send(`${base}/auth/login`, "POST", {}, { email, password });
    return new Api(base, data, workspace);
  }

  get = (path) => this.#call("GET", path);
  post = (path, body) => this.#call("POST", path, body);
  put = (path, body) => this.#call("PUT", path, body);

  /** What is at a path, or null if this user cannot see it. */
  async find(path) {
    try {
      return await this.get(path);
    } catch (problem) {
      if (problem.status === 404) {
        return null;
      }
      throw problem;
    }
  }

  /** All items of a list, page by page. */
  async *list(path, query = {}) {
    let cursor;
    do {
      const { data, nextCursor } = await this.get(`${path}?${parameters({ ...query, limit: 100, cursor })}`);
      yield* data;
      cursor = nextCursor;
    } while (cursor);
  }

  /** The address of a stream, with a ticket that opens it once. */
  async streamAddress(query) {
    const { data } = await this.post("/events/tickets");
    return `${this.#base}/events/stream?${parameters({ ...query, ticket: data.ticket })}`;
  }

  async #call(verb, path, body) {
    try {
      return await this.#send(verb, path, body);
    } catch (problem) {
      if (problem.status !== 401) {
        throw problem;
      }
      // A refresh token is valid once, so calls that fail at the same time wait for one refresh.
      this.#refreshing ??= this.#refresh().finally(() => { this.#refreshing = undefined; });
      await this.#refreshing;
      return this.#send(verb, path, body);
    }
  }

  #send(verb, path, body) {
    const headers = { Authorization: `Bearer ${this.#tokens.accessToken}` };
    if (this.#workspace) {
      headers["X-Service-Workspace"] = this.#workspace;
    }
    return send(this.#base + path, verb, headers, body);
  }

  async #refresh() {
    const { refreshToken } = this.#tokens;
    const { data } = await send(`${this.#base}/auth/refresh`, "POST", {}, { refreshToken });
    this.#tokens = data;
  }
}

/** A refusal, with its status. Its message is made for people. */
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(address, method, headers, body) {
  const answer = await fetch(address, {
    method,
    headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
    body: body && JSON.stringify(body),
    // Lets the last call of a tab that is closed arrive.
    keepalive: method === "PUT",
  });
  const json = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new Refused(answer.status, json?.error?.message ?? `The server answered with ${answer.status}.`);
  }
  return json;
}

function parameters(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined));
}
