import type { CombinedHealth, ComponentHealth } from './combined-health.ts';
import type { Listing } from './discovery-health.ts';
import { contextsOf, type NewChange, type StateChange } from './health-history.ts';
import type { InstanceHealth, ServiceHealth } from './health-schemas.ts';

/** The changes between two rounds, except of breakers. `shown`: earlier changes, the newest first. */
export function healthChanges(
	before: CombinedHealth,
	after: CombinedHealth,
	shown: readonly StateChange[],
): readonly NewChange[] {
	return Object.entries(after.components).flatMap(([name, component]) => {
		const former = before.components[name];
		if (former === undefined) return [];
		const status = statusChange(name, former, component);
		return isService(former) && isService(component)
			? [
					...listingChange(name, former, component, after, shown),
					...instancesChange(name, former, component),
					...status,
				]
			: status;
	});
}

/** Whether the change needs no attention: a component is up again, or the registry lists a service or more instances again. */
export function isRecovery({ what, from, to }: NewChange): boolean {
	return what === 'instances' ? Number(to) > Number(from) : to === 'UP' || to === 'CURRENT';
}

function statusChange(context: string, former: ComponentHealth, component: ComponentHealth): NewChange[] {
	if (former.status === component.status) return [];
	const instance = isService(component) ? firstUnwell(component) : undefined;
	const [before, now] = [failingChecks(former), failingChecks(component)];
	const check = now ?? before;
	return [
		{
			context,
			instance: instance?.id,
			what: context === 'discovery' ? 'discovery' : 'health',
			from: former.status,
			to: component.status,
			cause:
				before !== undefined && now === undefined
					? recoveryOf(before, component)
					: causeOf(former, component),
			check,
		},
	];
}

/** The names of the dependencies that fail; the service works without a DEGRADED one. */
function failingChecks(component: ComponentHealth): string | undefined {
	if (!isService(component)) return undefined;
	const failing = Object.entries(component.components ?? {}).filter(([, { status }]) => status === 'DOWN');
	return failing.length === 0 ? undefined : failing.map(([name]) => name).join(', ');
}

function recoveryOf(checks: string, component: ComponentHealth): string {
	const responds = `${checks}: responds again`;
	return component.status === 'UP' ? responds : `${responds}; ${causeOf(undefined, component)}`;
}

function causeOf(former: ComponentHealth | undefined, component: ComponentHealth): string {
	if ('draining' in component && component.draining) return 'the gateway shuts down';
	if ('revocations' in component && component.revocations.stale) return 'the list of revoked tokens is stale';
	if ('rateLimits' in component && component.rateLimits.keptIn === 'redis unavailable: memory')
		return 'Redis is unavailable; this gateway counts requests alone';
	if ('workers' in component && component.workers !== undefined && component.status !== 'UP')
		return `${component.workers.ready} of ${component.workers.configured} workers are ready`;
	if ('contextsFile' in component && component.contextsFile?.problems.length)
		return 'CONTEXTS_FILE is not valid; the former one is used';
	const reason = 'reason' in component ? component.reason : undefined;
	const message = 'message' in component ? component.message : undefined;
	const parts = [reason, message].filter((part) => part !== undefined);
	if (parts.length > 0) return parts.join(': ');
	if (component.status !== 'UP') return 'the registry is not current';
	const wasUnlisted = former !== undefined && isService(former) && former.reason === 'NO_INSTANCES';
	return wasUnlisted ? 'the registry lists it again' : 'responds normally again';
}

function firstUnwell(service: ServiceHealth): InstanceHealth | undefined {
	return service.instances.find(({ status }) => status !== 'UP');
}

function listingChange(
	context: string,
	former: ServiceHealth,
	service: ServiceHealth,
	after: CombinedHealth,
	shown: readonly StateChange[],
): NewChange[] {
	const [from, to] = [listingOf(former), listingOf(service)];
	if (from === to) return [];
	// Consul's check calls the same /health: an unlisted service repeats the change of its health.
	if (to === 'UNLISTED' && [former, service].some((health) => failingChecks(health) !== undefined)) return [];
	// The change of health says it, unless the history would end with the service unlisted.
	const last = shown.find((change) => change.what === 'discovery' && contextsOf(change).includes(context));
	if (from === 'UNLISTED' && former.status !== service.status && (last?.to ?? to) === to) return [];
	return [{ context, what: 'discovery', from, to, cause: listingCause(from, to, after) }];
}

function listingOf({ discovery }: ServiceHealth): Listing {
	if (discovery.stale) return 'STALE';
	return discovery.unlisted ? 'UNLISTED' : 'CURRENT';
}

function listingCause(from: Listing, to: Listing, { components: { discovery } }: CombinedHealth): string {
	if (to === 'UNLISTED') return 'the registry lists no healthy instance';
	if (to === 'CURRENT') return `the registry ${from === 'STALE' ? 'responds' : 'lists it'} again`;
	const message = discovery !== undefined && 'message' in discovery ? discovery.message : undefined;
	return message ?? 'the registry does not respond';
}

function instancesChange(context: string, former: ServiceHealth, service: ServiceHealth): NewChange[] {
	const ids = (health: ServiceHealth) => health.instances.map(({ id }) => id);
	const come = ids(service).filter((id) => !ids(former).includes(id));
	const gone = ids(former).filter((id) => !ids(service).includes(id));
	if (come.length + gone.length === 0) return [];
	const said = [
		...(gone.length === 0 ? [] : [`gone: ${gone.join(', ')}`]),
		...(come.length === 0 ? [] : [`new: ${come.join(', ')}`]),
	];
	return [
		{
			context,
			what: 'instances',
			from: String(former.instances.length),
			to: String(service.instances.length),
			cause: said.join('; '),
		},
	];
}

function isService(component: ComponentHealth): component is ServiceHealth {
	return 'instances' in component;
}
