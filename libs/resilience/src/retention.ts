/** Values that are kept for a limited time after their owner has gone. */
export interface Retention<Value> {
	/** Keeps a value in place of the one with the same key. */
	keep(key: string, value: Value): void;
	/** The value, which from then on belongs to the caller again; undefined if there is none any more. */
	take(key: string): Value | undefined;
	/** Disposes of everything that is kept. */
	close(): void;
}

export interface RetentionOptions<Value> {
	readonly retainMs: number;
	/** Past this number the value that has been kept longest is disposed of. */
	readonly max: number;
	readonly dispose: (value: Value) => void;
}

/** For circuit breakers of instances that leave the registry: a registration that flaps must not close an open one. */
export function createRetention<Value>(options: RetentionOptions<Value>): Retention<Value> {
	// The one kept longest is the first.
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
