import { startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import type { RegistryEntry } from './check-entries.ts';
import type { ConsulSettings } from './consul-access.ts';
import type { ConsulClient } from './consul-client.ts';
import type { Registration, RegistrationHandle } from './registry.ts';

/** `deregister()` guarantees 2 s: half for a call in progress, half for the deregistration. */
const stepMsMax = 1_000;

export interface ConsulRegistration extends RegistrationHandle {
	/** Stops without deregistering from Consul. */
	abandon(): Promise<void>;
}

interface ConsulRegistrationDeps {
	registration: Registration;
	client: ConsulClient;
	settings: ConsulSettings;
	logger: Logger;
	random: () => number;
}

/** Registers at once, and again when `checkRegistrationMs` checks find the instance unlisted, e.g. after a restart of the agent. */
export function startConsulRegistration(deps: ConsulRegistrationDeps): ConsulRegistration {
	const { registration, client, settings, logger } = deps;
	const { name, id } = registration;
	let attempted = false;
	let registered = false;
	let failing = false;
	let ended: Promise<void> | undefined;

	async function step(signal: AbortSignal): Promise<number> {
		// The first step registers without checking: an earlier process may have left an entry of this id with another
		// check.
		const known = attempted && (await isKnown(client, registration, signal));
		if (!known) {
			const again = attempted;
			attempted = true;
			registered = false;
			await client.register(registration, signal);
			logger.info(again ? 'registered again' : 'registered', { name, id });
		}
		registered = true;
		failing = false;
		return settings.checkRegistrationMs;
	}

	const loop = startRetryLoop({
		step,
		onFailure: (error) => {
			if (!failing) logger.warn('registration failed, trying again', { name, id, error });
			failing = true;
			registered = false;
		},
		backoffMinMs: settings.backoffMinMs,
		backoffMaxMs: settings.backoffMaxMs,
		random: deps.random,
	});

	async function leave(): Promise<void> {
		// A registration in progress must finish first: if it arrived after the deregistration, the entry would stay
		// forever.
		await loop.stop(stepMsMax);
		registered = false;
		if (!attempted) return;
		try {
			await removeEverywhere(client, registration);
			logger.info('deregistered', { name, id });
		} catch (error) {
			logger.warn('deregistration failed; the registry drops the instance after failing checks', {
				name,
				id,
				error,
			});
		}
	}

	return {
		registered: () => registered,
		deregister: () => {
			ended ??= leave();
			return ended;
		},
		abandon: async () => {
			await Promise.all([loop.stop(), ended]);
			registered = false;
		},
	};
}

/** Behind a load balancer another agent may respond, which doesn't list the instance: then the catalog decides. */
async function isKnown(
	client: ConsulClient,
	{ name, id, address, port }: Registration,
	signal: AbortSignal,
): Promise<boolean> {
	const isOurs = (found: RegistryEntry) => found.address === address && found.port === port;
	const [atAgent] = await Promise.allSettled([client.findRegistered(id, signal)]);
	if (atAgent.status === 'fulfilled' && atAgent.value !== undefined) return isOurs(atAgent.value);
	const inCatalog = await client.catalogEntries({ name, id, stale: true }, signal);
	return inCatalog.some((entry) => entry.nodePasses && isOurs(entry));
}

/**
 * Deregisters at the agent where the instance was registered, and removes the entries of other agents from the catalog. The
 * agent may use half of the time only: the catalog is needed most when it doesn't respond.
 */
async function removeEverywhere(client: ConsulClient, { name, id }: Registration): Promise<void> {
	const signal = AbortSignal.timeout(stepMsMax);
	const [atAgent] = await Promise.allSettled([client.deregister(id, AbortSignal.timeout(stepMsMax / 2))]);
	const left = await client.catalogEntries({ name, id, stale: false }, signal);
	await Promise.all(left.map(({ node }) => client.removeFromCatalog({ node, id }, signal)));
	if (atAgent.status === 'rejected' && left.length === 0) throw atAgent.reason;
}
