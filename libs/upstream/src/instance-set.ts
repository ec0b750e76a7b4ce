import type { Instance, Registry, ServiceSnapshot } from '@paddock/discovery';
import type { CircuitBreaker } from '@paddock/resilience';

/** A number from 0 up to, not including, 1. */
export type Random = () => number;

/** One instance of a service, as far as the choice between instances needs it. */
export interface Candidate {
	readonly instance: Instance;
	readonly breaker: Pick<CircuitBreaker, 'admits'>;
	/** Attempts in flight or waiting. */
	readonly inFlight: number;
}

/** The instances of one service. */
export interface InstanceSet<Target> {
	/** Every known instance, in the registry's order. */
	all(): readonly Target[];
	snapshot(): ServiceSnapshot;
	/** The registry has responded. */
	responded(): boolean;
	close(): void;
}

interface InstanceSetOptions<Target, State> {
	readonly registry: Pick<Registry, 'watch'>;
	readonly service: string;
	/** How long the state of an instance that left keeps its meaning. */
	readonly retainMs: number;
	/** Opens an instance, with its former state after a short absence. */
	readonly open: (instance: Instance, former: State | undefined) => Target;
	/** Closes the connections of an instance that left. @returns the state to retain */
	readonly leave: (target: Target) => State;
	/** Closes a state that was retained for too long. */
	readonly dispose: (state: State) => void;
}

const departedMax = 256;

/** Follows the registry. The state of an instance that leaves is retained for a while, its connections are closed at once. */
export function openInstanceSet<Target extends Pick<Candidate, 'instance'>, State>(
	options: InstanceSetOptions<Target, State>,
): InstanceSet<Target> {
	const { retainMs, dispose } = options;
	const departed = openRetention<State>({ retainMs, max: departedMax, dispose });
	const leave = (target: Target): void => departed.keep(keyOf(target.instance), options.leave(target));
	const watch = options.registry.watch(options.service);
	let targets: readonly Target[] = [];
	const follow = ({ instances }: ServiceSnapshot): void => {
		const before = new Map(targets.map((target) => [keyOf(target.instance), target]));
		targets = instances.map((instance) => {
			const key = keyOf(instance);
			return before.get(key) ?? options.open(instance, departed.take(key));
		});
		const after = new Set(targets);
		for (const target of before.values()) if (!after.has(target)) leave(target);
	};
	const unsubscribe = watch.onChange(follow);
	follow(watch.current());
	return {
		all: () => targets,
		snapshot: () => watch.current(),
		responded: () => watch.responded(),
		close: () => {
			unsubscribe();
			watch.stop();
			targets.forEach(leave);
			departed.close();
		},
	};
}

/** The same id at another address is another instance: its connections lead elsewhere. */
function keyOf({ id, url }: Instance): string {
	return `${id} ${url}`;
}

/**
 * Draws two instances at random and returns the one with fewer attempts in flight (Mitzenmacher 2001, The Power of Two
 * Choices). Excludes open breakers and the one tried already; undefined = no instance is available.
 */
export function chooseInstance<Target extends Candidate>(
	targets: readonly Target[],
	tried: Target | undefined,
	random: Random,
): Target | undefined {
	const [a, b] = twoOf(targets, random);
	if (a !== undefined && b !== undefined && isUsable(a, tried) && isUsable(b, tried)) return lessBusy(a, b);
	// One of the two has an open breaker or was tried, or there are fewer than two: examine all.
	const [c, d] = twoOf(
		targets.filter((target) => isUsable(target, tried)),
		random,
	);
	return c === undefined || d === undefined ? (c ?? d) : lessBusy(c, d);
}

function isUsable(target: Candidate, tried: Candidate | undefined): boolean {
	return target !== tried && target.breaker.admits();
}

/** Two different instances, or fewer if there are fewer. */
function twoOf<Target>(
	targets: readonly Target[],
	random: Random,
): readonly [Target | undefined, Target | undefined] {
	const { length } = targets;
	if (length < 2) return [targets[0], undefined];
	const first = Math.floor(random() * length);
	const second = (first + 1 + Math.floor(random() * (length - 1))) % length;
	return [targets[first], targets[second]];
}

function lessBusy<Target extends Candidate>(a: Target, b: Target): Target {
	return b.inFlight < a.inFlight ? b : a;
}

interface RetentionOptions<Value> {
	readonly retainMs: number;
	readonly max: number;
	readonly dispose: (value: Value) => void;
}

/** For circuit breakers of instances that leave the registry: a flapping registration must not close an open one. */
export function openRetention<Value>(options: RetentionOptions<Value>) {
	// In order of insertion: the oldest entry comes first.
	const entries = new Map<string, { readonly value: Value; readonly timer: NodeJS.Timeout }>();
	const take = (key: string): Value | undefined => {
		const entry = entries.get(key);
		clearTimeout(entry?.timer);
		entries.delete(key);
		return entry?.value;
	};
	const disposeOf = (key: string): void => {
		const value = take(key);
		if (value !== undefined) options.dispose(value);
	};
	return {
		keep: (key: string, value: Value): void => {
			disposeOf(key);
			const timer = setTimeout(disposeOf, options.retainMs, key);
			timer.unref();
			entries.set(key, { value, timer });
			const [longest] = entries.keys();
			if (entries.size > options.max && longest !== undefined) disposeOf(longest);
		},
		/** Removes and returns the value without disposing of it; undefined if it is no longer stored. */
		take,
		/** Disposes of all stored values. */
		close: (): void => {
			for (const key of [...entries.keys()]) disposeOf(key);
		},
	};
}
