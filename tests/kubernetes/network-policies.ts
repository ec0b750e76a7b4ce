import { contexts, serviceName } from '../../scripts/contexts/contexts.ts';

interface Selector {
	matchLabels?: Record<string, string>;
	matchExpressions?: { key: string; operator: string; values: string[] }[];
}
interface Rule {
	ports: { port: string }[];
	from?: { podSelector: Selector }[];
}
interface Policy {
	metadata: { name: string };
	spec: { podSelector: Selector; policyTypes: string[]; ingress?: Rule[] };
}
interface Pod {
	metadata: { ownerReferences: { name: string }[] };
	spec: { containers: { ports?: { name: string }[] }[] };
}

/** Of one policy: the Deployments whose pods it selects, and for each port those whose pods it admits, or `all`. */
interface Effect {
	selects: string[];
	admits: Record<string, string[] | 'all'>;
}

/** The effects of the policies that the contexts' calls require. */
export function expectedPolicies(processes: readonly string[]): Record<string, Effect> {
	const ofServices = contexts.map((context) => {
		const callers = contexts.filter(
			({ calls }) => calls.includes(context.name) || context.issuesServiceTokens === true,
		);
		const http = ['gateway', ...callers.map(serviceName)].sort();
		const name = serviceName(context);
		return [name, { selects: [name], admits: { http } }] as const;
	});
	return {
		...Object.fromEntries(ofServices),
		gateway: { selects: ['gateway'], admits: { http: 'all', ops: ['gateway'] } },
		paddock: { selects: [...processes], admits: {} },
	};
}

/**
 * The effects of the policies in a namespace, by the pods that the API server finds with their selectors. A pod belongs to the
 * Deployment that owns it, whatever its labels. @throws Error for a port that a selected pod lacks
 */
export async function admittedPods(
	kubectl: (...words: string[]) => Promise<string>,
): Promise<Record<string, Effect>> {
	const pods = async (selector: Selector) => {
		const words = ['get', 'pods', '--selector', selectorText(selector), '--output', 'json'];
		return (JSON.parse(await kubectl(...words)) as { items: Pod[] }).items;
	};
	const text = await kubectl('get', 'networkpolicies', '--output', 'json');
	const effects: Record<string, Effect> = {};
	for (const { metadata, spec } of (JSON.parse(text) as { items: Policy[] }).items) {
		const selected = await pods(spec.podSelector);
		const admits: Effect['admits'] = {};
		for (const { ports, from } of spec.ingress ?? []) {
			const admitted = await Promise.all((from ?? []).map(({ podSelector }) => pods(podSelector)));
			for (const { port } of ports) {
				requirePort(selected, port);
				admits[port] = from === undefined ? 'all' : deployments(admitted.flat());
			}
		}
		effects[metadata.name] = { selects: deployments(selected), admits };
	}
	return effects;
}

function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector): string {
	const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
	const expressions = matchExpressions.map(
		({ key, operator, values }) => `${key} ${operator.toLowerCase()} (${values.join()})`,
	);
	return [...labels, ...expressions].join();
}

function deployments(pods: readonly Pod[]): string[] {
	const names = pods.map(
		// A ReplicaSet is named after its Deployment and the hash of its template.
		({ metadata }) => metadata.ownerReferences[0]?.name.replace(/-[^-]+$/, '') ?? 'none',
	);
	return [...new Set(names)].sort();
}

function requirePort(pods: readonly Pod[], port: string): void {
	for (const { spec, metadata } of pods) {
		const names = spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
		if (!names.includes(port)) throw new Error(`${metadata.ownerReferences[0]?.name} has no port ${port}`);
	}
}
