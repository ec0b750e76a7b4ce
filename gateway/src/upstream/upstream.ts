import type { Instance } from '@paddock/discovery';
import type { Forwarder } from '../forwarder/forwarder.ts';
import type { Bulkhead } from '../resilience/bulkhead.ts';
import type { OverridableBreaker } from '../resilience/overridable-breaker.ts';

/** One instance of a service with its breaker, bulkhead and connections. */
export interface Upstream {
	readonly instance: Instance;
	readonly service: string;
	readonly breaker: OverridableBreaker;
	readonly bulkhead: Bulkhead;
	readonly forwarder: Forwarder;
	/** Attempts in flight or waiting for a bulkhead slot. */
	inFlight: number;
}

/** The part of an upstream that is kept during a short absence of its instance from the registry. */
export type InstanceState = Pick<Upstream, 'breaker' | 'bulkhead'>;
