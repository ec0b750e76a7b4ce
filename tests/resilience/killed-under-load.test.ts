import { afterEach, expect, test } from '@jest/globals';
import { eventually, patient, patientGateway, startStopwatch } from '@paddock/testing';
import { type System, startSystem } from '../system.ts';
import { startLoad } from './load.ts';
import { type SteadyLoad, startSteadyLoad, statusCounts } from './timed-load.ts';
import { allVenueNames } from './venue-names.ts';

/** For conditions that hold after a number of requests, which a busy machine handles slowly. */
const patientMs = 120_000;

/** Of the requests to other services; one that gets no processor time for seconds fails some itself. */
const failedMax = patient(1) > 3 ? 0.05 : 0;

let system: System | undefined;
const loads: SteadyLoad[] = [];

afterEach(async () => {
	await Promise.all(loads.splice(0).map((load) => load.stop()));
	await system?.stop();
}, 30_000);

const steady = (...args: Parameters<typeof startSteadyLoad>): SteadyLoad => {
	const load = startSteadyLoad(...args);
	loads.push(load);
	return load;
};

test('the only instance of a service killed under load: envelopes for it, nothing for others, well within the open time after its return', async () => {
	const openMs = 3_000;
	system = await startSystem({ gateway: { ...patientGateway, BREAKER_OPEN_MS: String(openMs) } });
	const { port } = system.gateway;
	const headers = { Authorization: `Bearer ${await system.signIn()}` };
	const [masterdata] = system.services.masterdata;
	const countries = steady(50, { port, path: '/api/masterdata/countries?size=5' });
	const others = [
		steady(50, { port, path: '/api/ping' }),
		steady(50, { port, path: '/auth/profile', headers }),
	];
	await eventually('the load runs', () => countries.responses.length > 50, patientMs);
	await masterdata?.kill();
	const since = countries.responses.length;
	await eventually('many requests were sent', () => countries.responses.length > since + 250, patientMs);
	await masterdata?.restart();
	const backAtMs = performance.now();
	const elapsedMs = startStopwatch();
	const works = () =>
		countries.responses.some(({ sentAtMs, status }) => sentAtMs > backAtMs && status === 200);
	await eventually('it works again', works, patientMs);
	expect(elapsedMs()).toBeLessThan(patient(openMs + 2_000));

	const failed = (await countries.stop()).filter(({ status }) => status !== 200);
	expect(failed.length).toBeGreaterThan(200);
	for (const { status, body, headers: sent } of failed) {
		// The started instance admits a part of the lists that one client calls.
		const codes: Record<number, string> = { 429: 'RATE_LIMITED', 502: 'UPSTREAM_ERROR', 503: 'CIRCUIT_OPEN' };
		expect(JSON.parse(body)).toMatchObject({ success: false, data: { code: codes[status] ?? 'another' } });
		expect(Number(sent['retry-after'])).toBeGreaterThanOrEqual(1);
	}
	for (const other of others) {
		const responses = await other.stop();
		expect(responses.length).toBeGreaterThan(250);
		const { 200: succeeded = 0, ...others } = statusCounts(responses);
		if (responses.length - succeeded > failedMax * responses.length) expect(others).toEqual({});
	}
}, 400_000);

test('one of two instances killed under load: hardly a GET fails, no POST is done twice, none that was acknowledged is lost', async () => {
	system = await startSystem({ instances: { masterdata: 2 }, gateway: patientGateway });
	const { gateway, services } = system;
	const [, victim] = services.masterdata;
	const headers = { Authorization: `Bearer ${await system.signIn()}`, 'Content-Type': 'application/json' };
	const acknowledged: string[] = [];
	const countries = `${gateway.url}/api/masterdata/countries`;
	const { data } = (await (await fetch(`${countries}?size=1`)).json()) as {
		data: { items: { id: string }[] };
	};
	// A record: of the lists that one client calls, a busy instance admits a part.
	const country = `${countries}/${data.items[0]?.id}`;
	const reads = startLoad(16, () => fetch(country));
	const writes = startLoad(16, async (index) => {
		const name = `Vorbereitungsplatz ${index}`;
		const body = JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' });
		const response = await fetch(`${gateway.url}/api/masterdata/venues`, { method: 'POST', headers, body });
		if (response.status === 201) acknowledged.push(name);
		return response;
	});
	// One in a thousand is three of these: a response that has begun can't be repeated.
	const bothRan = (from: number) => () => reads.count() > from + 3_000 && writes.count() > 200;
	await eventually('the load runs', bothRan(-2_800), patientMs);
	await victim?.kill();
	const writtenBefore = acknowledged.length;
	await eventually('reads and writes continue', bothRan(reads.count()), patientMs);
	await eventually('writes continue', () => acknowledged.length > writtenBefore + 200, patientMs);
	const [read, written] = [await reads.stop(), await writes.stop()];
	if (read.failures.length > read.requests / 1_000) expect(read.failures).toEqual([]);
	// Its requests in flight can't be repeated, as their outcome is unknown.
	expect(written.failures.length).toBeLessThanOrEqual(16);

	const names = (await allVenueNames(gateway.url)).filter((name) => name.startsWith('Vorbereitungsplatz '));
	expect(new Set(names).size).toBe(names.length);
	const stored = new Set(names);
	expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
}, 400_000);
