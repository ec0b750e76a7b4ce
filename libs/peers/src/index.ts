export type { BreakerSettings } from '@paddock/circuit-breaker';
export { createFoundCodes, type FoundCodes } from './found-codes.ts';
export { createLookUp, type LookUp } from './look-up.ts';
export type { CallContext, Peer, PeerRequest, PeerService } from './peer.ts';
export { createPeers, type Peers, type PeersDeps } from './peers.ts';
export { createReferenceCounter, type ReferenceCounter } from './reference-counter.ts';
export type { ServiceToken } from './service-token.ts';
export { createSinglePeer, type SinglePeer, type SinglePeerDeps } from './single-peer.ts';
