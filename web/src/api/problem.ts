// What the server says when it refuses, in one form; and that it said nothing at all.

export interface Problem {
  status: number;
  /** The last part of the code, as in messages: `STALE_VERSION`. Empty where no answer came. */
  code: string;
  fullCode: string;
  title: string;
  detail: string;
  traceId: string;
  /** Seconds, from Retry-After. */
  retryAfter?: number;
  currentStatus?: string;
  missingItemKeys?: string[];
}

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.status} ${problem.fullCode}: ${problem.detail}`);
  }
}

export const NO_ANSWER: Problem = {
  status: 0,
  code: "NO_ANSWER",
  fullCode: "NO_ANSWER",
  title: "",
  detail: "",
  traceId: "",
};

/** Reads any answer that is not a success; one that is not problem+json (a proxy's page) becomes one. */
export async function readProblem(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => "");
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Somebody between us and the server has answered.
  }
  const word = (name: string) => (typeof body[name] === "string" ? (body[name] as string) : "");
  const fullCode = word("code") || `HTTP_${response.status}`;
  const after = Number(response.headers.get("retry-after"));
  const problem: Problem = {
    status: response.status,
    code: fullCode.split(".").at(-1) ?? fullCode,
    fullCode,
    title: word("title"),
    detail: word("detail"),
    traceId: word("traceId") || (response.headers.get("x-request-id") ?? ""),
  };
  if (response.headers.has("retry-after") && Number.isFinite(after)) problem.retryAfter = after;
  if (word("currentStatus")) problem.currentStatus = word("currentStatus");
  if (Array.isArray(body.missingItemKeys)) problem.missingItemKeys = body.missingItemKeys as string[];
  return problem;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  return { ...NO_ANSWER, detail: error instanceof Error ? error.message : String(error) };
}
