import { type WatchSettings, watchDefaults } from './service-watch.ts';

/** Timing of all calls to Consul, in milliseconds. */
export interface ConsulSettings extends WatchSettings {
	/** Wait of a blocking query before Consul responds without a change. */
	waitMs: number;
	/** Interval at which a registered process checks that the agent still lists it. */
	checkRegistrationMs: number;
	/** Period in a critical state after which Consul removes an instance. Consul's minimum is one minute. */
	deregisterCriticalAfterMs: number;
	/** Interval of the leader query, which also detects a frozen Consul during blocking queries. */
	probeMs: number;
	/** Time-out of the leader query. */
	probeTimeoutMs: number;
	/** Time-out of every other non-blocking call. */
	callTimeoutMs: number;
}

export const consulDefaults: ConsulSettings = {
	waitMs: 25_000,
	pauseMs: 1_000,
	...watchDefaults,
	checkRegistrationMs: 10_000,
	deregisterCriticalAfterMs: 60_000,
	probeMs: 2_000,
	probeTimeoutMs: 2_000,
	callTimeoutMs: 5_000,
};
