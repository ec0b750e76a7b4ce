import { hash } from 'node:crypto';
import { tokenLifetimeMsMax } from './token-signer.ts';

/** One entry of the revocation feed. */
export interface Revocation {
	/** `sessionSubject(…)` or `accountSubject(…)`. */
	readonly subject: string;
	/**
	 * Revokes the tokens of an account that were issued at an earlier version; null revokes all tokens of the subject.
	 */
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
