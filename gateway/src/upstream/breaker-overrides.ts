import { ApiError, apiError } from '@paddock/contract';
import type { SharedValues, StoredValues } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import {
	causeOfEnd,
	decisionAfter,
	formerDecisions,
	lastDecisions,
	newestDecisions,
	type OverrideDecision,
	type OverrideDecisions,
	overridesInForce,
	parseDecision,
	storeKey,
} from './override-decision.ts';
import {
	type BreakerOverride,
	coveredBy,
	covers,
	type OverrideChange,
	type OverrideTable,
	type OverrideTarget,
	openOverrideTable,
	sameOverrides,
} from './override-table.ts';

/** Where overrides are stored: for all gateways, or in the memory of this one. */
type OverrideStoreKind = 'consul' | 'redis' | 'memory';

export interface BreakerOverrides extends Pick<OverrideTable, 'of' | 'list'> {
	readonly storedIn: OverrideStoreKind;
	/** Whether the store doesn't respond, so that changes made at other gateways are unknown. */
	stale(): boolean;
	/** Resolves after the first attempt to read the store. */
	readonly loaded: Promise<void>;
	/** One for a context replaces those for its instances. @throws ApiError CONFLICT or SERVICE_UNAVAILABLE, see `remove` */
	set(target: OverrideTarget, override: BreakerOverride): Promise<void>;
	/**
	 * For a context the overrides of its instances end as well. Does nothing without an override.
	 * @throws ApiError CONFLICT if another administrator has changed these overrides and this gateway hadn't shown it
	 * @throws ApiError SERVICE_UNAVAILABLE if they can't be stored
	 */
	remove(target: OverrideTarget, ended: Pick<BreakerOverride, 'reason' | 'by' | 'at'>): Promise<void>;
	/** Ends the overrides of contexts that are gone, after the contexts have changed. */
	follow(): void;
	close(): Promise<void>;
}

export interface BreakerOverridesDeps {
	readonly now: () => Date;
	/** Monotonic milliseconds; by default of this process. */
	readonly nowMs?: () => number;
	readonly logger: Logger;
	readonly serviceOf: (context: string) => string | undefined;
	readonly onChange: (change: OverrideChange) => void;
	readonly store?: { readonly kind: 'consul' | 'redis'; readonly values: SharedValues } | undefined;
}

export function openBreakerOverrides(deps: BreakerOverridesDeps): BreakerOverrides {
	const table = openOverrideTable(deps);
	const { store } = deps;
	const kept = store === undefined ? inMemory(table, deps) : inStore(store.values, table, deps);
	return {
		...kept,
		of: table.of,
		list: table.list,
		storedIn: store?.kind ?? 'memory',
		stale: () => store?.values.stale() ?? false,
		close: async () => {
			table.close();
			await store?.values.close();
		},
	};
}

type Kept = Pick<BreakerOverrides, 'loaded' | 'set' | 'remove' | 'follow'>;

const contextIsGone = 'the context is gone';

function inMemory(table: OverrideTable, { serviceOf }: BreakerOverridesDeps): Kept {
	const without = (target: OverrideTarget) =>
		table.list().filter((override) => !covers(target, override.target));
	return {
		loaded: Promise.resolve(),
		set: async (target, override) => {
			const ended = `replaced by an override for all of ${target.context}`;
			table.replace([...without(target), { target, ...override }], () => ended);
		},
		remove: async (target, { reason }) => table.replace(without(target), () => reason),
		follow: () =>
			table.replace(
				table.list().filter(({ target }) => serviceOf(target.context) !== undefined),
				() => contextIsGone,
			),
	};
}

/**
 * Each decision has its own key, so administrators who decide on different targets do not meet. One that is missing in the
 * store was lost there, and is stored again.
 */
