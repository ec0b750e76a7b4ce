import type { Registry } from '@paddock/discovery';
import type { TokenVerifier } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import { type ContractHealth, createHealthView, type HealthReading } from './combined-health.ts';
import { healthChanges, isRecovery } from './health-changes.ts';
import { createHealthDetails } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';
import type { GatewayHealth } from './health-schemas.ts';
import { openHealthStream } from './health-stream.ts';
import { createLatencySamples } from './latency-samples.ts';
import type { Prober } from './probe.ts';
import { observeSilentInstances } from './silent-instances.ts';

export interface OpenHealthDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly registry: Registry;
	readonly prober: Prober;
	readonly verifier: TokenVerifier;
	readonly history: HealthHistory;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly self: () => Omit<GatewayHealth, 'status'>;
	readonly contractState: (context: string) => ContractHealth | undefined;
}

export type OpenedHealth = ReturnType<typeof openHealth>;

// The status page must be current within a few seconds. A timer may fire a millisecond early and would then reuse the
// previous round.
const streamIntervalMs = 1_005;

/** The background parts of health: one view for all callers, its history, its listeners. */
export function openHealth(deps: OpenHealthDeps) {
	const { config, history, logger } = deps;
	const samples = createLatencySamples();
	let latest: HealthReading | undefined;
	const observeProbe = observeSilentInstances();
	let isUndecided = false;
	let confirmation: NodeJS.Timeout | undefined;
	// Does not wait for the next interval with an instance that gets requests and may be hanging.
	const confirmSoon = (): void => {
		clearTimeout(confirmation);
		confirmation = setTimeout(read, Math.max(streamIntervalMs, config.HEALTH_SHARED_MS + 5)).unref();
	};
	const view = createHealthView({
		...deps,
		sharedMs: config.HEALTH_SHARED_MS,
		onProbe: (upstream, probe) => {
			if (observeProbe(upstream, probe)) isUndecided = true;
		},
		onRound: (reading) => {
			if (isUndecided) confirmSoon();
			isUndecided = false;
			const changes =
				latest === undefined ? [] : healthChanges(latest.health, reading.health, history.list());
			latest = reading;
			samples.add(reading);
			for (const change of changes) {
				history.record(change, reading.at);
				logger.log(isRecovery(change) ? 'info' : 'warn', 'state changed', { ...change });
			}
		},
	});
	const stream = openHealthStream({
		view,
		history,
		logger,
		intervalMs: streamIntervalMs,
		listenersMax: config.HEALTH_LISTENERS_MAX,
		// Clients of OPS_PORT are not limited.
		listenersPerClientMax:
			config.OPS_PORT === undefined ? config.HEALTH_LISTENERS_PER_CLIENT_MAX : Number.POSITIVE_INFINITY,
	});
	// Detects changes of health without requests, which share its rounds.
	const watch = setInterval(read, config.HEALTH_WATCH_MS).unref();
	function read(): void {
		view.read().catch((error: unknown) => logger.error('health could not be read', { error }));
	}
	return {
		view,
		history,
		stream,
		samples,
		details: createHealthDetails({ policy: detailsPolicy(config), verifier: deps.verifier }),
		/** The result of the latest round; undefined before the first. */
		latest: () => latest,
		close: (): void => {
			clearInterval(watch);
			clearTimeout(confirmation);
			stream.close();
		},
	};
}

/** Who reaches the port of its own is decided by the network; and who looks for the cause of a failure of auth has no token. */
function detailsPolicy({ HEALTH_DETAILS, OPS_PORT }: GatewayConfig): GatewayConfig['HEALTH_DETAILS'] {
	return OPS_PORT === undefined ? HEALTH_DETAILS : 'always';
}
