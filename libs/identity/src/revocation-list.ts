import { hash } from 'node:crypto';
import type { Principal } from './principal.ts';
import { tokenLifetimeMsMax } from './token-signer.ts';

export interface Revocation {
	/** `sessionSubject(…)` or `accountSubject(…)`. */
	readonly subject: string;
	/** Revokes the tokens of an account from earlier versions; null revokes all tokens of the subject. */
	readonly before: number | null;
}

/** The longest time a token can be accepted after its revocation, with the clock tolerance of issuer and verifier. */
export const revocationKeptMs = tokenLifetimeMsMax + 60_000;

/** A digest: the feed requires no credentials and must not disclose session ids. */
export function sessionSubject(sessionId: string): string {
	return hash('sha256', `session:${sessionId.toLowerCase()}`, 'base64url');
}

/** The prefix differs from that of a session, so that one id can't match both. */
export function accountSubject(userId: string): string {
	return hash('sha256', `account:${userId.toLowerCase()}`, 'base64url');
}

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