function inStore(values: SharedValues, table: OverrideTable, deps: BreakerOverridesDeps): Kept {
	const { now, logger, serviceOf } = deps;
	const read = decisionReader(deps);
	let known: OverrideDecisions = new Map();
	const apply = (): void => {
		const cause = ({ context, ...target }: OverrideTarget): string =>
			serviceOf(context) === undefined ? contextIsGone : causeOfEnd({ context, ...target }, known);
		table.replace(overridesInForce(known, serviceOf, now()), cause);
	};
	const adopt = (found: OverrideDecisions): void => {
		known = lastDecisions(known, found, now());
		apply();
	};
	const decide = async (target: OverrideTarget, decision: Decided): Promise<void> => {
		const stored = await values.read();
		const shown = coveredBy(target, table.list());
		adopt(read(stored));
		if (!sameOverrides(coveredBy(target, table.list()), shown)) throw conflict();
		const covered = [...known.values()].filter((each) => covers(target, each.target));
		if (decision.state === 'AUTO' && covered.length === 0) return;
		const key = storeKey(target);
		const service = serviceOf(target.context) ?? '';
		const ofContext = known.get(storeKey({ context: target.context }));
		const decided = decisionAfter(covered, ofContext, { ...decision, target, service });
		const text = JSON.stringify(decided);
		if (!(await values.write(key, text, stored.get(key)?.version))) {
			const found = await values.read();
			adopt(read(found));
			// A write that is repeated after a lost response finds its own value.
			if (found.get(key)?.text !== text) throw conflict();
		}
		adopt(new Map([[key, decided]]));
		await removeExpired(values, stored, now);
	};
	const change = async (target: OverrideTarget, decision: Decided): Promise<void> => {
		try {
			await decide(target, decision);
		} catch (error) {
			if (error instanceof ApiError) throw error;
			logger.warn('breaker override not stored', { ...target, error });
			throw apiError('SERVICE_UNAVAILABLE', {
				message: 'The store of overrides does not respond. Read the list of breakers before repeating.',
			});
		}
	};
	return {
		loaded: values.follow(async (stored) => {
			adopt(read(stored));
			for (const [key, decision] of known)
				if (!stored.has(key)) await values.write(key, JSON.stringify(decision), undefined);
		}),
		set: change,
		remove: (target, ended) => change(target, { ...ended, state: 'AUTO', until: ended.at }),
		follow: apply,
	};
}

type Decided = Omit<OverrideDecision, 'target' | 'service' | 'keptUntil'>;

function conflict(): ApiError {
	return apiError('CONFLICT', {
		message: 'Another administrator has just changed these overrides. Read the list and repeat.',
	});
}

/** Leaves out, and logs once, what is not readable: the last known decision on that target stays. */
function decisionReader({ now, logger, serviceOf }: BreakerOverridesDeps) {
	const unreadable = new Map<string, string>();
	const decisionsOf = (key: string, text: string): readonly OverrideDecision[] => {
		try {
			return key === '' ? formerDecisions(text, serviceOf) : [parseDecision(text, now())];
		} catch (error) {
			if (unreadable.get(key) !== text) logger.error('stored breaker override is not readable', { error });
			unreadable.set(key, text);
			return [];
		}
	};
	return (stored: StoredValues): OverrideDecisions =>
		newestDecisions([...stored].flatMap(([key, { text }]) => decisionsOf(key, text)));
}

/** Clocks of gateways differ, so not at once. */
const expiredMs = 3_600_000;

async function removeExpired(values: SharedValues, stored: StoredValues, now: () => Date): Promise<void> {
	const before = new Date(now().getTime() - expiredMs);
	for (const [key, { text, version }] of stored) {
		// The next change removes those that are left.
		if (key !== '' && isKeptUntil(text, before))
			await values.write(key, undefined, version).catch(() => false);
	}
}

function isKeptUntil(text: string, before: Date): boolean {
	try {
		return parseDecision(text, before).keptUntil < before;
	} catch {
		return false;
	}
}
