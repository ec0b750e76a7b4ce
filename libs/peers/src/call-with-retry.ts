import { withRetry } from '@paddock/upstream';
import { type AttemptLimits, type Call, callWithSpan } from './call-instance.ts';
import { type CallOutcome, callFailures, isFailure, type NoInstanceAvailable } from './call-outcome.ts';
import type { PeerInstance, PeerInstances } from './peer-instances.ts';

export interface CallLimits {
	readonly timeoutMs: number;
	/** Deadline of both attempts, as `performance.now()`. */
	readonly endMs: number;
	readonly signal: AbortSignal;
}

// An attempt with less time left would only be cut off.
const attemptMsMin = 20;

/**
 * Calls one instance and, if a retry may succeed and the budget allows it, another one, or the same if there is no other.
 * @throws the signal's reason when it is aborted; nothing else.
 */
export async function callWithRetry(
	instances: PeerInstances,
	call: Call,
	limits: CallLimits,
): Promise<CallOutcome | NoInstanceAvailable> {
	const remainingMs = (): number => Math.floor(limits.endMs - performance.now());
	if (remainingMs() < attemptMsMin)
		return { kind: 'timeout', cause: new Error('The deadline had passed before the first attempt.') };
	let resends = 0;
	const ended = instances.retryBudget.begin();
	try {
		const outcome = await withRetry<PeerInstance, CallOutcome | NoInstanceAvailable>({
			choose: instances.choose,
			budget: instances.retryBudget,
			attempt: (instance) => {
				const timeoutMs = Math.min(limits.timeoutMs, remainingMs());
				return attemptAt(instance, call, { timeoutMs, signal: limits.signal, resends });
			},
			failureOf: (outcome) => {
				if (!isFailure(outcome) || remainingMs() < attemptMsMin) return undefined;
				const failure = callFailures[outcome.kind];
				return failure.retry === 'never' ? undefined : failure;
			},
			mayRepeat: () => true,
			onRetry: () => {
				resends += 1;
			},
		});
		return outcome ?? noInstanceAvailable(instances);
	} finally {
		ended();
	}
}

async function attemptAt(
	instance: PeerInstance,
	call: Call,
	limits: AttemptLimits,
): Promise<CallOutcome | NoInstanceAvailable> {
	const admission = instance.breaker.admit();
	// `choose` has just seen that it admits.
	if (admission === undefined) return { kind: 'circuitOpen', waitMs: 0 };
	instance.inFlight += 1;
	try {
		const { agent } = instance;
		const outcome = await callWithSpan(call, { url: instance.instance.url, agent }, limits);
		if (!isFailure(outcome)) admission.succeeded();
		else if (callFailures[outcome.kind].blamesInstance) admission.failed(outcome.cause);
		else if (outcome.kind === 'staleConnection') admission.abandoned();
		else admission.succeeded();
		return outcome;
	} finally {
		instance.inFlight -= 1;
		// No effect after the outcome has been recorded; after an exception it ends the half-open probe.
		admission.abandoned();
	}
}

function noInstanceAvailable(instances: PeerInstances): NoInstanceAvailable {
	if (instances.all().length === 0) return { kind: 'noInstances' };
	return { kind: 'circuitOpen', waitMs: instances.waitMs() };
}
