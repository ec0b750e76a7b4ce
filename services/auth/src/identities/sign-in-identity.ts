import { randomBytes } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import { emailAddress, familyName, givenNamesBody } from '@paddock/service';
import { isInvited } from '../account-tokens/store.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { revokeSessions } from '../revocations/store.ts';
import { continueSignIn, sourceOf } from '../sign-in/continue-sign-in.ts';
import type { SignInRequest } from '../sign-in/finish-sign-in.ts';
import { forgetReplaced } from '../sign-in/register-account.ts';
import { secondsUntil } from '../sign-in/schemas.ts';
import { addressSeries } from '../sign-in/sign-in-subject.ts';
import { localeOf } from '../users/schemas.ts';
import { findUserByEmail, registerUser, type User } from '../users/store.ts';
import type { ExternalIdentity } from './identity-provider.ts';
import { stepLivesMs, storeStep } from './steps.ts';
import { findIdentityUser, insertIdentity, noteIdentityUse } from './store.ts';

export interface IdentityRequest extends SignInRequest {
	readonly signal: AbortSignal;
	/** The secret of the browser in which the sign-in began. */
	readonly browser: string;
}

/**
 * Signs in the account of an identity. Without one:
 *  1. only an address that the provider has verified counts
 *  2. an account with this address is never taken over: its owner confirms first
 *  3. otherwise an account is created, if the settings allow it; one whose address was never verified is replaced, as by a
 *     registration: whoever made it has not proven the address. Not an invited one, for which 2 applies
 * @throws ApiError OIDC_EMAIL_UNVERIFIED, OIDC_LINK_REQUIRED, OIDC_ACCOUNT_UNKNOWN; those of `continueSignIn`
 */
export async function signInIdentity(deps: AuthDeps, request: IdentityRequest, identity: ExternalIdentity) {
	const user = (await findIdentityUser(deps.db, identity)) ?? (await newAccount(deps, request, identity));
	if (user.status === 'CLOSED') throw authError('OIDC_ACCOUNT_UNKNOWN');
	const source = await sourceOf(deps, request, user);
	// First: with a second step, `continueSignIn` throws its challenge.
	await noteIdentityUse(deps.db, identity, deps.now());
	return continueSignIn(deps, request, { user, source, methods: ['fed'] });
}

async function newAccount(
	deps: AuthDeps,
	request: IdentityRequest,
	identity: ExternalIdentity,
): Promise<User> {
	const { data: email } = emailAddress.safeParse(identity.email);
	if (!identity.emailVerified || email === undefined) throw authError('OIDC_EMAIL_UNVERIFIED'); // 1
	const found = (await findUserByEmail(deps.db, email))?.user;
	const isUnproven = found?.status === 'ACTIVE' && found.emailVerifiedAt === null;
	const isReplaceable = isUnproven && !(await isInvited(deps.db, found.id, deps.now()));
	if (found !== undefined && !isReplaceable) throw await linkRequired(deps, request, found, identity); // 2
	if (deps.identityProvider?.createsAccounts !== true) throw authError('OIDC_ACCOUNT_UNKNOWN'); // 3
	const user = await createAccount(deps, request, { ...identity, email });
	// Another request has just registered the address.
	if (user === undefined) throw authError('OIDC_CODE_INVALID');
	request.log.info('an account was created for an external identity', { userId: user.id });
	return user;
}

async function linkRequired(
	deps: AuthDeps,
	{ browser }: IdentityRequest,
	user: User,
	identity: ExternalIdentity,
) {
	if (user.status === 'CLOSED') return authError('OIDC_ACCOUNT_UNKNOWN');
	const content = { userId: user.id, identity };
	const linkToken = await storeStep(deps, { kind: 'LINK', browser, content });
	const at = deps.now();
	const expiresIn = secondsUntil(new Date(at.getTime() + stepLivesMs.LINK), at);
	return authError('OIDC_LINK_REQUIRED', { context: { linkToken, expiresIn, email: user.email } });
}

async function createAccount(
	{ db, passwordQueue, passwordHash, now }: AuthDeps,
	{ address, signal }: IdentityRequest,
	identity: ExternalIdentity & { readonly email: string },
): Promise<User | undefined> {
	// Nobody knows this password: its owner sets one with the mail of a forgotten password.
	const secret = randomBytes(32).toString('base64url');
	const turn = { key: addressSeries(address), signal };
	const hash = await passwordQueue.run(turn, () => passwordHash.hash(secret));
	return inTransaction(db, async (transaction) => {
		const at = now();
		const { email } = identity;
		const rights = { roles: ['MEMBER'], roleScopes: {}, isDemo: false } as const;
		const person = { ...nameOf(identity), locale: localeOf(identity.locale), phoneNumber: null };
		const account = { email, ...person, ...rights, passwordHash: hash, emailVerifiedAt: at };
		const user = await registerUser(transaction, account, at);
		if (user === undefined) return undefined;
		await insertIdentity(transaction, user.id, identity, at);
		if (user.version > 1)
			await revokeSessions(transaction, await forgetReplaced(transaction, user.id, at), at);
		return user;
	});
}

/** Providers need not state names in two parts, nor names that ours allow. */
function nameOf({
	email,
	givenName,
	familyName: family,
	name,
}: ExternalIdentity & { readonly email: string }) {
	const last = familyName.safeParse(family);
	if (last.success)
		return { firstName: givenNamesBody.safeParse(givenName ?? '').data ?? '', lastName: last.data };
	const whole = familyName.safeParse(name);
	return { firstName: '', lastName: whole.data ?? email.slice(0, email.lastIndexOf('@')) };
}
