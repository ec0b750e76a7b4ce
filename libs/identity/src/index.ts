export { fetchKeysFrom } from './fetch-keys-from.ts';
export { fetchRevocationsFrom, type RevocationPage } from './fetch-revocations-from.ts';
export { type FollowedRevocations, followRevocations } from './followed-revocations.ts';
export type { KeySet, RefreshedKeySet } from './key-set.ts';
export {
	actedFor,
	actingMember,
	activePrincipal,
	actsFor,
	type ClubMembers,
	clubsCovered,
	hasRecentSecondFactor,
	hasRole,
	isClubOfficial,
	isContactFor,
	isOfficer,
	membersActedFor,
	membersToCheck,
	type Principal,
	type Role,
	type RoleScopes,
	representedMax,
	requireActingMember,
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
export {
	type AccessTokenClaims,
	claimsMarginMs,
	createTokenSigner,
	type TokenSigner,
} from './token-signer.ts';
export { bearerToken, createTokenVerifier, type TokenVerifier } from './token-verifier.ts';
