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

interface Probe {
	exec?: { command: string[] };
}
interface Container {
	command?: string[];
	env: { name: string; value?: string; valueFrom?: unknown }[];
	ports: [{ containerPort: number }];
	startupProbe: Probe;
	livenessProbe: Probe;
	readinessProbe: Probe;
}
interface Deployment {
	metadata: { name: string };
	spec: {
		template: {
			spec: {
				containers: [Container];
				terminationGracePeriodSeconds: number;
				volumes: { name: string; secret?: { secretName: string } }[];
			};
		};
	};
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
			['TLS between the processes', ['tls.enabled=true', 'serviceMonitor.enabled=false']],
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

		test('with TLS gives each process its Secret, and no probe needs a client certificate', () => {
			for (const { metadata, spec } of deployments('tls.enabled=true')) {
				const { containers, volumes } = spec.template.spec;
				expect(volumes.find(({ name }) => name === 'tls')?.secret?.secretName).toBe(`${metadata.name}-tls`);
				expect(containers[0].env).toContainEqual({ name: 'TLS_CA', value: '/etc/paddock/tls/ca.crt' });
				const port = metadata.name === 'gateway' ? 8079 : containers[0].ports[0].containerPort;
				for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
					expect(containers[0][probe].exec?.command[2]).toMatch(`https://127.0.0.1:${port}/`);
			}
			expect(template()).not.toContain('TLS_CERT');
		});

		test('gives a service that can read from a replica its address, if the Secret has one', async () => {
			const all = deployments('existingSecret=other');
			for (const context of contexts) {
				const deployment = all.find(({ metadata }) => metadata.name === serviceName(context));
				const env = deployment === undefined ? [] : containerOf(deployment).env;
				const key = `${context.name.toUpperCase()}_READ_DATABASE_URL`;
				const expected = { valueFrom: { secretKeyRef: { name: 'other', key, optional: true } } };
				const can = 'READ_DATABASE_URL' in (await settingsOf(context)).shape;
				expect([context.name, env.filter(({ name }) => name === 'READ_DATABASE_URL')]).toEqual([
					context.name,
					can ? [{ name: 'READ_DATABASE_URL', ...expected }] : [],
				]);
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
