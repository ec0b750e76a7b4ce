import type { RetryBudget } from '@paddock/resilience';
import { mayRetry, mayRetryAnswer, spendsBudget } from '../failures.ts';
import type { ForwardAnswer } from '../forwarder/forwarder.ts';
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
// Less than this is not enough for another try.
const usefulRestMs = 50;

/** Steps 10 to 12 of `proxy`. @throws ApiError when there is no instance to ask, UpstreamFailure when asking failed */
export async function forwardWithRetry(deps: ForwardDeps, call: Call): Promise<ForwardAnswer> {
	const upstream = chooseOther(deps, call, none); // 10
	if (upstream === undefined) throw allResting(deps, call);
	const outcome = await attempt(deps, call, upstream); // 11
	if (!mayTryAgain(call, outcome)) return answerOf(deps, call, outcome);
	const next = chooseNext(deps, call, outcome, upstream); // 12
	if (next === undefined) return answerOf(deps, call, outcome);
	const end =
		outcome.failure === undefined || spendsBudget(outcome.failure.kind) ? deps.budget.retry() : free;
	if (end === undefined) return answerOf(deps, call, outcome);
	const retriedAfter = outcome.failure?.kind ?? 'failureStatus';
	call.exchange.retriedAfter = retriedAfter;
	deps.metrics.countRetry(call.service, retriedAfter);
	outcome.answer?.body.destroy();
	try {
		return answerOf(deps, call, await attempt(deps, call, next));
	} finally {
		end();
	}
}

function mayTryAgain(call: Call, { failure, answer }: Outcome): boolean {
	if (call.deadlineAt - performance.now() <= usefulRestMs) return false;
	return failure === undefined ? mayRetryAnswer(answer, call.method) : mayRetry(failure.kind, call.method);
}

function chooseNext(deps: ForwardDeps, call: Call, outcome: Outcome, tried: Upstream): Upstream | undefined {
	const other = chooseOther(deps, call, new Set([tried]));
	// Where it is the only one: a stale connection says nothing about the instance, a fresh one will do.
	const same = outcome.failure?.kind === 'staleConnection' && tried.breaker.admits();
	return other ?? (same ? tried : undefined);
}

function chooseOther(deps: ForwardDeps, call: Call, tried: ReadonlySet<Upstream>): Upstream | undefined {
	return chooseInstance(deps.table.upstreams(call.service), tried, deps.random);
}

function answerOf(deps: ForwardDeps, call: Call, { failure, answer }: Outcome): ForwardAnswer {
	if (failure === undefined) return answer;
	throw failure.kind === 'circuitOpen' ? allResting(deps, call) : failure;
}

function allResting(deps: ForwardDeps, call: Call): Error {
	return noneAvailable(deps.table.upstreams(call.service), call.exchange, deps.now());
}

function free(): void {
	// Nothing was taken from the budget.
}
