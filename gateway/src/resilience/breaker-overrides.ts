/** An administrator's decision on breakers, which takes precedence over their own state. */
export interface BreakerOverride {
	readonly state: 'OPEN' | 'CLOSED';
	readonly reason: string;
	/** The id of the user who set it. */
	readonly by: string;
	/** The user's name at that time, as auth reported it; undefined if it did not. */
	readonly byName: string | undefined;
	readonly at: Date;
	readonly until: Date;
}

/** All instances of a context, including future ones, or one of them. */
export interface OverrideTarget {
	readonly context: string;
	readonly instance?: string;
}

/** An override was set (`from` undefined), was replaced, or has ended (`to` undefined). */
export interface OverrideChange {
	readonly target: OverrideTarget;
	readonly from: BreakerOverride | undefined;
	readonly to: BreakerOverride | undefined;
	readonly cause: string;
}

export interface CurrentOverride extends BreakerOverride {
	readonly target: OverrideTarget;
}

export interface BreakerOverrides {
	/** The override that applies to an instance now. */
	of(context: string, instance: string): BreakerOverride | undefined;
	/** One for a context replaces those for its instances: the newest that covers an instance applies. */
	set(target: OverrideTarget, override: BreakerOverride): void;
	/** For a context the overrides of its instances end as well. Does nothing without an override. */
	remove(target: OverrideTarget, cause: string): void;
	list(): readonly CurrentOverride[];
	close(): void;
}

interface Entry {
	readonly target: OverrideTarget;
	readonly override: BreakerOverride;
	readonly timer: NodeJS.Timeout;
}

/** Keeps overrides in this process's memory. Each expires, so that a forgotten one can't apply for ever. */
export function createBreakerOverrides(deps: {
	now: () => Date;
	onChange: (change: OverrideChange) => void;
}): BreakerOverrides {
	const entries = new Map<string, Entry>();
	const isCurrent = ({ override }: Entry): boolean => deps.now() < override.until;
	const currentAt = (key: string): BreakerOverride | undefined => {
		const entry = entries.get(key);
		return entry !== undefined && isCurrent(entry) ? entry.override : undefined;
	};
	const end = (entry: Entry, cause: string): void => {
		clearTimeout(entry.timer);
		entries.delete(keyOf(entry.target));
		deps.onChange({ target: entry.target, from: entry.override, to: undefined, cause });
	};
	const covered = ({ context, instance }: OverrideTarget): Entry[] =>
		[...entries.values()].filter(
			({ target }) => target.context === context && (instance === undefined || target.instance === instance),
		);
	return {
		of: (context, instance) => {
			// Called for every request, and there is hardly ever one.
			if (entries.size === 0) return undefined;
			return currentAt(keyOf({ context, instance })) ?? currentAt(keyOf({ context }));
		},
		set: (target, override) => {
			const key = keyOf(target);
			const from = currentAt(key);
			for (const entry of covered(target)) {
				if (keyOf(entry.target) !== key) end(entry, `replaced by an override for all of ${target.context}`);
				else clearTimeout(entry.timer);
			}
			const timer = setTimeout(() => {
				const entry = entries.get(key);
				if (entry?.override === override) end(entry, 'expired');
			}, override.until.getTime() - deps.now().getTime());
			timer.unref();
			entries.set(key, { target, override, timer });
			deps.onChange({ target, from, to: override, cause: override.reason });
		},
		remove: (target, cause) => {
			for (const entry of covered(target)) end(entry, cause);
		},
		list: () =>
			[...entries.values()].filter(isCurrent).map(({ target, override }) => ({ target, ...override })),
		close: () => {
			for (const { timer } of entries.values()) clearTimeout(timer);
		},
	};
}

// An id may hold any character; JSON keeps the two apart.
function keyOf({ context, instance }: OverrideTarget): string {
	return JSON.stringify([context, instance]);
}
