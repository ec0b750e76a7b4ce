import { randomUUID } from 'node:crypto';
import { dayInVienna } from '@paddock/calendar';
import { withClient } from '@paddock/database';
import { enter, enterableHorses, openEvent } from './measure-entries.ts';
import type { RequestFigures } from './measure-requests.ts';
import type { Context } from './open-registries.ts';
import { inventedId } from './random-choice.ts';
import type { RegistrySize } from './registry-size.ts';
import { quantile, type Sent, send, type WritesSetup } from './send-write.ts';

const warmUp = 3;

/** Creates and changes members, horses, owners and entries, one request at a time, and measures each. */
export async function measureWrites(setup: WritesSetup, requests: number): Promise<RequestFigures[]> {
	const figures: RequestFigures[] = [];
	for (const { route, title, write } of await writesOf(setup, requests + warmUp)) {
		const sent: Sent[] = [];
		for (let index = 0; index < requests + warmUp; index += 1) sent.push(await write(index));
		const durationsMs = sent.slice(warmUp).map(({ tookMs }) => tookMs);
		durationsMs.sort((a, b) => a - b);
		const refused = sent.find(({ status }) => status >= 300);
		if (refused !== undefined) throw new Error(`${route}: ${refused.status} ${JSON.stringify(refused.data)}`);
		figures.push({
			route,
			title,
			role: 'office',
			status: 200,
			requests,
			p50Ms: quantile(durationsMs, 0.5),
			p95Ms: quantile(durationsMs, 0.95),
			records: undefined,
		});
	}
	return figures;
}

interface Write {
	readonly route: string;
	readonly title: string;
	readonly write: (index: number) => Promise<Sent>;
}

async function writesOf(setup: WritesSetup, count: number): Promise<readonly Write[]> {
	const { size } = setup;
	const token = setup.tokenOf();
	const enterable = await enterableHorses(setup, count);
	const event = await openEvent(setup, 1_000);
	const adults = await adultMembers(setup, count);
	const transferable = await transferableHorses(setup, count);
	const created: string[] = [];
	const create = (context: 'members' | 'horses', path: string, body: unknown) =>
		send(setup, context, 'POST', path, { token, body });
	return [
		{
			route: 'POST /api/members',
			title: 'create',
			write: (index) => create('members', '/api/members?confirmDuplicate=true', memberBody(index, size)),
		},
		{
			route: 'PATCH /api/members/{id}',
			title: 'change',
			write: (index) =>
				change(setup, 'members', `/api/members/${adults[index]}`, {
					notes: `Notiz ${Date.now()}`,
				}),
		},
		{
			route: 'POST /api/horses',
			title: 'create',
			write: async (index) => {
				const sent = await create('horses', '/api/horses', horseBody(index));
				created.push(sent.data.id);
				return sent;
			},
		},
		{
			route: 'PATCH /api/horses/{id}',
			title: 'change',
			write: (index) => change(setup, 'horses', `/api/horses/${created[index]}`, { colour: 'Rappe' }),
		},
		{
			route: 'POST /api/horses/{id}/ownership',
			title: 'transfer',
			write: (index) =>
				create('horses', `/api/horses/${transferable[index]}/ownership`, {
					from: dayInVienna(new Date()),
					owners: [{ externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' } }],
				}),
		},
		{
			route: 'POST /api/events/{id}/entries',
			title: 'enter',
			write: (index) => enter(setup, event, enterable[index]),
		},
	];
}

/** Members whose whole record is valid: those without a guardian are of age. */
function adultMembers({ urls }: WritesSetup, count: number): Promise<readonly string[]> {
	return findIds(
		urls.members,
		`select id from members where status = 'ACTIVE' and deleted_at is null
		and date_of_birth between '1950-01-01' and '2000-01-01' limit $1`,
		count,
	);
}

/** Horses whose owners do not date from today, as those of a run of the same day do. */
function transferableHorses({ urls }: WritesSetup, count: number): Promise<readonly string[]> {
	return findIds(
		urls.horses,
		`select id from horses where status = 'ACTIVE' and not exists (
			select from ownership_periods where horse_id = horses.id and valid_from >= current_date - 1
		) limit $1`,
		count,
	);
}

async function findIds(url: string, query: string, count: number): Promise<readonly string[]> {
	const { rows } = await withClient(url, (database) => database.query<{ id: string }>(query, [count]));
	if (rows.length < count) throw new Error(`Only ${rows.length} of ${count} records: ${query}`);
	return rows.map(({ id }) => id);
}

function memberBody(index: number, { clubs }: RegistrySize) {
	return {
		firstName: 'Mess',
		lastName: `Person ${randomUUID().slice(0, 8)}`,
		dateOfBirth: '1990-05-05',
		gender: 'FEMALE',
		nationality: 'AT',
		homeClubId: inventedId('club', (index + 1) % clubs),
		membershipType: 'FULL',
		consents: { publishResults: { given: true }, newsletter: { given: false } },
	};
}

function horseBody(index: number) {
	return {
		name: `Messpferd ${index}`,
		sex: 'MARE',
		birthYear: 2015,
		isPony: false,
		microchip: String(Math.floor(Math.random() * 1e15)).padStart(15, '1'),
		sireId: null,
		owners: [{ memberId: inventedId('member', 40 + index) }],
	};
}

async function change(setup: WritesSetup, context: Context, path: string, body: object): Promise<Sent> {
	const token = setup.tokenOf();
	const found = await send(setup, context, 'GET', path, { token });
	const headers = { 'If-Match': `"${found.data.version}"`, 'Content-Type': 'application/merge-patch+json' };
	return send(setup, context, 'PATCH', path, { token, body, headers });
}
