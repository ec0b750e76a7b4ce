import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoHorses, demoMembers, demoPassword } from '@paddock/demo';
import {
	type ApiClient,
	createApiClient,
	eventually,
	type OtlpReceiver,
	patient,
	type ReceivedSpan,
	startOtlpReceiver,
	startStopwatch,
} from '@paddock/testing';
import { type System, startSystem } from '../system.ts';

interface Page {
	items: { id: string }[];
	pagination: { totalElements: number };
}

interface Failure {
	code: string;
}

interface Health {
	components: Record<string, { status: string; instances: { peers?: Record<string, string> }[] }>;
}

// The gateway waits 5 s for a service's response; calls to other services must end before that.
const deadlineMs = 5_000;
/** For conditions that hold once enough calls were made, which a busy machine handles slowly. */
const patientMs = 60_000;

let collector: OtlpReceiver;
let system: System;
let api: ApiClient;
let officer: string;

beforeAll(async () => {
	collector = await startOtlpReceiver();
	const traces = {
		OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
		OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
		OTEL_BSP_SCHEDULE_DELAY: '50',
	};
	system = await startSystem({
		contexts: ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'],
		// Calls that a busy machine delays are not the outage under test.
		gateway: { ...traces, EVENT_LOOP_DELAY_MAX_MS: '60000' },
		services: { DEMO: 'on', ...traces },
	});
	api = createApiClient(system.gateway.url);
	officer = await system.signIn('officer@example.org', demoPassword);
}, 90_000);

afterAll(async () => {
	await system?.stop();
	await collector?.close();
	// Dropping five databases takes long while other tests write to the same disk.
}, 60_000);

const { eva } = demoMembers;

function register(name: string, microchip: string) {
	return api<{ id: string } & Failure>('POST', '/api/horses', {
		token: officer,
		headers: { 'Idempotency-Key': `register-${name}` },
		body: { name, sex: 'MARE', birthYear: 2016, microchip, owners: [{ memberId: eva.id }] },
	});
}

async function horsesNamed(name: string): Promise<number> {
	const found = await api<Page>('GET', `/api/horses/search?name=${name}`, { token: officer });
	expect(found.status).toBe(200);
	return found.data.pagination.totalElements;
}

/** `service kind name` of a span and of those that contain it, up to the first span of the trace. */
function pathTo(spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): string[] {
	if (span === undefined) return [];
	const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
	return [...pathTo(spans, parent), `${span.service} ${span.kind} ${span.name}`];
}

