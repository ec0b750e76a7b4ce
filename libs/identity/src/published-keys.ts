import type { KeyObject } from 'node:crypto';
import { type ImportedKey, importKeys } from './import-keys.ts';
import type { KeySetLogger, WithdrawnKidsListener } from './key-set.ts';

interface PublishedKeys {
	get(kid: string): KeyObject | undefined;
	onChange(listener: WithdrawnKidsListener): () => void;
	/** Replaces the keys by a JWK set. @throws Error without a usable key; the previous keys remain */
	replace(document: unknown): void;
	close(): void;
}

/** A `kid` is only used as an exact key of a Map; it never becomes part of a path, a query or a property name. */
export function openPublishedKeys(logger: KeySetLogger): PublishedKeys {
	const listeners = new Set<WithdrawnKidsListener>();
	let keys: ReadonlyMap<string, ImportedKey> = new Map();
	let loggedRefusals = '';

	function logRefusals(refusals: readonly string[]): void {
		const text = refusals.join('\n');
		// Logged when they change, not with every fetch.
		if (text !== loggedRefusals && text !== '') logger.warn('token keys refused', { refusals });
		loggedRefusals = text;
	}

	function notify(withdrawnKids: ReadonlySet<string>): void {
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
			logger.info('token keys changed', { added, withdrawn });
			notify(new Set(withdrawn));
		},
		close: () => listeners.clear(),
	};
}

/** The `kid`s of `keys` that are missing in `others` or identify another key there. */
function kidsMissingIn(
	others: ReadonlyMap<string, ImportedKey>,
	keys: ReadonlyMap<string, ImportedKey>,
): string[] {
	return [...keys]
		.filter(([kid, { material }]) => others.get(kid)?.material !== material)
		.map(([kid]) => kid);
}
