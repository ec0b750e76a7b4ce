import { describe, expect, test } from '@jest/globals';
import { atOnce } from './at-once.ts';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events';

const ready = async (changes?: Record<string, unknown>) => {
	const event = await office.draft(changes);
	const { id: competitionId } = await office.competition(event.id);
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
		await office.competition(id, { date: '2026-10-12' });
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
