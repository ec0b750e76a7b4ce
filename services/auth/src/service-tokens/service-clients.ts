/** One service as a client of the others. */
export interface ServiceClient {
	/** UUID, the `sub` of its tokens; fixed, so that a log says over years who it was. */
	readonly id: string;
	/** What it may ask of others, as their internal routes name it. */
	readonly scopes: readonly string[];
}

/** Who may get a service token, and for what. A right between services is a line of code and has its review. */
export const serviceClients = {
	'members-service': {
		id: '5e000000-0000-4000-8000-000000000001',
		scopes: ['horses:lookup', 'references:count'],
	},
	'masterdata-service': { id: '5e000000-0000-4000-8000-000000000005', scopes: ['references:count'] },
	'horses-service': { id: '5e000000-0000-4000-8000-000000000002', scopes: ['members:lookup'] },
	'events-service': {
		id: '5e000000-0000-4000-8000-000000000003',
		scopes: ['members:lookup', 'horses:lookup'],
	},
} as const satisfies Record<string, ServiceClient>;

/** The auth service itself, which signs its own token and needs no secret. */
export const authServiceClient: ServiceClient = {
	id: '5e000000-0000-4000-8000-000000000010',
	scopes: ['members:lookup'],
};

export type ServiceClientName = keyof typeof serviceClients;

export const serviceClientNames = Object.keys(serviceClients) as readonly ServiceClientName[];

export function isServiceClient(name: string): name is ServiceClientName {
	return Object.hasOwn(serviceClients, name);
}
