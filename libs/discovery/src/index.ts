export type { IsForbidden } from './check-entries.ts';
export { readConsulAccess } from './consul-access.ts';
export { openConsulRegistry } from './consul-registry.ts';
export { openDnsRegistry } from './dns-registry.ts';
export { type InstanceStore, openInstanceStore } from './instance-store.ts';
export { openKubernetesRegistry } from './kubernetes-registry.ts';
export { type MutualTls, openMutualTls } from './mutual-tls.ts';
export {
	type Instance,
	instanceAt,
	type RegistrationHandle,
	type Registry,
	type RegistryStatus,
	type ServiceSnapshot,
	type Watch,
} from './registry.ts';
export {
	closeIdleSockets,
	openServiceAgents,
	retireAgent,
	serviceAgent,
	usableLookup,
} from './service-agents.ts';
export { parseServiceInstances, parseServiceTargets } from './service-instances.ts';
export { openStaticRegistry } from './static-registry.ts';
