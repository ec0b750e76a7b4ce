import { type AttemptLimits, type Call, callWithSpan } from './call-instance.ts';
import { type CallOutcome, callFailures, isFailure, type NoInstanceAvailable } from './call-outcome.ts';
import type { PeerInstance, PeerInstances } from './peer-instances.ts';

export interface CallLimits {
	/** Time-out of one attempt. */
	readonly timeoutMs: number;
	/** Deadline of both attempts, as `performance.now()`. */
	readonly endMs: number;
	readonly signal: AbortSignal;
}

// An attempt with less time left would only be cut off.
const attemptMsMin = 20;

/**
 * Calls one instance and, if a retry may succeed and the retry budget allows it, calls again: another instance if there
 * is one, otherwise the same.
 * @throws the signal's reason when it is aborted; nothing else.
 */
export async function callWithRetry(
	instances: PeerInstances,
	call: Call,
	limits: CallLimits,
): Promise<CallOutcome | NoInstanceAvailable> {
	const tried = new Set<PeerInstance>();
	const ended = instances.retryBudget.begin();
	let endRetry: (() => void) | undefined;
	try {
		const first = await attemptNext(instances, call, limits, tried);
		if (first === undefined) return noInstanceAvailable(instances, limits);
		if (!isFailure(first) || !callFailures[first.kind].retry) return first;
		endRetry = callFailures[first.kind].spendsBudget ? instances.retryBudget.retry() : free;
		if (endRetry === undefined) return first;
		return (await attemptNext(instances, call, limits, tried)) ?? first;
	} finally {
		endRetry?.();
		ended();
	}
}

/** One attempt at an instance, preferably not in `tried`; undefined if no attempt is possible. */
async function attemptNext(
	instances: PeerInstances,
	call: Call,
	limits: CallLimits,
	tried: Set<PeerInstance>,
): Promise<CallOutcome | undefined> {
	const remainingMs = Math.floor(limits.endMs - performance.now());
	if (remainingMs < attemptMsMin) return undefined;
	const instance = choose(instances.rotated(), tried);
	if (instance === undefined) return undefined;
	const resends = tried.size;
	tried.add(instance);
	const timeoutMs = Math.min(limits.timeoutMs, remainingMs);
	return attemptAt(instance, call, { timeoutMs, signal: limits.signal, resends });
}

/** The first instance whose circuit breaker admits the call; an already tried one only if there is no other. */
function choose(
	rotated: readonly PeerInstance[],
	tried: ReadonlySet<PeerInstance>,
): PeerInstance | undefined {
	const usable = rotated.filter(({ breaker }) => breaker.admits());
	return usable.find((instance) => !tried.has(instance)) ?? usable[0];
}

async function attemptAt(
	instance: PeerInstance,
	call: Call,
	limits: AttemptLimits,
): Promise<CallOutcome | undefined> {
	const admission = instance.breaker.admit();
	if (admission === undefined) return undefined;
	try {
		const outcome = await callWithSpan(call, instance, limits);
		if (!isFailure(outcome)) admission.succeeded();
		else if (callFailures[outcome.kind].blamesInstance) admission.failed(outcome.cause);
		else if (outcome.kind === 'staleConnection') admission.abandoned();
		else admission.succeeded();
		return outcome;
	} finally {
		// No effect after the outcome has been recorded; after an exception it ends the half-open probe.
		admission.abandoned();
	}
}

function free(): void {
	// Nothing was taken from the budget.
}

function noInstanceAvailable(
	instances: PeerInstances,
	limits: CallLimits,
): CallOutcome | NoInstanceAvailable {
	if (limits.endMs - performance.now() < attemptMsMin)
		return { kind: 'timeout', cause: new Error('The deadline had passed before the first attempt.') };
	if (instances.breakers().length === 0) return { kind: 'noInstances' };
	return { kind: 'circuitOpen', waitMs: instances.waitMs() };
}
