export { fetchKeysFrom } from './fetch-keys-from.ts';
export { fetchRevocationsFrom, type RevocationPage } from './fetch-revocations-from.ts';
export { type FollowedRevocations, followRevocations } from './followed-revocations.ts';
export type { KeySet, RefreshedKeySet } from './key-set.ts';
export {
	actingMemberId,
	clubsCovered,
	hasRecentSecondFactor,
	hasRole,
	isClubOfficial,
	isOfficer,
	type Principal,
	type Role,
	type RoleScopes,
	requireActingMember,
	requireActiveMember,
	roles,
} from './principal.ts';
export type { RefreshStatus } from './refresher.ts';
export { createLocalKeySet, openRemoteKeySet } from './remote-key-set.ts';
export {
	accountSubject,
	createRevocationList,
	type Revocation,
	revocationKeptMs,
	sessionSubject,
} from './revocation-list.ts';
export {
	generateSigningKey,
	type JsonWebKeySet,
	type PublicJwk,
	publicJwkOf,
	type SigningKey,
} from './signing-key.ts';
export { internalAudience } from './token-claims.ts';
export { type AccessTokenClaims, createTokenSigner, type TokenSigner } from './token-signer.ts';
export { bearerToken, createTokenVerifier, type TokenVerifier } from './token-verifier.ts';
