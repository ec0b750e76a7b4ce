import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { settingNames as gatewaySettings } from '../../gateway/src/config.ts';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { settingsOf } from '../../scripts/contexts/context-modules.ts';
import { contexts, serviceName } from '../../scripts/contexts/contexts.ts';
import { describeLong } from '../endurance/describe-long.ts';
import { lint, manifests, refusal, template } from './helm.ts';

interface Container {
	command?: string[];
	env: { name: string; value?: string }[];
}
interface Deployment {
	metadata: { name: string };
	spec: { template: { spec: { containers: [Container]; terminationGracePeriodSeconds: number } } };
}

const deployments = (...values: string[]) =>
	manifests(...values).filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[];
const containerOf = ({ spec }: Deployment) => spec.template.spec.containers[0];
const namesOf = (kind: string, ...values: string[]) =>
	manifests(...values)
		.filter((manifest) => manifest.kind === kind)
		.map(({ metadata }) => metadata.name);

describeLong(process.env, 'the Helm chart', () => {
	const file = join(tmpdir(), `paddock-chart-${process.pid}.yaml`);
	afterAll(() => rmSync(file, { force: true }));

	describeWithPrograms(['helm', 'kubernetes-validate'], 'rendered by helm', () => {
		test('has no finding of helm lint', () => lint());

		test.each([
			['its defaults', []],
			[
				'Consul, no autoscaling and no migrations',
				[
					'discovery=consul',
					'consul.address=consul:8500',
					'process.autoscaling.enabled=false',
					'migrations.enabled=false',
				],
			],
		])('consists of valid objects with %s', (_, values) => {
			writeFileSync(file, template(...values));
			const checked = spawnSync('kubernetes-validate', ['--strict', file], { encoding: 'utf8' });
			const findings = `${checked.stdout}${checked.stderr}`
				.split('\n')
				.filter((line) => !line.startsWith('INFO'));
			expect([checked.status, findings.join('\n')]).toEqual([0, '']);
		});

		test('has the gateway and every service, each with its disruption budget and network policy', () => {
			const expected = ['gateway', ...contexts.map(serviceName)].sort();
			for (const kind of ['Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'])
				expect(namesOf(kind).sort()).toEqual(expected);
			const shared = ['paddock'];
			for (const kind of ['NetworkPolicy', 'Service'])
				expect(namesOf(kind).sort()).toEqual([...expected, ...shared].sort());
			const databases = contexts.filter(({ hasDatabase }) => hasDatabase);
			expect(namesOf('Job').sort()).toEqual(databases.map(({ name }) => `${name}-migration`).sort());
		});

		test('starts processes with settings that exist', async () => {
			for (const deployment of deployments('discovery=consul', 'consul.address=consul:8500')) {
				const { name } = deployment.metadata;
				const context = contexts.find((one) => serviceName(one) === name);
				const known: readonly string[] = context
					? Object.keys((await settingsOf(context)).shape)
					: gatewaySettings;
				const given = containerOf(deployment).env.map((entry) => entry.name);
				// Parts of the value of SERVICE_SECRETS.
				const others = given.filter((key) => !known.includes(key) && !/^[A-Z]+_SERVICE_SECRET$/.test(key));
				expect([name, others]).toEqual([name, []]);
			}
		});

		test('leaves out a context, and its name in the settings of the others', () => {
			const values = 'contexts.ping.enabled=false';
			expect(namesOf('Deployment', values)).not.toContain('ping-service');
			for (const deployment of deployments(values)) {
				const listed = containerOf(deployment).env.find(({ name }) => name === 'CONTEXTS')?.value;
				expect(listed ?? '').not.toContain('ping');
			}
		});

		test('gives pods more time to end than drain and shutdown take', () => {
			for (const { spec } of deployments('drainMs=20001', 'shutdownTimeoutMs=30000'))
				expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(50);
		});

		test.each([
			['existingSecret=', '/existingSecret'],
			['contexts.nosuch.enabled=false', 'contexts.nosuch: not a context'],
			['discovery=dns', '/discovery'],
			['discovery=consul', '/consul/address'],
			['drainMs=soon', '/drainMs'],
			['process.replica=3', 'replica'],
		])('refuses %s', (value, message) => {
			expect(refusal(value)).toContain(message);
		});
	});
});
