import type { CombinedHealth, ComponentHealth } from './combined-health.ts';
import type { StateChange } from './health-history.ts';
import type { InstanceHealth, ServiceHealth } from './health-schemas.ts';

type Change = Omit<StateChange, 'at'>;

/** The changes between two rounds, without breakers, which report their own changes immediately. */
export function healthChanges(before: CombinedHealth, after: CombinedHealth): readonly Change[] {
	return Object.entries(after.components).flatMap(([name, component]) => {
		const former = before.components[name];
		if (former === undefined) return [];
		const status = statusChange(name, former, component);
		return isService(former) && isService(component)
			? [
					...discoveryChange(name, former, component, after),
					...instancesChange(name, former, component),
					...status,
				]
			: status;
	});
}

function statusChange(context: string, former: ComponentHealth, component: ComponentHealth): Change[] {
	if (former.status === component.status) return [];
	const instance = isService(component) ? firstUnwell(component) : undefined;
	return [
		{
			context,
			...(instance === undefined ? {} : { instance: instance.id }),
			what: context === 'discovery' ? 'discovery' : 'health',
			from: former.status,
			to: component.status,
			cause: causeOf(component),
		},
	];
}

function causeOf(component: ComponentHealth): string {
	if ('draining' in component && component.draining) return 'the gateway shuts down';
	if ('revocations' in component && component.revocations.stale) return 'the list of revoked tokens is stale';
	if ('rateLimits' in component && component.rateLimits.keptIn === 'redis unavailable: memory')
		return 'Redis is unavailable; this gateway counts requests alone';
	const reason = 'reason' in component ? component.reason : undefined;
	const message = 'message' in component ? component.message : undefined;
	const parts = [reason, message].filter((part) => part !== undefined);
	if (parts.length > 0) return parts.join(': ');
	return component.status === 'UP' ? 'responds normally again' : 'the registry is not current';
}

function firstUnwell(service: ServiceHealth): InstanceHealth | undefined {
	return service.instances.find(({ status }) => status !== 'UP');
}

function discoveryChange(
	context: string,
	former: ServiceHealth,
	service: ServiceHealth,
	after: CombinedHealth,
): Change[] {
	const word = (stale: boolean) => (stale ? 'STALE' : 'CURRENT');
	if (former.discovery.stale === service.discovery.stale) return [];
	const { discovery } = after.components;
	const lost = discovery !== undefined && 'message' in discovery ? discovery.message : undefined;
	const cause = service.discovery.stale
		? (lost ?? 'the registry suddenly named no usable instance')
		: 'the registry responds again';
	return [
		{
			context,
			what: 'discovery',
			from: word(former.discovery.stale),
			to: word(service.discovery.stale),
			cause,
		},
	];
}

function instancesChange(context: string, former: ServiceHealth, service: ServiceHealth): Change[] {
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
