import type { Principal } from './principal.ts';
import { accountSubject, type Revocation, revocationKeptMs, sessionSubject } from './revocation.ts';

/** The tokens that must be refused before they expire. */
export interface Revocations {
	/** Calls back after each addition; principals checked before it must be checked again. */
	onAdded(listener: () => void): void;
	isRevoked(principal: Pick<Principal, 'sessionId' | 'userId' | 'accountVersion'>): boolean;
}

interface RevocationList extends Revocations {
	/** Adding a known entry extends its retention; of two versions the later is stored. */
	add(revocations: readonly Revocation[]): void;
	size(): number;
}

interface Entry {
	readonly before: number;
	readonly untilMs: number;
}

/** Stores each entry, from its arrival on, as long as a token that it revokes could be accepted. */
export function createRevocationList(deps: { readonly now: () => Date }): RevocationList {
	// In order of arrival, so that expired entries come first.
	const entries = new Map<string, Entry>();
	const listeners: (() => void)[] = [];

	function removeExpired(nowMs: number): void {
		for (const [subject, { untilMs }] of entries) {
			if (untilMs > nowMs) return;
			entries.delete(subject);
		}
	}

	return {
		onAdded: (listener) => listeners.push(listener),
		size: () => entries.size,
		isRevoked: ({ sessionId, userId, accountVersion }) => {
			if (entries.size === 0) return false;
			if (entries.has(sessionSubject(sessionId))) return true;
			const account = entries.get(accountSubject(userId));
			return account !== undefined && accountVersion < account.before;
		},
		add: (revocations) => {
			const nowMs = deps.now().getTime();
			removeExpired(nowMs);
			if (revocations.length === 0) return;
			for (const { subject, before } of revocations) {
				const known = entries.get(subject)?.before ?? Number.NEGATIVE_INFINITY;
				entries.delete(subject);
				const latest = Math.max(known, before ?? Number.POSITIVE_INFINITY);
				entries.set(subject, { before: latest, untilMs: nowMs + revocationKeptMs });
			}
			for (const added of listeners) added();
		},
	};
}
