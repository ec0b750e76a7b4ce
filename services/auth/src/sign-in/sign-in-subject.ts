import { hash } from 'node:crypto';
import { clientNetwork } from '@paddock/service';

/** Source of a password attempt; failures are counted for each kind separately. */
export type SignInSource =
	/** A device that has not signed in to this account before. All of them share one series per account. */
	| { readonly kind: 'unknownDevice'; readonly email: string; readonly address: string }
	/** A device that has signed in to this account before and proved it with its token. */
	| { readonly kind: 'knownDevice'; readonly deviceId: string }
	/** A signed-in user who confirms the current password. */
	| { readonly kind: 'session'; readonly sessionId: string; readonly address: string }
	/**
	 * The second factor of an account. `series` is the known device or the session, whose failures are counted apart; all
	 * unknown devices of an account share one.
	 */
	| {
			readonly kind: 'secondFactor';
			readonly userId: string;
			readonly series: string | undefined;
			readonly address: string;
	  };

/** A source of passwords. */
export type PasswordSource = Exclude<SignInSource, { kind: 'secondFactor' }>;

/** Counters to which a failed attempt is added. */
export interface Subject {
	/** Key of the account's unknown devices together, of one known device, or of one session. */
	readonly seriesKey: string;
	/**
	 * Undefined if the client address doesn't count: a known device or a session isn't blocked for the failures of its
	 * neighbours.
	 */
	readonly addressKey: string | undefined;
}

/**
 * Hashed, so that the table doesn't disclose who tried to sign in from which address. Accounts are distinguished by the
 * submitted e-mail address, whether the account exists or not (OWASP ASVS 5 §6.3.8).
 */
export function subjectOf(source: SignInSource): Subject {
	if (source.kind === 'knownDevice')
		return { seriesKey: deviceSeries(source.deviceId), addressKey: undefined };
	if (source.kind === 'secondFactor') {
		const { userId, series, address } = source;
		if (series !== undefined) return { seriesKey: factorSeries(series), addressKey: undefined };
		return { seriesKey: factorSeries(userId), addressKey: addressSeries(address) };
	}
	if (source.kind === 'session') return { seriesKey: sessionSeries(source.sessionId), addressKey: undefined };
	return { seriesKey: accountSeries(source.email), addressKey: addressSeries(source.address) };
}

/**
 * Line of the password hash queue for the work. A session uses the line of its client address: one account can open any
 * number of sessions, and a line for each would fill the queue.
 */
export function queueLineOf(source: PasswordSource): { readonly key: string; readonly preferred: boolean } {
	if (source.kind === 'knownDevice') return { key: deviceSeries(source.deviceId), preferred: true };
	return { key: addressSeries(source.address), preferred: false };
}

export const accountSeries = (email: string) => digest(`account ${email}`);
export const deviceSeries = (deviceId: string) => digest(`device ${deviceId}`);
export const sessionSeries = (sessionId: string) => digest(`session ${sessionId}`);
/** @param of id of an account, a known device or a session */
export const factorSeries = (of: string) => digest(`second factor ${of}`);
export const addressSeries = (address: string) => digest(`address ${clientNetwork(address)}`);

function digest(text: string): string {
	return hash('sha256', text, 'base64url');
}
