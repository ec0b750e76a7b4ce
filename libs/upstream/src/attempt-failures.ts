import type { RetryBudget } from '@paddock/resilience';
import type { Candidate } from './instance-set.ts';

/** The requests that may be sent again after a failure: `anyMethod` if nothing was sent, `safeMethods` if the service may have acted. */
type Retry = 'anyMethod' | 'safeMethods' | 'never';

/** The consequences of a failed attempt. */
export interface AttemptFailure {
	/** Whether the instance's breaker counts it as a failure. */
	readonly blamesInstance: boolean;
	readonly retry: Retry;
	/** Whether a retry counts against the budget. An attempt that reached no service does not count (docs/decisions/0007). */
	readonly spendsBudget: boolean;
}

const unsent = { blamesInstance: true, retry: 'anyMethod', spendsBudget: false } as const;
const failed = { blamesInstance: true, retry: 'safeMethods', spendsBudget: true } as const;

/** The failures of one attempt at an instance. Breaker, retry and retry budget derive from this table. */
export const attemptFailures = {
	/** The connection was refused or could not be routed; nothing was sent. */
	unreachable: unsent,
	/** The connection was not made in time; nothing was sent. */
	connectTimeout: unsent,
	/** Connected, but no response in time. The service may have done the work. */
	responseTimeout: failed,
	/** The connection broke before the response. The service may have done the work. */
	reset: failed,
	/** A keep-alive connection was already closed when it was reused: a race, not a fault of the instance. */
	staleConnection: { blamesInstance: false, retry: 'safeMethods', spendsBudget: false },
	/** The response is not valid HTTP. */
	invalidResponse: failed,
	/** 502, 503 or 504: temporarily unavailable. */
	unavailable: failed,
	/** 503 because the instance lost its database: another one may have a connection, e.g. if the pool of this one is exhausted. */
	databaseUnavailable: { blamesInstance: false, retry: 'safeMethods', spendsBudget: true },
	/** 502, 503 or 504 because of another dependency, which the response names: other instances fail alike. */
	dependencyUnavailable: { blamesInstance: false, retry: 'never', spendsBudget: true },
} as const satisfies Record<string, AttemptFailure>;

/** The header of a response that names the dependency because of which the instance can't respond; `database` or a service. */
export const failedPartHeader = 'x-failed-part';

/** The failure that a response reports, if any. One that names a failed part doesn't blame the instance. */
export function failureOfResponse(
	status: number,
	failedPart: unknown,
): 'unavailable' | 'databaseUnavailable' | 'dependencyUnavailable' | undefined {
	if (status !== 502 && status !== 503 && status !== 504) return undefined;
	if (failedPart === undefined) return 'unavailable';
	return status === 503 && failedPart === 'database' ? 'databaseUnavailable' : 'dependencyUnavailable';
}

/** The failure of a connection that broke before the response. @param reused whether it had served an earlier request */
export function brokenConnection(reused: boolean): 'staleConnection' | 'reset' {
	return reused ? 'staleConnection' : 'reset';
}

// RFC 9110 §9.2.1: safe methods, which change nothing.
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may be sent again although a service may have acted on it. */
export function isSafe(method: string): boolean {
	return safeMethods.has(method);
}

/** Whether a request may be sent once more after this failure: an unsafe one only if the first attempt sent nothing. */
export function mayRetry({ retry }: AttemptFailure, method: string): boolean {
	return retry === 'anyMethod' || (retry === 'safeMethods' && safeMethods.has(method));
}

interface RetrySteps<Target, Outcome> {
	/** An available instance that has not been tried, see `chooseInstance`. */
	readonly choose: (tried: Target | undefined) => Target | undefined;
	readonly budget: RetryBudget;
	/** The choice and the admission of the breaker happen without an interruption if it doesn't wait before that. */
	readonly attempt: (target: Target) => Promise<Outcome>;
	/** The failure after which the request may be sent again; undefined if the outcome is final. */
	readonly failureOf: (outcome: Outcome) => AttemptFailure | undefined;
	/** Whether the only instance may get the retry as well. */
	readonly mayRepeat: (outcome: Outcome) => boolean;
	/** Called before the retry. */
	readonly onRetry?: (outcome: Outcome) => void;
}

/** Sends a request, and once more if that may succeed and the budget allows it. Undefined = no instance is available. */
export async function withRetry<Target extends Candidate, Outcome>(
	steps: RetrySteps<Target, Outcome>,
): Promise<Outcome | undefined> {
	const { choose, budget } = steps;
	const target = choose(undefined);
	if (target === undefined) return undefined;
	const outcome = await steps.attempt(target);
	const failure = steps.failureOf(outcome);
	if (failure === undefined) return outcome;
	const next = choose(target) ?? (steps.mayRepeat(outcome) ? again(target) : undefined);
	if (next === undefined) return outcome;
	const end = failure.spendsBudget ? budget.retry() : nothingSpent;
	if (end === undefined) return outcome;
	steps.onRetry?.(outcome);
	try {
		return await steps.attempt(next);
	} finally {
		end();
	}
}

function again<Target extends Candidate>(target: Target): Target | undefined {
	return target.breaker.admits() ? target : undefined;
}

function nothingSpent(): void {
	// The budget was not used.
}
