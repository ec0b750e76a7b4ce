import { expect, test } from '@jest/globals';
import { useOffice } from './use-events.ts';

const { office } = useOffice({ EVENT_APPROVAL: false, EVENT_SUBMISSION_DAYS: 0 });

test('with the approval switched off organisers publish, also what was submitted late', async () => {
	const { id } = await office.draft();
	await office.competition(id, { divisions: 2, dividedBy: ['LICENCE'] });
	expect((await office.step(id, 'submit')).data.approval?.warnings).toEqual([]);
	const { status, data } = await office.step(id, 'publish', office.organiser);
	expect([status, data.status]).toEqual([200, 'REGISTRATION_OPEN']);
});
