import type { RegistryStatus, ServiceSnapshot } from '@paddock/discovery';
import type { DiscoveryHealth, InstanceHealth } from './health-schemas.ts';

/** UNLISTED: the registry responds and lists no healthy instance. STALE: it doesn't respond, or has lost its data. */
export type Listing = 'CURRENT' | 'UNLISTED' | 'STALE';

export interface ListedService {
	readonly snapshot: ServiceSnapshot;
	readonly instances: readonly InstanceHealth[];
}

/** Adds to each service how the registry lists it; all services are needed to distinguish the two causes. */
export function withListings<S extends ListedService>(
	services: readonly S[],
): readonly (S & { listing: Listing })[] {
	const lost = hasLostItsData(services);
	const listingOf = ({ stale, unlisted }: ServiceSnapshot): Listing => {
		if (!stale) return 'CURRENT';
		return unlisted && !lost ? 'UNLISTED' : 'STALE';
	};
	return services.map((service) => ({ ...service, listing: listingOf(service.snapshot) }));
}

/** A registry that restarted without its data lists no service although instances respond; a failed database also fails probes. */
function hasLostItsData(services: readonly ListedService[]): boolean {
	const known = services.filter(({ instances }) => instances.length > 0);
	return (
		known.length > 1 &&
		known.every(({ snapshot }) => snapshot.stale) &&
		known.some(({ instances }) => instances.some(({ status }) => status === 'UP'))
	);
}

/** Health of discovery: services that the registry doesn't list are not its failure. */
export function discoveryHealth(
	{ kind, leader, reachable, lastResponseAt, lastError }: RegistryStatus,
	services: readonly (ListedService & { readonly listing: Listing })[],
	now: Date,
): DiscoveryHealth {
	const stale = services.filter(({ listing }) => listing === 'STALE');
	const ages = stale.flatMap(({ snapshot }) => ageSeconds(snapshot.lastResponseAt, now) ?? []);
	const current = reachable && stale.length === 0;
	const lost = services.some(({ instances }) => instances.length > 0) ? 'DEGRADED' : 'DOWN';
	const unlisted = stale.length > 0 && stale.every(({ snapshot }) => snapshot.unlisted);
	const message = unlisted ? 'The registry has lost its data: it lists no service' : lastError;
	return {
		status: current ? 'UP' : lost,
		kind,
		leader: leader ?? null,
		ageSeconds: ages.length > 0 ? Math.max(...ages) : ageSeconds(lastResponseAt, now),
		stale: stale.length > 0,
		message: current ? undefined : message,
	};
}

/** Seconds since a response that confirmed the data; null before the first. */
export function ageSeconds(lastResponseAt: Date | undefined, now: Date): number | null {
	if (lastResponseAt === undefined) return null;
	return Math.max(0, Math.round((now.getTime() - lastResponseAt.getTime()) / 100) / 10);
}
