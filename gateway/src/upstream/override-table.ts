import type { Admission, BreakerView, CircuitBreaker } from '@paddock/resilience';
import type { CurrentOverride } from './override-decision.ts';

/** All instances of a context, including future ones, or one of them. */
export type OverrideTarget = CurrentOverride['target'];

/** An administrator's decision on breakers, which takes precedence over their own state. */
export type BreakerOverride = Omit<CurrentOverride, 'target'>;

/** An override to open in the words that clients, health and history share. */
export function closedForMaintenance({ reason }: Pick<BreakerOverride, 'reason'>): string {
	return `Closed for maintenance: ${reason}`;
}

/** An override was set (`from` undefined), was replaced, or has ended (`to` undefined). */
export interface OverrideChange {
	readonly target: OverrideTarget;
	readonly from: BreakerOverride | undefined;
	readonly to: BreakerOverride | undefined;
	readonly cause: string;
}

export type OverrideUpdate = Pick<OverrideChange, 'target' | 'to'>;

export type OverrideTable = ReturnType<typeof openOverrideTable>;

interface Entry {
	readonly override: CurrentOverride;
	/** By the monotonic clock: an override lasts as long as the administrator has said, whatever the wall clock is set to. */
	readonly endsAtMs: number;
	readonly timer: NodeJS.Timeout;
}

/** Two clocks are never read at once. */
const clockToleranceMs = 500;

/** Keeps overrides in this process's memory. Each expires, so that a forgotten one can't apply for ever. */
export function openOverrideTable(deps: {
	now: () => Date;
	/** Monotonic milliseconds; by default of this process. */
	nowMs?: () => number;
	onChange: (change: OverrideChange) => void;
}) {
	const { now, nowMs = () => performance.now() } = deps;
	const entries = new Map<string, Entry>();
	const isCurrent = ({ until }: BreakerOverride): boolean => now() < until;
	/** With its end by the present wall clock. */
	const currentAt = (key: string): BreakerOverride | undefined => {
		const entry = entries.get(key);
		const leftMs = entry === undefined ? 0 : entry.endsAtMs - nowMs();
		if (entry === undefined || leftMs <= 0) return undefined;
		const { override } = entry;
		const untilMs = now().getTime() + leftMs;
		const isSet = Math.abs(untilMs - override.until.getTime()) > clockToleranceMs;
		return isSet ? { ...override, until: new Date(untilMs) } : override;
	};
	const end = ({ override, timer }: Entry, cause: string): void => {
		clearTimeout(timer);
		entries.delete(keyOf(override.target));
		deps.onChange({ target: override.target, from: override, to: undefined, cause });
	};
	const start = (override: CurrentOverride): void => {
		const key = keyOf(override.target);
		const from = currentAt(key);
		clearTimeout(entries.get(key)?.timer);
		const leftMs = override.until.getTime() - now().getTime();
		const timer = setTimeout(() => {
			const entry = entries.get(key);
			if (entry?.override === override) end(entry, 'expired');
		}, leftMs);
		timer.unref();
		entries.set(key, { override, endsAtMs: nowMs() + leftMs, timer });
		deps.onChange({ target: override.target, from, to: override, cause: override.reason });
	};
	return {
		of: (context: string, instance: string): BreakerOverride | undefined => {
			// Called for every request, and there is hardly ever one.
			if (entries.size === 0) return undefined;
			return currentAt(keyOf({ context, instance })) ?? currentAt(keyOf({ context }));
		},
		/** Replaces all; `cause` is why one that is missing in `next` has ended. Expired ones are ignored. */
		replace: (next: readonly CurrentOverride[], cause: (target: OverrideTarget) => string): void => {
			const wanted = new Map(next.filter(isCurrent).map((override) => [keyOf(override.target), override]));
			const started = [...wanted].filter(([key, override]) => !isSame(entries.get(key)?.override, override));
			for (const [key, entry] of [...entries]) {
				if (!wanted.has(key)) end(entry, cause(entry.override.target));
			}
			for (const [, override] of started) start(override);
		},
		apply: (changes: readonly OverrideUpdate[]): void => {
			for (const { target, to } of changes) {
				const entry = entries.get(keyOf(target));
				if (to !== undefined && isCurrent(to)) start({ target, ...to });
				else if (entry !== undefined) end(entry, '');
			}
		},
		list: (): readonly CurrentOverride[] =>
			[...entries.values()].flatMap(({ override, endsAtMs }) => (endsAtMs > nowMs() ? [override] : [])),
		close: (): void => {
			for (const { timer } of entries.values()) clearTimeout(timer);
		},
	};
}

/** Whether an override for `target` concerns another one's: for a context those of its instances as well. */
export function covers(target: OverrideTarget, other: OverrideTarget): boolean {
	return (
		target.context === other.context && (target.instance === undefined || target.instance === other.instance)
	);
}

/** The overrides that one for `target` replaces or that its removal ends. */
export function coveredBy(
	target: OverrideTarget,
	overrides: readonly CurrentOverride[],
): readonly CurrentOverride[] {
	return overrides.filter((override) => covers(target, override.target));
}

export function sameOverrides(some: readonly CurrentOverride[], others: readonly CurrentOverride[]): boolean {
	const find = (target: OverrideTarget) => others.find((other) => keyOf(other.target) === keyOf(target));
	return some.length === others.length && some.every((one) => isSame(one, find(one.target)));
}

function isSame(one: CurrentOverride | undefined, other: CurrentOverride | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	return (
		one.state === other.state &&
		one.reason === other.reason &&
		one.by === other.by &&
		one.at.getTime() === other.at.getTime() &&
		one.until.getTime() === other.until.getTime()
	);
}

// An id may hold any character; JSON keeps the two apart.
export function keyOf({ context, instance }: OverrideTarget): string {
	return JSON.stringify([context, instance]);
}

export interface OverridableView extends BreakerView {
	/** The administrator's override; absent without one. `nextTryAt` is then the end of an override to open. */
	readonly forced?: Pick<BreakerOverride, 'reason' | 'by' | 'byName' | 'until'>;
}

export interface OverridableBreaker extends CircuitBreaker {
	view(): OverridableView;
	/** The breaker's own state, whatever an override says. */
	ownView(): BreakerView;
}

// A breaker that is forced closed counts no results.
const uncounted: Admission = {
	isProbe: false,
	succeeded: () => {},
	failed: () => {},
	abandoned: () => {},
	streaming: () => {},
};

export function overriddenView(own: BreakerView, override: BreakerOverride | undefined): OverridableView {
	if (override === undefined) return own;
	const { state, at, reason, by, byName, until } = override;
	return {
		state,
		since: at,
		failureRate: own.failureRate,
		nextTryAt: state === 'OPEN' ? until : undefined,
		forced: { reason, by, byName, until },
	};
}

/** A breaker that can be forced open or closed. Its own state continues underneath, uncounted, and applies again afterwards. */
export function overridableBreaker(
	breaker: CircuitBreaker,
	currentOverride: () => BreakerOverride | undefined,
): OverridableBreaker {
	return {
		admits: () => {
			const override = currentOverride();
			return override === undefined ? breaker.admits() : override.state === 'CLOSED';
		},
		admit: () => {
			const override = currentOverride();
			if (override === undefined) return breaker.admit();
			return override.state === 'CLOSED' ? uncounted : undefined;
		},
		view: () => overriddenView(breaker.view(), currentOverride()),
		ownView: () => breaker.view(),
		trip: (cause) => breaker.trip(cause),
		reset: () => breaker.reset(),
		close: () => breaker.close(),
	};
}
