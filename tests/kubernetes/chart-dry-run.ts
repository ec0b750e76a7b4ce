import { expect, test } from '@jest/globals';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { namespace, processes } from './chart-in-cluster.ts';
import type { Cluster } from './cluster.ts';
import { template } from './helm.ts';
import { definitionName } from './service-monitor-definition.ts';

/**
 * The API server's validation and admission of the chart's objects. Creates the namespace of the installation. `definition` is the
 * file with the CustomResourceDefinition of ServiceMonitor.
 */
export function acceptsTheChart(cluster: () => Cluster, definition: string | undefined): void {
	const strict = ['--dry-run=server', '--validate=strict', '--namespace', namespace];
	/** The lines of `kubectl apply` that are not of an accepted object. */
	const findings = async (text: string) =>
		(await cluster().apply(text, ...strict))
			.split('\n')
			.filter((line) => !/^$|created \(server dry run\)$/.test(line));

	test('Pod Security restricted and the API server accept every object of the chart', async () => {
		const labels = {
			'pod-security.kubernetes.io/enforce': 'restricted',
			'pod-security.kubernetes.io/warn': 'restricted',
		};
		const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } };
		await cluster().apply(JSON.stringify(object));
		expect(await findings(template())).toEqual([]);
		const unsafe = template().replaceAll('runAsNonRoot: true', 'runAsNonRoot: false');
		expect((await findings(unsafe)).join()).toContain('would violate PodSecurity "restricted:latest"');
	}, 60_000);

	const lack = definition === undefined ? `needs ${definitionName}` : undefined;
	describeUnless(lack, 'the definition of the Prometheus Operator', () => {
		test('accepts the ServiceMonitors', async () => {
			const file = ['--filename', definition ?? ''];
			await cluster().kubectl('create', ...file);
			await cluster().kubectl('wait', '--for=condition=Established', '--timeout=30s', ...file);
			for (const tls of [[], ['tls.enabled=true', 'serviceMonitor.tlsConfig.insecureSkipVerify=true']]) {
				const text = template('serviceMonitor.enabled=true', ...tls);
				const count = text.split('kind: ServiceMonitor').length - 1;
				expect([count, await findings(text)]).toEqual([processes.length, []]);
				await expect(findings(text.replaceAll('jobLabel:', 'jobLable:'))).rejects.toThrow(
					'unknown field "spec.jobLable"',
				);
			}
		}, 60_000);
	});
}
