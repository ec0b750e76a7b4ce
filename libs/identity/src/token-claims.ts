import { type ClubMembers, isRole, type Principal, type Role, type RoleScopes } from './principal.ts';
import { tokenLifetimeMsMax } from './token-signer.ts';

/** The `aud` of tokens between services, so that neither kind is accepted as the other (RFC 8725 §3.9, §3.12). */
export function internalAudience(audience: string): string {
	return `${audience}-internal`;
}

interface ClaimRules {
	readonly issuer: string;
	readonly audience: string;
	readonly clockToleranceMs: number;
}

type Claim =
	| 'iss'
	| 'aud'
	| 'sub'
	| 'roles'
	| 'roleScopes'
	| 'scope'
	| 'memberId'
	| 'guardianOf'
	| 'contactFor'
	| 'accountVersion'
	| 'auth_time'
	| 'amr'
	| 'sid'
	| 'jti'
	| 'iat'
	| 'exp'
	| 'nbf';
type Claims = { readonly [name in Claim]?: unknown };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// RFC 6749 §3.3: scope-tokens with one space between them.
const scopeList = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/**
 * Returns the principal of a payload whose signature is verified; the caller checks the expiry. Every claim must have
 * exactly the shape that the signer writes (RFC 8725 §3.8–§3.12, RFC 9068 §4).
 * @throws Error with the reason; it never quotes the token.
 */
export function principalOf(payload: unknown, keyId: string, nowMs: number, rules: ClaimRules): Principal {
	const claims: Claims = asObject(payload, 'the payload');
	if (claims.iss !== rules.issuer) throw new Error('another issuer');
	// A list of audiences (RFC 7519 §4.1.3) would also address other recipients: our tokens never have one.
	if (claims.aud !== rules.audience) throw new Error('another audience');
	const { issuedAt, expiresAt } = lifetimeOf(claims, nowMs, rules);
	return Object.freeze({
		userId: uuidOf(claims.sub, 'sub'),
		roles: rolesOf(claims.roles),
		roleScopes: roleScopesOf(claims.roleScopes),
		scopes: scopesOf(claims.scope),
		memberId: claims.memberId === undefined ? undefined : uuidOf(claims.memberId, 'memberId'),
		guardianOf: claims.guardianOf === undefined ? Object.freeze([]) : idsOf(claims.guardianOf, 'guardianOf'),
		contactFor: contactForOf(claims.contactFor),
		// Services query both in columns of type uuid; other text would fail there as an internal error.
		sessionId: uuidOf(claims.sid, 'sid'),
		accountVersion: versionOf(claims.accountVersion),
		authenticatedAt: new Date(
			claims.auth_time === undefined ? 0 : instantMsOf(claims.auth_time, 'auth_time'),
		),
		authenticationMethods: methodsOf(claims.amr),
		tokenId: uuidOf(claims.jti, 'jti'),
		keyId,
		issuedAt,
		expiresAt,
	});
}

function lifetimeOf(claims: Claims, nowMs: number, rules: ClaimRules): { issuedAt: Date; expiresAt: Date } {
	const issuedAtMs = instantMsOf(claims.iat, 'iat');
	const expiresAtMs = instantMsOf(claims.exp, 'exp');
	const latestMs = nowMs + rules.clockToleranceMs;
	if (issuedAtMs > latestMs) throw new Error('issued in the future');
	if (expiresAtMs <= issuedAtMs) throw new Error('expires before it is issued');
	// Whatever its issuer.
	if (expiresAtMs - issuedAtMs > tokenLifetimeMsMax + rules.clockToleranceMs)
		throw new Error('lives too long');
	if (claims.nbf !== undefined && instantMsOf(claims.nbf, 'nbf') > latestMs) throw new Error('not valid yet');
	return { issuedAt: new Date(issuedAtMs), expiresAt: new Date(expiresAtMs) };
}

/** Seconds since 1970 as milliseconds, within the range of a Date. */
function instantMsOf(value: unknown, name: string): number {
	if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 8.64e12)
		throw new Error(`${name} is no instant`);
	return value * 1000;
}

function rolesOf(value: unknown): readonly Role[] {
	if (!Array.isArray(value) || !value.every(isRole)) throw new Error('roles are no list of known roles');
	return Object.freeze([...value]);
}

function roleScopesOf(value: unknown): RoleScopes {
	const scopes: RoleScopes = {};
	if (value === undefined) return Object.freeze(scopes);
	for (const [role, scope] of Object.entries(asObject(value, 'roleScopes'))) {
		if (!isRole(role)) throw new Error('a scope of an unknown role');
		const { clubIds } = asObject(scope, 'a scope') as { clubIds?: unknown };
		scopes[role] = Object.freeze({ clubIds: idsOf(clubIds, 'clubIds') });
	}
	return Object.freeze(scopes);
}

/** A service token and a token from before the claim have none. */
function contactForOf(value: unknown): readonly ClubMembers[] {
	if (value === undefined) return Object.freeze([]);
	if (!Array.isArray(value)) throw new Error('contactFor must be a list');
	return Object.freeze(
		value.map((entry) => {
			const { clubId, memberIds } = asObject(entry, 'an entry of contactFor') as Record<string, unknown>;
			return Object.freeze({ clubId: uuidOf(clubId, 'clubId'), memberIds: idsOf(memberIds, 'memberIds') });
		}),
	);
}

function idsOf(value: unknown, name: string): readonly string[] {
	if (!Array.isArray(value)) throw new Error(`${name} must be a list`);
	return Object.freeze(value.map((id) => uuidOf(id, `an id of ${name}`)));
}

/** The `scope` claim of RFC 8693 §4.2 and RFC 9068 §2.2.3. */
function scopesOf(value: unknown): readonly string[] {
	if (value === undefined) return Object.freeze([]);
	if (typeof value !== 'string' || !scopeList.test(value)) throw new Error('scope is not a list of scopes');
	return Object.freeze(value.split(' '));
}

/** The `amr` claim of RFC 8176. */
function methodsOf(value: unknown): readonly string[] {
	if (value === undefined) return Object.freeze([]);
	if (!Array.isArray(value) || !value.every((method) => typeof method === 'string'))
		throw new Error('amr is no list of methods');
	return Object.freeze([...value]);
}

/** A token without a version precedes every change of its account. */
function versionOf(value: unknown): number {
	if (value === undefined) return 0;
	if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
		throw new Error('accountVersion must be a version');
	return value;
}

function uuidOf(value: unknown, name: string): string {
	if (typeof value !== 'string' || !uuid.test(value)) throw new Error(`${name} is not a UUID`);
	return value;
}

function asObject(value: unknown, name: string): object {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new Error(`${name} is no object`);
	return value;
}
