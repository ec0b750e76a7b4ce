/** Lifecycle times of a signing key. */
export interface KeyTimes {
	readonly kid: string;
	/** Start of publication. */
	readonly createdAt: Date;
	/** Start of signing, which lasts until the next key starts. */
	readonly signsFrom: Date;
}

type KeyState = 'NEXT' | 'SIGNING' | 'RETIRING';

export interface PlacedKey<Key> {
	readonly key: Key;
	readonly state: KeyState;
	/** Undefined while no later key is known. */
	readonly publishedUntil: Date | undefined;
}

export interface KeyPolicy {
	/** Time for which a key signs before the next one replaces it. */
	readonly rotationMs: number;
	/** Time for which a key is published before it signs; must exceed the interval in which verifiers fetch keys. */
	readonly leadMs: number;
	/** Maximum time for which a token is accepted after signing: its lifetime plus the clock tolerance of verifiers. */
	readonly tokenMs: number;
}

/**
 * Returns the keys published at `now`, oldest first, each with its state. Depends on the timestamps only, so that all
 * instances agree without coordination: a key is published before it signs, signs, and stays published until the last
 * token it signed has expired.
 */
export function publishedKeys<Key extends KeyTimes>(
	keys: readonly Key[],
	now: Date,
	policy: KeyPolicy,
): PlacedKey<Key>[] {
	const ordered = inOrder(keys);
	// If the clock of this instance is behind, the very first key may seem to start in the future.
	const signing = ordered.findLast((key) => key.signsFrom <= now) ?? ordered[0];
	return ordered.flatMap((key, index) => {
		const successor = ordered[index + 1];
		const publishedUntil = successor && new Date(successor.signsFrom.getTime() + policy.tokenMs);
		if (publishedUntil !== undefined && publishedUntil <= now) return [];
		return [{ key, state: stateOf(key, signing, now), publishedUntil }];
	});
}

/** Whether the next key must be created now to have its full lead time when the rotation of the current key is due. */
export function isRotationDue(keys: readonly KeyTimes[], now: Date, policy: KeyPolicy): boolean {
	const newest = inOrder(keys).at(-1);
	if (newest === undefined) return true;
	return now.getTime() >= newest.signsFrom.getTime() + policy.rotationMs - policy.leadMs;
}

/**
 * Start of signing for a key created at `now`: immediate for the first key, since verifiers hold no other; after all others,
 * also if the clock of the instance that made one of them is ahead.
 */
export function signsFromOf(keys: readonly KeyTimes[], now: Date, policy: KeyPolicy): Date {
	if (keys.length === 0) return now;
	return new Date(Math.max(now.getTime() + policy.leadMs, ...keys.map((key) => key.signsFrom.getTime() + 1)));
}

function stateOf(key: KeyTimes, signing: KeyTimes | undefined, now: Date): KeyState {
	if (key === signing) return 'SIGNING';
	return key.signsFrom > now ? 'NEXT' : 'RETIRING';
}

function inOrder<Key extends KeyTimes>(keys: readonly Key[]): Key[] {
	return [...keys].sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
}
