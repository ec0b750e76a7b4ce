import type { Instance } from '@paddock/discovery';
import type { BreakerState, BreakerTransition } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { causeText } from '@paddock/telemetry/loggable';
import type { Context } from '../contexts/context.ts';
import {
	type BreakerOverride,
	closedForMaintenance,
	type OverrideChange,
} from '../upstream/override-table.ts';
import type { HealthHistory } from './health-history.ts';

interface BreakerReportsDeps {
	readonly logger: Logger;
	readonly history: HealthHistory;
}

export function reportTransition(
	{ logger, history }: BreakerReportsDeps,
	context: Context,
	instance: Instance,
	{ from, to, cause }: BreakerTransition,
): void {
	const change = { from, to, cause: to === 'OPEN' ? causeText(cause) : undefined };
	logger.warn('circuit breaker', { upstream: context.service, instance: instance.id, ...change });
	history.record({
		context: context.name,
		instance: instance.id,
		what: 'breaker',
		from,
		to,
		cause: publicCause(from, to, cause),
	});
}

/** Records an administrator's override in the log and the history, with its author, time and reason. */
export function reportOverride(
	{ logger, history }: BreakerReportsDeps,
	{ target, from, to, cause }: OverrideChange,
): void {
	const change = { from: wordFor(from), to: wordFor(to) };
	const until = to?.until.toISOString();
	logger.warn('circuit breaker override', { ...target, ...change, cause, by: to?.by, until });
	history.record({
		...target,
		what: 'breaker',
		...change,
		cause: to === undefined ? cause : `${phraseOf(to)} (by ${to.byName ?? to.by}, until ${until})`,
	});
}

// The history is public: the message of a network error would contain addresses.
function publicCause(from: BreakerState, to: BreakerState, cause: unknown): string {
	if (to === 'HALF_OPEN') return 'reset timeout elapsed, health probe did not fail; one request decides';
	if (to === 'CLOSED') return from === 'OPEN' ? 'responds again' : 'half-open request succeeded';
	return cause instanceof Error ? cause.message : 'too many failures';
}

function phraseOf(override: BreakerOverride): string {
	return override.state === 'OPEN' ? closedForMaintenance(override) : override.reason;
}

function wordFor(override: BreakerOverride | undefined): string {
	return override === undefined ? 'AUTO' : `FORCED_${override.state}`;
}
