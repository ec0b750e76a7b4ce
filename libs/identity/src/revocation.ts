import { hash } from 'node:crypto';
import { tokenLifetimeMsMax } from './token-signer.ts';

/** One entry of the revocation feed. */
export interface Revocation {
	/** `sessionSubject(…)` or `accountSubject(…)`. */
	readonly subject: string;
	/** Refuses the tokens of an account that were issued at an earlier version of it; null refuses all of the subject. */
	readonly before: number | null;
}

/** As long as a token can be accepted after its revocation, with the clock tolerance of issuer and verifier. */
export const revocationKeptMs = tokenLifetimeMsMax + 60_000;

/** A digest: the feed needs no credentials, and so must not disclose ids of sessions. */
export function sessionSubject(sessionId: string): string {
	return hash('sha256', `session:${sessionId.toLowerCase()}`, 'base64url');
}

/** Another prefix than a session's, so that an id can't stand for both. */
export function accountSubject(userId: string): string {
	return hash('sha256', `account:${userId.toLowerCase()}`, 'base64url');
}
