export { type AddressCheck, checkAddress, isUsableAddress } from './address.ts';
export {
	type ConsulVariables,
	falseWords,
	readConsulAccess,
	trueWords,
} from './consul-access.ts';
export { parseConsulAddresses } from './consul-address.ts';
export { type ConsulSettings, consulDefaults } from './consul-settings.ts';
export { createDnsRegistry } from './dns-registry.ts';
export { type InstanceStore, type InstanceStoreDeps, openInstanceStore } from './instance-store.ts';
export type { KubernetesAccess } from './kubernetes-api.ts';
export { createKubernetesRegistry } from './kubernetes-registry.ts';
export { type MutualTls, type MutualTlsDeps, openMutualTls } from './mutual-tls.ts';
export type {
	Instance,
	Registration,
	RegistrationHandle,
	Registry,
	RegistryStatus,
	ServiceSnapshot,
	Watch,
} from './registry.ts';
export { createServiceAgents, type ServiceAgents, serviceAgent } from './service-agents.ts';
export { parseServiceInstances, parseServiceTargets, type ServiceTarget } from './service-instances.ts';
export { createStaticRegistry, type StaticRegistryDeps } from './static-registry.ts';
export { usableLookup } from './usable-lookup.ts';