test('a registration is one trace: gateway, service, peer and their queries', async () => {
	const { status, headers } = await register('Spur', '999111000000009');
	expect(status).toBe(201);
	const [, traceId = ''] = (headers.get('traceparent') ?? '').split('-');
	const isQuery = ({ attributes }: ReceivedSpan) => attributes['db.query.text'] !== undefined;
	const ended = (service: string, has: (span: ReceivedSpan) => boolean) =>
		collector.trace(traceId).find((span) => span.service === service && has(span));
	const isServer = ({ kind }: ReceivedSpan) => kind === 'server';
	await eventually(
		'the spans of all processes',
		() => ['gateway', 'horses-service', 'members-service'].every((service) => ended(service, isServer)),
		patientMs,
	);
	const spans = collector.trace(traceId);
	const found = spans.find((span) => span.service === 'members-service' && isQuery(span));
	expect(pathTo(spans, found)).toEqual([
		'gateway server POST /api/horses',
		'gateway client POST',
		'horses-service server POST /api/horses',
		'horses-service internal handler registerHorse',
		'horses-service client GET',
		'members-service server GET /internal/members/lookup',
		'members-service internal handler lookUpMembers',
		expect.stringMatching(/^members-service client SELECT members/),
	]);
	const inserted = spans.find(({ name }) => name === 'INSERT horses');
	expect(inserted?.attributes['db.query.text']).toMatch(/^insert into "horses" .*values \(\$1, /);
	expect(JSON.stringify(spans)).not.toMatch(/999111000000009|Spur|Bearer|eyJ/);
	const requestId = headers.get('X-Request-Id');
	for (const { output } of [system.gateway, ...system.services.horses, ...system.services.members]) {
		const findLine = () =>
			output()
				.split('\n')
				.find((each) => each.includes(`"requestId":"${requestId}"`) && each.includes('"message":"request"'));
		// Access lines are written in batches, after the response.
		await eventually('the line of the request', () => findLine() !== undefined, patientMs);
		expect(JSON.parse(findLine() ?? '')).toMatchObject({ traceId });
	}
});

test('members killed between two registrations: 503, nothing half-stored, and it works again', async () => {
	const [members] = system.services.members;
	expect((await register('Vorher', '999111000000001')).status).toBe(201);
	await members?.kill();

	const refused = await register('Nachher', '999111000000002');
	expect([refused.status, refused.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
	expect(await horsesNamed('Nachher')).toBe(0);
	// Requests without calls to other services succeed.
	expect((await api('GET', `/api/horses/${demoHorses.gelding.id}`, { token: officer })).status).toBe(200);

	await members?.restart();
	await eventually(
		'registrations work again',
		async () => {
			return (await register('Nachher', '999111000000002')).status === 201;
		},
		patientMs,
	);
	expect((await register('Nachher', '999111000000002')).status).toBe(201);
	expect(await horsesNamed('Nachher')).toBe(1);
}, 120_000);

async function eventOpenForEntry(): Promise<{ id: string; competitionId: string }> {
	const list = await api<Page>('GET', '/api/events?openForEntry=true&q=Springtage');
	const [event] = list.data.items;
	const competitions = await api<Page>('GET', `/api/events/${event?.id}/competitions?sort=number`);
	const [competition] = competitions.data.items;
	return { id: event?.id ?? '', competitionId: competition?.id ?? '' };
}

test.each(['members', 'horses'] as const)(
	'%s frozen during an entry: a response in time, nothing stored, the breaker in health, one entry afterwards',
	async (name) => {
		const event = await eventOpenForEntry();
		const path = `/api/events/${event.id}/entries`;
		const [rider, horse] =
			name === 'members'
				? [demoMembers.nora, demoHorses.shared]
				: [demoMembers.oskar, demoHorses.transferred];
		const body = {
			riderMemberId: rider.id,
			horseId: horse.id,
			starts: [{ competitionId: event.competitionId }],
		};
		const enter = () =>
			api<{ id: string } & Failure>('POST', path, {
				token: officer,
				headers: { 'Idempotency-Key': `entry-while-${name}-frozen` },
				body,
			});
		// Calls the same services as an entry.
		const check = () => api('POST', `${path}/check`, { token: officer, body });
		const breaker = async () => {
			const { data } = await api<Health>('GET', '/actuator/health');
			return data.components['events']?.instances[0]?.peers?.[`${name}-service`];
		};
		const entered = async () => {
			const query = `riderMemberId=${rider.id}&horseId=${horse.id}`;
			return (await api<Page>('GET', `${path}?${query}`, { token: officer })).data.pagination.totalElements;
		};
		const [service] = system.services[name];
		const before = await entered();
		service?.signal('SIGSTOP');
		try {
			const untilRefusedMs = startStopwatch();
			const refused = await enter();
			expect(untilRefusedMs()).toBeLessThan(deadlineMs);
			expect([503, 504]).toContain(refused.status);
			expect(await entered()).toBe(before);

			// More than half of the calls of the events service in half a minute fail.
			const opens = async () => {
				await Promise.all(Array.from({ length: 40 }, check));
				return (await breaker()) === 'OPEN';
			};
			await eventually('the breaker shows in health', opens, patientMs);
			const elapsedMs = startStopwatch();
			expect((await enter()).status).toBe(503);
			expect(elapsedMs()).toBeLessThan(patient(1_000));
			expect(await entered()).toBe(before);
		} finally {
			service?.signal('SIGCONT');
		}
		// A call before that would succeed at the other service, whose breaker would then need more failures to open.
		await eventually('the breaker admits a probe', async () => (await breaker()) === 'HALF_OPEN', patientMs);
		// A busy machine may be slow once more, which is one more failed probe.
		await eventually('an entry is accepted', async () => (await enter()).status === 201, patientMs);
		expect((await enter()).status).toBe(201);
		expect(await entered()).toBe(before + 1);
	},
	240_000,
);
