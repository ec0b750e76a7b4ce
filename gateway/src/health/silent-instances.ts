import type { ObservedInstance } from '../upstream/upstream.ts';
import type { Probe } from './probe.ts';

type ProbedInstance = Pick<ObservedInstance, 'breaker' | 'respondedAt' | 'failedAt'>;

/** Observes a probe; `startedAt`: performance.now(). @returns whether the instance is silent and not yet left out */
type ObserveProbe = (
	upstream: ProbedInstance,
	probe: Pick<Probe, 'responded'> & { readonly startedAt: number },
) => boolean;

interface Silence {
	probes: number;
	readonly since: number;
}

const probesMin = 3;
/** Probes may follow each other closely, and a restarted instance refuses connections for a moment. */
const silenceMsMin = 2_000;

/**
 * Opens the breaker of an instance that is silent: with few requests, its breaker would not reach its volume, and each
 * request would wait for its timeout. Closes it with the next response to a probe. Probes alone prove nothing while
 * requests get responses: docs/decisions/0048-silent-instances.md.
 */
export function observeSilentInstances(now: () => number = () => performance.now()): ObserveProbe {
	// As long as the breaker is kept, i.e. also during a short absence of its instance.
	const silent = new WeakMap<ProbedInstance['breaker'], Silence>();
	return function observeProbe(upstream, { responded, startedAt }) {
		const { breaker } = upstream;
		if (responded === undefined) return false;
		if (responded) {
			silent.delete(breaker);
			breaker.reset();
			return false;
		}
		const silence = silent.get(breaker) ?? { probes: 0, since: startedAt };
		silence.probes += 1;
		silent.set(breaker, silence);
		if (requestsSucceed(upstream, silence, now())) {
			breaker.reset();
			return false;
		}
		const isDecided = silence.probes >= probesMin && now() - silence.since >= silenceMsMin;
		if (isDecided) breaker.trip(new Error('no response to health probes'));
		return !isDecided;
	};
}

/** A response since the first silent probe, after which no request has failed or which is recent. */
function requestsSucceed(
	{ respondedAt, failedAt }: ProbedInstance,
	{ since }: Silence,
	now: number,
): boolean {
	if (respondedAt === undefined || respondedAt < since) return false;
	return failedAt === undefined || failedAt < respondedAt || now - respondedAt < silenceMsMin;
}
