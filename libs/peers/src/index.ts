export { type CountryCodes, createCountryCodes, createFoundCodes } from './country-codes.ts';
export { createKnownIds, createLookUp, type LookUp } from './look-up.ts';
export { createOpenEntries, type OpenEntries } from './open-entries.ts';
export type { CallContext, Peer } from './peer.ts';
export { createPeers, createSinglePeer, type Peers } from './peers.ts';
export { createReferenceCounter, type ReferenceCounter } from './reference-counter.ts';
export { createCachedToken, type ServiceToken } from './service-token.ts';
