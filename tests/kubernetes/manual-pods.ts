import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Cluster } from './cluster.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a process of Paddock at an address of the cluster's network. */
export function startProcess(
	cluster: Cluster,
	name: string,
	main: string,
	env: Record<string, string>,
): ChildProcess {
	return cluster.start(name, [process.execPath, `${root}${main}`], {
		NODE_ENV: 'test',
		DRAIN_MS: '0',
		...env,
	});
}

/** A pod on the node without a kubelet: `report` sends the status that a kubelet would. */
export async function createPod(
	cluster: Cluster,
	namespace: string,
	name: string,
	app: string,
): Promise<void> {
	const metadata = { name, namespace, labels: { app } };
	const ports = [{ name: 'http', containerPort: 8086 }];
	const spec = { nodeName: 'manual', containers: [{ name: 'main', image: 'paddock', ports }] };
	await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }));
}

/** Reports a pod of the node without a kubelet as running. */
export async function report(
	cluster: Cluster,
	namespace: string,
	name: string,
	{ address, ready }: { address: string; ready: boolean },
): Promise<void> {
	const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
	const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }], conditions };
	await cluster.kubectl(
		...['patch', 'pod', name, '--namespace', namespace, '--subresource=status', '--type=merge'],
		...['--patch', JSON.stringify({ status })],
	);
}

/** A headless Service for the pods with the label `app=NAME`. */
export function serviceText(namespace: string, name: string): string {
	return JSON.stringify({
		apiVersion: 'v1',
		kind: 'Service',
		metadata: { name, namespace },
		spec: {
			clusterIP: 'None',
			selector: { app: name },
			ports: [{ name: 'http', port: 8086, targetPort: 'http' }],
		},
	});
}
