/** Timing of all calls to Consul, in milliseconds. */
export interface ConsulSettings {
	/** Wait of a blocking query before Consul responds without a change. */
	waitMs: number;
	/** Minimum interval between the starts of two queries of one watch. */
	pauseMs: number;
	/** Delay before the first retry; doubled by each further failure. */
	backoffMinMs: number;
	/** Longest delay between two attempts; bounds the time to detect a recovered Consul. */
	backoffMaxMs: number;
	/** Period for which the last known instances are used after Consul stopped confirming them. */
	keepLastKnownMs: number;
	/** Interval at which a registered process checks that the agent still lists it. */
	checkRegistrationMs: number;
	/** Period in a critical state after which Consul removes an instance. Consul's minimum is one minute. */
	deregisterCriticalAfterMs: number;
	/** Interval of the leader query, which also detects a frozen Consul between two blocking queries. */
	probeMs: number;
	/** Time-out of every non-blocking call. */
	callTimeoutMs: number;
}

export const consulDefaults: ConsulSettings = {
	waitMs: 25_000,
	pauseMs: 1_000,
	backoffMinMs: 200,
	backoffMaxMs: 5_000,
	keepLastKnownMs: 600_000,
	checkRegistrationMs: 10_000,
	deregisterCriticalAfterMs: 60_000,
	probeMs: 10_000,
	callTimeoutMs: 5_000,
};
