import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient, eventually } from '@paddock/testing';
import { inventedCountry } from '../../services/masterdata/test/invented-country.ts';
import { describeLong } from '../endurance/describe-long.ts';
import { installedPrograms } from '../start/installed-postgres.ts';
import { systemAdmin } from '../system.ts';
import { type ComposedSystem, openComposedSystem } from './composed-system.ts';
import { buildDependencyImages } from './dependency-images.ts';
import { describeWithContainers } from './describe-with-containers.ts';
import { openEngineWithImage } from './paddock-image.ts';

interface Registered {
	readonly Service: { readonly ID: string; readonly Address: string; readonly Port: number };
}

const isLong = process.env['PADDOCK_LONG_TESTS'] === 'on';
const programs = ['buildah', 'podman', 'runc', 'docker-compose', 'consul', `${installedPrograms}/postgres`];
const opened = isLong ? await openEngineWithImage(process.env, programs) : 'not a run of long tests';

describeLong(process.env, 'docker-compose.yml', () => {
	describeWithContainers(opened, 'brought up from the image', (engine) => {
		let system: ComposedSystem;
		let api: ApiClient;
		let token: string;

		beforeAll(async () => {
			await buildDependencyImages(engine);
			system = await openComposedSystem(engine);
			// The gateway depends on all services, Consul and PostgreSQL.
			await system.compose('up', '--detach', '--no-build', 'gateway');
			await ready(1);
		}, 900_000);

		afterAll(() => system?.close(), 120_000);

		const ready = async (gateway: number): Promise<void> => {
			const url = `${await system.gatewayUrl(gateway)}/api/ping`;
			const responds = () =>
				fetch(url).then(
					({ ok }) => ok,
					() => false,
				);
			await eventually(`gateway ${gateway} responds`, responds, 60_000);
		};

		const registered = (service: string) =>
			system.fetchInside<Registered[]>(`http://consul:8500/v1/health/service/${service}?passing`);

		test('an administrator signs in, creates a record and reads it through the gateway', async () => {
			api = createApiClient(await system.gatewayUrl(1));
			const { email, password } = systemAdmin;
			const signedIn = await api<{ accessToken: string }>('POST', '/auth/login', {
				body: { email, password },
			});
			expect(signedIn.status).toBe(200);
			token = signedIn.data.accessToken;
			const country = inventedCountry('Q', { nameDe: 'Königreich Ö' });
			const created = await api<{ id: string }>('POST', '/api/masterdata/countries', {
				token,
				body: country,
			});
			expect(created.status).toBe(201);
			const read = await api('GET', `/api/masterdata/countries/${created.data.id}`, { token });
			expect(read.data).toMatchObject(country);
		}, 60_000);

		test('a second up changes nothing', async () => {
			const services = ['gateway', 'auth', 'masterdata', 'consul', 'postgres'];
			const ids = () => Promise.all(services.map((service) => system.containers(service)));
			const before = await ids();
			await system.compose('up', '--detach', '--no-build', 'gateway');
			expect(await ids()).toEqual(before);
		}, 120_000);

		test('two instances of a service are registered under ids of their own, and both get requests', async () => {
			await system.compose('up', '--detach', '--no-build', '--scale', 'masterdata=2', 'gateway');
			await eventually(
				'both are registered',
				async () => (await registered('masterdata-service')).length === 2,
				60_000,
			);
			const ids = (await registered('masterdata-service')).map(({ Service }) => Service.ID);
			expect(new Set(ids).size).toBe(2);
			const used = async () => {
				await api('GET', '/api/masterdata/countries?size=1', { token });
				const requests = await system.requests();
				return ids.every((id) => requests.some(({ instance }) => instance === id));
			};
			await eventually('both get requests', used, 60_000);
		}, 200_000);

		test('two gateways are registered under ids and addresses of their own, each at its own port', async () => {
			await system.compose(
				'up',
				'--detach',
				'--no-build',
				'--scale',
				'gateway=2',
				'--scale',
				'masterdata=2',
				'gateway',
			);
			await Promise.all([ready(1), ready(2)]);
			await eventually('both are registered', async () => (await registered('gateway')).length === 2, 60_000);
			const gateways = (await registered('gateway')).map(({ Service }) => Service);
			expect(new Set(gateways.map(({ ID }) => ID)).size).toBe(2);
			expect(new Set(gateways.map(({ Address }) => Address)).size).toBe(2);
			for (const { Address } of gateways) expect(Address).toMatch(/^172\.28\.0\.\d+$/);
		}, 200_000);
	});
});
