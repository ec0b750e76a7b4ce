import type { RetryBudget } from '@paddock/resilience';
import { mayRetry, mayRetryResponse, spendsBudget } from '../failures.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { chooseInstance, type Random } from '../upstream/balancer.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type AttemptDeps, attempt, type Call, type Outcome } from './attempt.ts';
import { noneAvailable } from './upstream-errors.ts';

export interface ForwardDeps extends AttemptDeps {
	readonly table: InstanceTable;
	readonly budget: RetryBudget;
	readonly random: Random;
	readonly now: () => Date;
}

const none: ReadonlySet<Upstream> = new Set();
// A second attempt with less time left would only be cut off.
const attemptMsMin = 50;

/** Steps 11 to 13 of `proxy`. @throws ApiError without an available instance, UpstreamFailure */
export async function forwardWithRetry(deps: ForwardDeps, call: Call): Promise<UpstreamResponse> {
	const upstream = chooseOther(deps, call, none); // 11
	if (upstream === undefined) throw noneLeft(deps, call);
	const outcome = await attempt(deps, call, upstream); // 12
	if (!mayTryAgain(call, outcome)) return responseOf(deps, call, outcome);
	const next = chooseNext(deps, call, outcome, upstream); // 13
	if (next === undefined) return responseOf(deps, call, outcome);
	const end =
		outcome.failure === undefined || spendsBudget(outcome.failure.kind) ? deps.budget.retry() : free;
	if (end === undefined) return responseOf(deps, call, outcome);
	const retriedAfter = outcome.failure?.kind ?? 'failureStatus';
	call.exchange.retriedAfter = retriedAfter;
	deps.metrics.countRetry(call.service, retriedAfter);
	outcome.response?.body.destroy();
	try {
		return responseOf(deps, call, await attempt(deps, call, next));
	} finally {
		end();
	}
}

function mayTryAgain(call: Call, { failure, response }: Outcome): boolean {
	if (call.deadlineAt - performance.now() <= attemptMsMin) return false;
	return failure === undefined
		? mayRetryResponse(response, call.method)
		: mayRetry(failure.kind, call.method);
}

function chooseNext(deps: ForwardDeps, call: Call, outcome: Outcome, tried: Upstream): Upstream | undefined {
	const other = chooseOther(deps, call, new Set([tried]));
	// If it is the only one: a stale connection says nothing about the instance, so a new connection may succeed.
	const same = outcome.failure?.kind === 'staleConnection' && tried.breaker.admits();
	return other ?? (same ? tried : undefined);
}

function chooseOther(deps: ForwardDeps, call: Call, tried: ReadonlySet<Upstream>): Upstream | undefined {
	return chooseInstance(deps.table.upstreams(call.service), tried, deps.random);
}

function responseOf(deps: ForwardDeps, call: Call, { failure, response }: Outcome): UpstreamResponse {
	if (failure === undefined) return response;
	throw failure.kind === 'circuitOpen' ? noneLeft(deps, call) : failure;
}

function noneLeft(deps: ForwardDeps, call: Call): Error {
	return noneAvailable(deps.table.upstreams(call.service), call.exchange, deps.now());
}

function free(): void {
	// Nothing was taken from the budget.
}
