import { type components, createClient, SessionEndedError, type User } from '@paddock/client';
import { signal } from '@preact/signals';
import { failureText } from './failures.ts';
import { suggestLanguage } from './language.ts';
import { go } from './navigation.ts';

/** Access tokens stay in memory; the refresh token is in a cookie that scripts can't read (decision 0077). */
export const paddock = createClient({ baseUrl: location.origin, refreshCookie: true });

/** `starting`: not known yet. `lost`: the gateway did not respond. */
export const state = signal<'starting' | 'lost' | 'out' | 'in'>('starting');
export const user = signal<User | undefined>();
/** What the sign-in page says first, e.g. that the session has ended. */
export const notice = signal<'sessionEnded' | 'signedOut' | 'passwordSet' | 'addressChanged' | undefined>();
/** Why the user could not be signed out; empty if nothing failed. */
export const signOutFailed = signal('');

const hint = /(?:^|; )paddock\.session=on(?:;|$)/;

/** Continues the session of the cookie, if there may be one. */
export async function start(): Promise<void> {
	if (!hint.test(document.cookie)) {
		state.value = 'out';
		return;
	}
	state.value = 'starting';
	try {
		await renew();
	} catch {
		state.value = 'lost';
	}
}

/** Gets the account and its rights as they are now; the page stays. @throws if the gateway does not respond */
export async function renew(): Promise<void> {
	const known = await paddock.resume();
	if (known === undefined) forget();
	else enter(known);
}

/** Shows the pages of the account. */
export function enter(known: User): void {
	user.value = known;
	notice.value = undefined;
	suggestLanguage(known.locale);
	state.value = 'in';
}

export function adopt(issued: components['schemas']['SignIn']): void {
	paddock.adopt(issued);
	enter(issued.user);
}

function forget(): void {
	// biome-ignore lint/suspicious/noDocumentCookie: removes the hint at a session; the cookie of the session is not readable.
	document.cookie = 'paddock.session=; Path=/app; Max-Age=0; SameSite=Strict';
	user.value = undefined;
	signOutFailed.value = '';
	state.value = 'out';
}

/** @throws if the gateway does not respond: the session continues, because only the gateway can remove its cookie */
export async function endSession(): Promise<void> {
	await paddock.signOut();
	forget();
}

/** Stays signed in if that fails, and shows why. */
export async function signOut(): Promise<void> {
	signOutFailed.value = '';
	try {
		await endSession();
		notice.value = 'signedOut';
		go('sign-in');
	} catch (error) {
		signOutFailed.value = failureText(error);
	}
}

/** Ends the pages of the account if the session has ended. @returns whether it has */
export function endedBy(error: unknown): boolean {
	if (!(error instanceof SessionEndedError) || state.value !== 'in') return false;
	forget();
	notice.value = 'sessionEnded';
	return true;
}

/** Leaves the account after a change that ends its sessions. One of another account may be open here. @throws as `endSession` */
export async function leaveWith(reason: NonNullable<typeof notice.value>): Promise<undefined> {
	await endSession();
	notice.value = reason;
	go('sign-in', { replace: true });
}
