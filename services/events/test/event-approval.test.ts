import { describe, expect, test } from '@jest/globals';
import { atOnce } from './at-once.ts';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events';

const ready = async (changes?: Record<string, unknown>) => {
	const event = await office.draft(changes);
	const { id: competitionId } = await office.competition(event.id, {
		divisions: 2,
		dividedBy: ['LICENCE'],
	});
	return { ...event, competitionId };
};

describe('approval', () => {
	test('an event goes from draft over a return to the publication', async () => {
		const { id } = await ready();
		const submitted = await office.step(id, 'submit');
		expect([submitted.status, submitted.data.status]).toEqual([200, 'SUBMITTED']);
		expect(submitted.data.approval).toEqual({
			submittedAt: events.clock.now().toISOString(),
			remarks: null,
			warnings: [],
		});
		const returned = await office.step(id, 'return');
		expect([returned.data.status, returned.data.approval?.remarks]).toEqual([
			'RETURNED',
			'Der Tierarzt fehlt.',
		]);
		const changed = await events.call('PUT', `${path}/${id}`, {
			token: office.organiser,
			body: office.body({ description: 'Tierarzt: Dr. Huf' }),
		});
		expect(changed.status).toBe(200);
		expect((await office.step(id, 'submit')).data.status).toBe('SUBMITTED');
		const published = await office.step(id, 'publish');
		expect([published.data.status, published.data.approval]).toEqual(['REGISTRATION_OPEN', undefined]);
		expect((await events.call('GET', `${path}/${id}`)).status).toBe(200);
	});

	test('organisers and club officials do not publish, whatever the state', async () => {
		const { id } = await ready();
		for (const token of [office.organiser, office.official]) {
			const { status, data } = await office.step(id, 'publish', token);
			expect([status, data.code]).toEqual([403, 'APPROVAL_REQUIRED']);
		}
		await office.step(id, 'submit');
		expect((await office.step(id, 'publish', office.organiser)).data.code).toBe('APPROVAL_REQUIRED');
		expect((await office.step(id, 'publish', office.stranger)).status).toBe(404);
		expect((await office.step(id, 'return', office.organiser)).status).toBe(403);
	});

	test('a submitted event is private, and listed for the office by its status', async () => {
		const { id } = await ready();
		await office.step(id, 'submit');
		for (const step of ['return', 'submit'] as const) {
			for (const token of [undefined, office.stranger]) {
				expect((await events.call('GET', `${path}/${id}`, token ? { token } : {})).status).toBe(404);
				const list = await events.call<{ items: { id: string }[] }>(
					'GET',
					`${path}?size=200`,
					token ? { token } : {},
				);
				expect(list.data.items.map((item) => item.id)).not.toContain(id);
			}
			const shown = step === 'return' ? 'SUBMITTED' : 'RETURNED';
			const work = await events.call<{ items: { id: string; name: string }[] }>(
				'GET',
				`${path}?status=${shown}&size=200`,
				{ token: events.officer },
			);
			expect(work.data.items.map((item) => item.id)).toContain(id);
			await office.step(id, step);
		}
		const calendar = await fetch(`${events.url}${path}/calendar.ics`);
		expect(await calendar.text()).not.toContain(id);
	});

	test('the organiser changes nothing while the event waits, and may recall it', async () => {
		const { id, competitionId } = await ready();
		await office.step(id, 'submit');
		const competitions = `${path}/${id}/competitions`;
		const one = `${competitions}/${competitionId}`;
		const changes: readonly (readonly [string, string, object?])[] = [
			['PUT', `${path}/${id}`, office.body()],
			['DELETE', `${path}/${id}`],
			['POST', `${path}/${id}/reschedule`, { startDate: '2026-10-24' }],
			['POST', competitions, office.competitionBody()],
			['PUT', one, office.competitionBody()],
			['DELETE', one],
			['POST', `${one}/cancel`],
			['POST', `${competitions}/renumber`, { numbers: [{ competitionId, number: 900 }] }],
		];
		for (const [method, route, body] of changes) {
			const { status, data } = await events.call(method, route, {
				token: office.organiser,
				...(body && { body }),
			});
			expect([method, route, status, data.code]).toEqual([method, route, 409, 'EVENT_SUBMITTED']);
		}
		const byOffice = await events.call('PUT', `${path}/${id}`, {
			token: events.officer,
			body: office.body(),
		});
		expect(byOffice.status).toBe(200);
		expect((await office.step(id, 'recall')).data.status).toBe('DRAFT');
		expect((await events.call('DELETE', `${path}/${id}`, { token: office.organiser })).status).toBe(200);
	});

	test('an incomplete event is not submitted', async () => {
		const { id } = await office.draft();
		const { status, data } = await office.step(id, 'submit');
		expect([status, data.code]).toEqual([422, 'EVENT_NOT_READY']);
		expect((await office.step(id, 'return')).data).toMatchObject({
			from: 'DRAFT',
			to: 'RETURNED',
			allowed: ['SUBMITTED', 'PUBLISHED'],
		});
	});

	test('a late submission gets a warning and can be approved', async () => {
		const late = { startDate: '2026-10-12', endDate: '2026-10-12', entryDeadline: '2026-09-28T21:59:00Z' };
		const { id } = await office.draft({ ...late, lateEntryUntil: null });
		await office.competition(id, { date: '2026-10-12', divisions: 2, dividedBy: ['LICENCE'] });
		const { data } = await office.step(id, 'submit');
		expect(data.approval?.warnings).toEqual([
			{
				code: 'SUBMITTED_LATE',
				message: 'The event was due for submission on 2026-09-14, 28 days before its first day.',
				rule: { source: 'OETO', paragraph: '24' },
			},
		]);
		expect((await office.step(id, 'publish')).status).toBe(200);
	});

	test('a competition for all pony riders is divided before the submission (OeTO §900.3)', async () => {
		const { id } = await ready();
		const pony = await office.competition(id, { ponyOnly: true, level: 'A', ageClasses: [] });
		const refused = await office.step(id, 'submit');
		expect([refused.status, refused.data['missing']]).toEqual([
			422,
			[{ code: 'DIVISION_REQUIRED', message: expect.stringContaining('divided') }],
		]);
		const findings = async (token: string) =>
			(
				await events.call<{ items: { code: string; level: string; competitionId: string | null }[] }>(
					'GET',
					`${path}/${id}/findings`,
					{ token },
				)
			).data.items
				.filter(({ competitionId }) => competitionId === pony.id)
				.map(({ code, level }) => `${level} ${code}`);
		expect(await findings(office.organiser)).toEqual(['ERROR DIVISION_REQUIRED']);
		expect((await events.call('GET', `${path}/${id}/findings`, { token: office.stranger })).status).toBe(404);
		const divided = await events.call('PATCH', `${path}/${id}/competitions/${pony.id}`, {
			token: office.organiser,
			body: { divisions: 2, dividedBy: ['RIDER_AGE'] },
		});
		expect([divided.status, await findings(events.officer)]).toEqual([200, []]);
		expect((await office.step(id, 'submit')).status).toBe(200);
	});

	test('prizes and fees that the rules forbid are refused', async () => {
		const { id } = await ready();
		const patch = async (body: Record<string, unknown>) => {
			const { status, data } = await events.call('POST', `${path}/${id}/competitions`, {
				token: office.organiser,
				body: office.competitionBody(body),
			});
			return [status, data.code ?? data['prizes']];
		};
		expect(await patch({ prizes: [9_000, 4_000], startFee: 2_000 })).toEqual([201, [9_000, 4_000]]);
		expect(await patch({ prizes: [9_000, 4_000], startFee: 2_001 })).toEqual([422, 'START_FEE_TOO_HIGH']);
		expect(await patch({ prizes: [9_000], kind: 'LICENCE_FREE' })).toEqual([422, 'PRIZE_NOT_ALLOWED']);
		expect(await patch({ prizes: [4_000, 9_000] })).toEqual([400, 'VALIDATION_ERROR']);
		expect(await patch({ divisions: 2 })).toEqual([400, 'VALIDATION_ERROR']);
	});

	test('of a return, a recall and a publication at once one wins', async () => {
		const { id } = await ready();
		const { headers } = await office.step(id, 'submit');
		const read = { 'If-Match': headers.get('etag') ?? '' };
		const responses = await atOnce(events, id, [
			() => office.step(id, 'return', undefined, read),
			() => office.step(id, 'recall', undefined, read),
			() => office.step(id, 'publish', undefined, read),
		]);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
	});

	test('after the publication dates, classes and fees are the office’s', async () => {
		const { id, competitionId } = await ready();
		await office.step(id, 'publish');
		const { data } = await events.call<Record<string, unknown>>(
			'GET',
			`${path}/${id}/competitions/${competitionId}`,
		);
		const body = { ...office.competitionBody(), number: data['number'] };
		for (const change of [{ level: 'M', horseMinAge: null }, { date: '2026-10-25' }, { startFee: 1_900 }]) {
			const route = `${path}/${id}/competitions/${competitionId}`;
			const sent = { body: { ...body, ...change } };
			expect((await events.call('PUT', route, { ...sent, token: office.organiser })).status).toBe(403);
			expect((await events.call('PUT', route, { ...sent, token: events.officer })).status).toBe(200);
			expect((await events.call('PUT', route, { body, token: events.officer })).status).toBe(200);
		}
	});
});
