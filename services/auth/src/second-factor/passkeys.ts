import { fullName } from '@paddock/text';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AuthDatabase } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { User } from '../users/store.ts';
import {
	findPasskey,
	insertChallenge,
	listPasskeys,
	notePasskeyUse,
	takeChallenge,
} from './passkey-store.ts';

/** The relying party of WebAuthn. */
export interface RelyingParty {
	/** The host name, or a domain above it, for which browsers offer the passkeys. */
	readonly id: string;
	/** Whether a page with this origin may use them. */
	readonly isOrigin: (origin: string) => boolean;
}

export interface NewPasskey {
	readonly credentialId: string;
	readonly publicKey: Buffer;
	readonly counter: number;
	readonly transports: string[];
	readonly isSynced: boolean;
}

/** What a ceremony belongs to; a response is accepted only there. */
export type CeremonyOwner =
	| { readonly kind: 'enrolment' | 'stepUp'; readonly sessionId: string }
	| { readonly kind: 'signIn'; readonly challengeHash: Buffer };

/** The ceremonies of WebAuthn. Each response answers one stored challenge, once. */
export interface Passkeys {
	creationOptions(user: User, owner: CeremonyOwner): Promise<object>;
	/** @throws ApiError PASSKEY_REFUSED */
	register(user: User, owner: CeremonyOwner, response: RegistrationResponseJSON): Promise<NewPasskey>;
	requestOptions(userId: string, owner: CeremonyOwner): Promise<object>;
	/** Returns the authentication methods (RFC 8176) that the response proves; undefined if it is not valid. */
	prove(
		userId: string,
		owner: CeremonyOwner,
		response: AuthenticationResponseJSON,
	): Promise<readonly string[] | undefined>;
}

interface PasskeysDeps {
	readonly db: AuthDatabase;
	/** Undefined if the settings name none. */
	readonly relyingParty: RelyingParty | undefined;
	readonly now: () => Date;
}

const ceremonyMs = 5 * 60_000;
// EdDSA, ES256, RS256 (RFC 9053): all authenticators have one. The library's further ones are experimental in Node.js.
const supportedAlgorithmIDs = [-8, -7, -257];

// Loaded when it is needed first: it takes 20 MB.
const webauthn = () => import('@simplewebauthn/server');

export function createPasskeys(deps: PasskeysDeps): Passkeys {
	const { db, now } = deps;
	const remember = async (userId: string, owner: CeremonyOwner, challenge: string): Promise<void> => {
		const expiresAt = new Date(now().getTime() + ceremonyMs);
		await insertChallenge(db, { challenge, userId, owner: ownerText(owner), expiresAt });
	};
	return {
		creationOptions: async (user, owner) => {
			const { id: rpID } = partyOf(deps);
			const { generateRegistrationOptions } = await webauthn();
			const options = await generateRegistrationOptions({
				rpName: 'Paddock',
				rpID,
				userName: user.email,
				userDisplayName: fullName(user),
				userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
				attestationType: 'none',
				supportedAlgorithmIDs,
				timeout: ceremonyMs,
				excludeCredentials: (await listPasskeys(db, user.id)).map(descriptorOf),
				authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
			});
			await remember(user.id, owner, options.challenge);
			return options;
		},
		requestOptions: async (userId, owner) => {
			const { id: rpID } = partyOf(deps);
			const { generateAuthenticationOptions } = await webauthn();
			const allowCredentials = (await listPasskeys(db, userId)).map(descriptorOf);
			if (allowCredentials.length === 0) throw authError('NO_PASSKEY');
			const userVerification = 'preferred';
			const request = { rpID, allowCredentials, userVerification, timeout: ceremonyMs } as const;
			const options = await generateAuthenticationOptions(request);
			await remember(userId, owner, options.challenge);
			return options;
		},
		register: (user, owner, response) => register(deps, user, owner, response),
		prove: (userId, owner, response) => prove(deps, userId, owner, response),
	};
}

