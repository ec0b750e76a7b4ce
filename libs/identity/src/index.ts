export { actingMemberId, requireActingMember, requireActiveMember } from './acting-member.ts';
export { bearerToken } from './bearer-token.ts';
export { fetchKeysFrom } from './fetch-keys-from.ts';
export type { RevocationPage } from './fetch-revocations-from.ts';
export { fetchRevocationsFrom } from './fetch-revocations-from.ts';
export {
	type FollowedRevocations,
	followRevocations,
} from './followed-revocations.ts';
export { internalAudience } from './internal-audience.ts';
export type { KeySet, RefreshedKeySet } from './key-set.ts';
export { clubsCovered, hasRole, isClubOfficial, isOfficer, type Principal } from './principal.ts';
export { type JsonWebKeySet, type PublicJwk, publicJwkOf } from './public-jwk.ts';
export type { RefreshStatus } from './refresher.ts';
export { createLocalKeySet, createRemoteKeySet } from './remote-key-set.ts';
export { accountSubject, type Revocation, revocationKeptMs, sessionSubject } from './revocation.ts';
export { createRevocationList } from './revocation-list.ts';
export { type Role, type RoleScopes, roles } from './roles.ts';
export { generateSigningKey, type SigningKey } from './signing-key.ts';
export { type AccessTokenClaims, createTokenSigner, type TokenSigner } from './token-signer.ts';
export { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';
