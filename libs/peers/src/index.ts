export { type CountryCodes, createCountryCodes, createFoundCodes } from './country-codes.ts';
export { createKnownIds, createLookUp, type LookUp } from './look-up.ts';
export { createOpenEntries, type OpenEntries } from './open-entries.ts';
export type { CallingRequest, Peer } from './peer.ts';
export { openPeers, openSinglePeer, type Peers } from './peers.ts';
export { createReferenceCounter, type ReferenceCounter } from './reference-counter.ts';
export { openCachedToken, type ServiceToken } from './service-token.ts';
