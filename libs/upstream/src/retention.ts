/** Values retained for a limited time after their owner was removed. */
interface Retention<Value> {
	/** Stores a value, replacing one with the same key. */
	keep(key: string, value: Value): void;
	/** Removes and returns the value without disposing of it; undefined if it is no longer stored. */
	take(key: string): Value | undefined;
	/** Disposes of all stored values. */
	close(): void;
}

interface RetentionOptions<Value> {
	readonly retainMs: number;
	/** Beyond this number the oldest value is disposed of. */
	readonly max: number;
	readonly dispose: (value: Value) => void;
}

/** For circuit breakers of instances that leave the registry: a flapping registration must not close an open one. */
export function createRetention<Value>(options: RetentionOptions<Value>): Retention<Value> {
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
		keep: (key, value) => {
			disposeOf(key);
			const timer = setTimeout(disposeOf, options.retainMs, key);
			timer.unref();
			entries.set(key, { value, timer });
			const [longest] = entries.keys();
			if (entries.size > options.max && longest !== undefined) disposeOf(longest);
		},
		take,
		close: () => {
			for (const key of [...entries.keys()]) disposeOf(key);
		},
	};
}
