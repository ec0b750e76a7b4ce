/** One signing key's place in time. */
export interface KeyTimes {
	readonly kid: string;
	/** Published from here on. */
	readonly createdAt: Date;
	/** Signs from here on, until the next key does. */
	readonly signsFrom: Date;
}

export type KeyState = 'NEXT' | 'SIGNING' | 'RETIRING';

export interface PlacedKey<Key> {
	readonly key: Key;
	readonly state: KeyState;
	/** Undefined while no later key is known. */
	readonly publishedUntil: Date | undefined;
}

export interface KeyPolicy {
	/** How long a key signs before the next takes over. */
	readonly rotationMs: number;
	/** How long a key is published before it signs; longer than verifiers take to fetch keys. */
	readonly leadMs: number;
	/** How long what a key signed may be believed: the life of a token and the tolerance of verifiers. */
	readonly tokenMs: number;
}

/**
 * The keys that are published at `now`, oldest first, each with its state. Follows from the instants alone, so that all
 * instances agree without talking to each other: a key is published before it signs, signs, and stays published
 * until the last token it signed is dead.
 */
export function publishedKeys<Key extends KeyTimes>(
	keys: readonly Key[],
	now: Date,
	policy: KeyPolicy,
): PlacedKey<Key>[] {
	const ordered = inOrder(keys);
	// An instance whose clock is behind may read the very first key before that key's time.
	const signing = ordered.findLast((key) => key.signsFrom <= now) ?? ordered[0];
	return ordered.flatMap((key, index) => {
		const successor = ordered[index + 1];
		const publishedUntil = successor && new Date(successor.signsFrom.getTime() + policy.tokenMs);
		if (publishedUntil !== undefined && publishedUntil <= now) return [];
		return [{ key, state: stateOf(key, signing, now), publishedUntil }];
	});
}

/** Whether it is time to make the next key, so that it has its lead when the present one has signed long enough. */
export function isRotationDue(keys: readonly KeyTimes[], now: Date, policy: KeyPolicy): boolean {
	const newest = inOrder(keys).at(-1);
	if (newest === undefined) return true;
	return now.getTime() >= newest.signsFrom.getTime() + policy.rotationMs - policy.leadMs;
}

/** When a key that is made at `now` begins to sign: the first one at once, as nobody holds another. */
export function signsFromOf(keys: readonly KeyTimes[], now: Date, policy: KeyPolicy): Date {
	return keys.length === 0 ? now : new Date(now.getTime() + policy.leadMs);
}

function stateOf(key: KeyTimes, signing: KeyTimes | undefined, now: Date): KeyState {
	if (key === signing) return 'SIGNING';
	return key.signsFrom > now ? 'NEXT' : 'RETIRING';
}

function inOrder<Key extends KeyTimes>(keys: readonly Key[]): Key[] {
	return [...keys].sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
}
