/** The rhythm of everything that talks to Consul; all in milliseconds. */
export interface ConsulSettings {
	/** How long Consul may hold a blocking query before it answers that nothing changed. */
	waitMs: number;
	/** At least this lies between the starts of two queries of one watch, however fast Consul answers. */
	pauseMs: number;
	/** The first retry after a failure; doubled by each further failure. */
	backoffMinMs: number;
	/** The longest pause between two tries: how late a recovered Consul may be noticed. */
	backoffMaxMs: number;
	/** How long the last known instances are used after Consul stopped vouching for them. */
	keepLastKnownMs: number;
	/** How often a registered process asks whether the agent still knows it. */
	checkRegistrationMs: number;
	/** After this long in a critical state Consul drops an instance by itself. Consul takes no less than a minute. */
	deregisterCriticalAfterMs: number;
	/** How often the leader is asked for, which is also how a frozen Consul is noticed between two blocking queries. */
	probeMs: number;
	/** The time-out of every call that Consul answers at once. */
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
