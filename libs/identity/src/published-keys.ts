import type { KeyObject } from 'node:crypto';
import { type ImportedKey, importKeys } from './import-keys.ts';
import type { KeySetLogger, WithdrawnKidsListener } from './key-set.ts';

/** The keys as last published, and who wants to know when they change. */
export interface PublishedKeys {
	get(kid: string): KeyObject | undefined;
	current(): ReadonlySet<string>;
	onChange(listener: WithdrawnKidsListener): () => void;
	/**
	 * Takes over a JWK set and tells the listeners what it changed.
	 * @throws Error when it holds no usable key; the former keys stay then.
	 */
	replace(document: unknown): void;
	/** Forgets the listeners. */
	close(): void;
}

/** A `kid` is only ever the exact key of a Map; it never becomes part of a path, a query or a property name. */
export function createPublishedKeys(logger: KeySetLogger): PublishedKeys {
	const listeners = new Set<WithdrawnKidsListener>();
	let keys: ReadonlyMap<string, ImportedKey> = new Map();
	let kids: ReadonlySet<string> = new Set();
	let loggedRefusals = '';

	function logRefusals(refusals: readonly string[]): void {
		const text = refusals.join('\n');
		// When they change, not with every fetch.
		if (text !== loggedRefusals && text !== '') logger.warn('token keys refused', { refusals });
		loggedRefusals = text;
	}

	function tell(withdrawnKids: ReadonlySet<string>): void {
		for (const listener of listeners) {
			try {
				listener(withdrawnKids);
			} catch (error) {
				logger.error('a listener for token keys failed', { error });
			}
		}
	}

	return {
		get: (kid) => keys.get(kid)?.key,
		current: () => kids,
		onChange: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		replace: (document) => {
			const next = importKeys(document);
			logRefusals(next.refusals);
			const withdrawn = kidsMissingIn(next.keys, keys);
			const added = kidsMissingIn(keys, next.keys);
			if (withdrawn.length === 0 && added.length === 0) return;
			keys = next.keys;
			kids = new Set(keys.keys());
			logger.info('token keys changed', { added, withdrawn });
			tell(new Set(withdrawn));
		},
		close: () => listeners.clear(),
	};
}

/** The `kid`s of `keys` that `others` doesn't have, or has for another key. */
function kidsMissingIn(
	others: ReadonlyMap<string, ImportedKey>,
	keys: ReadonlyMap<string, ImportedKey>,
): string[] {
	return [...keys]
		.filter(([kid, { material }]) => others.get(kid)?.material !== material)
		.map(([kid]) => kid);
}
