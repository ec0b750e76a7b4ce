import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { settingNames as gatewaySettings } from '../../gateway/src/config/config.ts';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { settingsOf } from '../../scripts/contexts/context-modules.ts';
import { contexts, serviceName } from '../../scripts/contexts/contexts.ts';
import { describeLong } from '../endurance/describe-long.ts';
import { lint, manifests, refusal, template } from './helm.ts';

interface Probe {
	exec?: { command: string[] };
}
interface Container {
	image: string;
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

const consul = [
	'discovery=consul',
	'consul.address=http://consul:8501',
	'networkPolicy.consulFrom[0].podSelector.matchLabels.app=consul',
];

describeLong(process.env, 'the Helm chart', () => {
	const file = join(tmpdir(), `paddock-chart-${process.pid}.yaml`);
	afterAll(() => rmSync(file, { force: true }));

	describeWithPrograms(['helm', 'kubernetes-validate'], 'rendered by helm', () => {
		test('has no finding of helm lint', () => lint());

		test.each([
			['its defaults', []],
			[
				'Consul, no autoscaling and no migrations',
				[...consul, 'process.autoscaling.enabled=false', 'migrations.enabled=false'],
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
			for (const kind of ['NetworkPolicy', 'Service'])
				expect(namesOf(kind).sort()).toEqual([...expected, 'paddock'].sort());
			const databases = contexts.filter(({ hasDatabase }) => hasDatabase);
			expect(namesOf('Job').sort()).toEqual(databases.map(({ name }) => `${name}-migration`).sort());
		});

		test('starts processes with settings that exist', async () => {
			for (const deployment of deployments(...consul)) {
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

		test('gives every process the headers for the collector of traces, if the Secret has them', () => {
			const name = 'OTEL_EXPORTER_OTLP_HEADERS';
			const secretKeyRef = { name: 'paddock', key: name, optional: true };
			for (const deployment of deployments())
				expect(containerOf(deployment).env).toContainEqual({ name, valueFrom: { secretKeyRef } });
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

		test('a single replica has a disruption budget that permits its eviction, and no autoscaler', () => {
			const single = ['contexts.ping.autoscaling.enabled=false', 'contexts.ping.replicas=1'];
			const own = manifests(...single).filter(({ metadata }) => metadata.name === 'ping-service');
			expect(own.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
			const specOf = (wanted: string) => own.find(({ kind }) => kind === wanted)?.spec ?? {};
			expect(specOf('Deployment')).toMatchObject({ replicas: 1 });
			expect(specOf('PodDisruptionBudget')).toMatchObject({ maxUnavailable: 1 });
			expect(specOf('PodDisruptionBudget')).not.toHaveProperty('minAvailable');
		});

		test('sets the replicas of no Deployment that has an autoscaler', () => {
			const scaled = namesOf('HorizontalPodAutoscaler');
			for (const { metadata, spec } of deployments('process.replicas=3'))
				expect([metadata.name, scaled.includes(metadata.name), 'replicas' in spec]).toEqual([
					metadata.name,
					true,
					false,
				]);
		});

		test('network policies admit what the values name: Consul, its health checks and collectors of traces', () => {
			const collectors = [
				'environment.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318/otlp',
				'contexts.members.environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://[fd00::1]/v1/traces',
			];
			const policies = manifests(...consul, ...collectors).filter(({ kind }) => kind === 'NetworkPolicy');
			const rules = (name: string): unknown[] => {
				const spec = policies.find(({ metadata }) => metadata.name === name)?.spec;
				return spec?.['egress'] ?? spec?.['ingress'] ?? [];
			};
			const ports = [4318, 443, 8501].map((port) => ({ port, protocol: 'TCP' }));
			expect(rules('paddock')).toContainEqual({ ports });
			const peers = [{ podSelector: expect.anything() }, { podSelector: { matchLabels: { app: 'consul' } } }];
			expect(rules('gateway')).toContainEqual({ ports: [{ port: 'ops' }], from: peers });
			expect(rules('ping-service')).toEqual([{ ports: [{ port: 'http' }], from: peers }]);
			expect(refusal(...consul.slice(0, 2))).toContain('needs networkPolicy.consulFrom');
		});

		test('an entry point outside the cluster keeps the addresses of clients', () => {
			const entryOf = (...values: string[]) =>
				manifests(...values).find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'paddock');
			expect(entryOf()?.spec).not.toHaveProperty('externalTrafficPolicy');
			expect(entryOf('gateway.service.type=LoadBalancer')?.spec).toMatchObject({
				externalTrafficPolicy: 'Local',
			});
		});

		test('every container has the image of the tag, or of the digest', () => {
			const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
			const imagesOf = (...values: string[]) => {
				const pods = manifests('image.repository=registry.example.org:5000/paddock', ...values).filter(
					({ kind }) => kind === 'Deployment' || kind === 'Job',
				) as unknown as Deployment[];
				return [...new Set(pods.map((pod) => containerOf(pod).image))];
			};
			expect(imagesOf('image.tag=1.2.3')).toEqual(['registry.example.org:5000/paddock:1.2.3']);
			expect(imagesOf('image.tag=1.2.3', `image.digest=${digest}`)).toEqual([
				`registry.example.org:5000/paddock@${digest}`,
			]);
		});

		test('refuses workers for each core of the node, but not for those of a limit', () => {
			const workers = 'gateway.environment.WORKERS=auto';
			expect(refusal(workers)).toContain('gateway: WORKERS=auto needs resources.limits.cpu');
			expect(refusal('environment.WORKERS=auto')).toContain('gateway: WORKERS=auto needs');
			for (const limit of ['500m', '1', '2.5'])
				expect(refusal(workers, `gateway.resources.limits.cpu=${limit}`)).toBe('');
		});

		test.each([
			'environment.PORT=9000',
			'environment.DRAIN_MS=60000',
			'gateway.environment.OPS_PORT=9000',
			'gateway.environment.REDIS_URL=redis://redis',
			'contexts.members.environment.DATABASE_URL=postgres://database',
			'process.environment.TLS_KEY=/key',
			'contexts.ping.environment.CONSUL_HTTP_TOKEN=token',
			'environment.OTEL_EXPORTER_OTLP_HEADERS=api-key=a',
		])('refuses %s, which the chart sets', (value) => {
			const name = /environment\.\w+/.exec(value)?.[0];
			expect(refusal(value)).toContain(`${name}: set by the chart`);
		});

		test.each([
			['existingSecret=', '/existingSecret'],
			['environment=null', 'environment: must be an object'],
			['process.environment=null', 'process.environment: must be an object'],
			['process.autoscaling=null', 'process.autoscaling: must be an object'],
			['tls=null', 'tls: must be an object'],
			['gateway=null', 'gateway: must be an object'],
			['contexts.nosuch.enabled=false', 'contexts.nosuch: not a context'],
			['discovery=dns', '/discovery'],
			['discovery=consul', '/consul/address'],
			['drainMs=soon', '/drainMs'],
			['image.digest=latest', '/image/digest'],
			['process.replica=3', 'replica'],
			['process.autoscaling.minReplicas=7', 'maxReplicas is less than minReplicas'],
			['process.resources.requests.cpu=null', 'autoscaling needs resources.requests.cpu'],
		])('refuses %s', (value, message) => {
			expect(refusal(value)).toContain(message);
		});
	});
});