function partyOf({ relyingParty }: PasskeysDeps): RelyingParty {
	if (relyingParty === undefined) throw authError('PASSKEYS_NOT_CONFIGURED');
	return relyingParty;
}

async function register(
	deps: PasskeysDeps,
	user: User,
	owner: CeremonyOwner,
	response: RegistrationResponseJSON,
): Promise<NewPasskey> {
	const { id: expectedRPID } = partyOf(deps);
	const { verifyRegistrationResponse } = await webauthn();
	const expected = await answered(deps, user.id, owner, response);
	if (expected === undefined || !(await isUnattested(response))) throw authError('PASSKEY_REFUSED');
	const options = { ...expected, expectedRPID, supportedAlgorithmIDs, requireUserVerification: false };
	const result = await verifyRegistrationResponse({ response, ...options }).catch((cause: unknown) => {
		throw authError('PASSKEY_REFUSED', { cause });
	});
	if (!result.verified) throw authError('PASSKEY_REFUSED');
	const { credential, credentialDeviceType } = result.registrationInfo;
	return {
		credentialId: credential.id,
		publicKey: Buffer.from(credential.publicKey),
		counter: credential.counter,
		transports: [...(credential.transports ?? [])],
		isSynced: credentialDeviceType === 'multiDevice',
	};
}

async function prove(
	deps: PasskeysDeps,
	userId: string,
	owner: CeremonyOwner,
	response: AuthenticationResponseJSON,
): Promise<readonly string[] | undefined> {
	const { id: expectedRPID } = partyOf(deps);
	const passkey = await findPasskey(deps.db, userId, response.id);
	const { verifyAuthenticationResponse } = await webauthn();
	const expected = await answered(deps, userId, owner, response);
	if (expected === undefined || passkey === undefined) return undefined;
	const { credentialId: id, publicKey, counter } = passkey;
	const credential = { id, publicKey: new Uint8Array(publicKey), counter };
	const options = { response, ...expected, expectedRPID, credential, requireUserVerification: false };
	const result = await verifyAuthenticationResponse(options).catch(() => undefined);
	if (result?.verified !== true) return undefined;
	// False if another response with the same or a later counter was accepted: the key may be a copy.
	const isUsed = await notePasskeyUse(deps.db, passkey, result.authenticationInfo.newCounter, deps.now());
	return isUsed ? [passkey.isSynced ? 'swk' : 'hwk', 'mfa'] : undefined;
}

function descriptorOf({ credentialId: id, transports }: { credentialId: string; transports: string[] }) {
	return { id, transports };
}

function ownerText(owner: CeremonyOwner): string {
	return owner.kind === 'signIn'
		? `signIn ${owner.challengeHash.toString('base64url')}`
		: `${owner.kind} ${owner.sessionId}`;
}

/** The stored challenge and the origin that the response answers; uses the challenge. Undefined if there is none. */
async function answered(
	{ db, now, ...deps }: PasskeysDeps,
	userId: string,
	owner: CeremonyOwner,
	{ response }: { readonly response: { readonly clientDataJSON: string } },
): Promise<{ readonly expectedChallenge: string; readonly expectedOrigin: string } | undefined> {
	const { challenge, origin } = clientDataOf(response.clientDataJSON);
	if (typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
	if (!(await takeChallenge(db, { challenge, userId, owner: ownerText(owner), at: now() }))) return undefined;
	if (!partyOf({ db, now, ...deps }).isOrigin(origin)) return undefined;
	return { expectedChallenge: challenge, expectedOrigin: origin };
}

function clientDataOf(text: string): { readonly challenge?: unknown; readonly origin?: unknown } {
	try {
		const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
		return typeof data === 'object' && data !== null ? data : {};
	} catch {
		return {}; // The caller refuses the response.
	}
}

/**
 * No certificate is requested, and none is accepted: its verification would fetch revocation lists from addresses that the
 * certificate names.
 */
async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
	const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
	try {
		const attestation = decodeAttestationObject(
			new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
		);
		const format = attestation.get('fmt');
		return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
	} catch {
		return false;
	}
}
