import type { RegistryEntry } from './check-entries.ts';

/** The fields in use. https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoint-slice-v1/ */
export interface EndpointSlice {
	readonly metadata: { readonly name: string; readonly resourceVersion: string };
	readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
	readonly endpoints?: readonly Endpoint[] | null;
	readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

interface Endpoint {
	/** All of them lead to the same pod. */
	readonly addresses: readonly string[];
	/** An absent value counts as ready and serving. */
	readonly conditions?: {
		readonly ready?: boolean;
		/** Like `ready`, regardless of termination. */
		readonly serving?: boolean;
		readonly terminating?: boolean;
	};
	readonly targetRef?: { readonly name?: string };
}

type Condition = (endpoint: Endpoint) => boolean;

const isReady: Condition = ({ conditions: { ready, terminating } = {} }) =>
	ready !== false && terminating !== true;
const isServing: Condition = ({ conditions: { serving, terminating } = {} }) =>
	serving !== false && terminating === true;

/**
 * The pods of a service that get requests, by the rule of kube-proxy: the ready ones; if there are none, those that still
 * serve while they terminate. Pods with addresses of both families have a slice of each; IPv4 is used then.
 */
export function podsOf(slices: readonly EndpointSlice[]): readonly RegistryEntry[] {
	for (const condition of [isReady, isServing]) {
		for (const family of ['IPv4', 'IPv6']) {
			const pods = slices
				.filter(({ addressType }) => addressType === family)
				.flatMap((slice) => entriesOf(slice, condition));
			if (pods.length > 0) return pods;
		}
	}
	return [];
}

function entriesOf({ endpoints, ports }: EndpointSlice, condition: Condition): readonly RegistryEntry[] {
	const port = ports?.find(({ name }) => name === 'http') ?? ports?.[0];
	return (endpoints ?? [])
		.filter(condition)
		.map(({ addresses, targetRef }) => ({ id: targetRef?.name, address: addresses[0], port: port?.port }));
}
